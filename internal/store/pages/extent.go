package pages

import (
	"context"
	"fmt"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// breath is how many seconds more or less than an hour are none: samples come
// once a minute, so what was seen until just before or after the hour was seen
// until the hour.
const breath = 60

// Extent returns how far the ledger reaches; it is empty while nothing is stored.
func (s *Pages) Extent(ctx context.Context) (metrics.Extent, error) {
	x, err := pg.One[struct{ First, End, Used, Seen *period.Second }](ctx, s.ReadOnly(), "page.extent", pg.Tenant)
	if err != nil {
		return metrics.Extent{}, fmt.Errorf("extent of the ledger: %w", err)
	}
	if x.First == nil || x.End == nil || x.Used == nil {
		return metrics.Extent{}, nil
	}
	e := metrics.Extent{Stored: period.Interval{From: *x.First, To: *x.End}, Data: *x.Used, Seen: *x.Used}
	if x.Seen != nil {
		e.Data, e.Seen = dataUntil(*x.First, *x.Used, *x.Seen), *x.Seen
	}
	return e, nil
}

// dataUntil ends the last hour of use where samples end in it.
func dataUntil(first, used, seen period.Second) period.Second {
	last := used - period.Hour
	switch {
	case seen <= last || used-seen <= breath:
		return used
	case seen-last < breath && last > first:
		return last
	}
	return seen
}
