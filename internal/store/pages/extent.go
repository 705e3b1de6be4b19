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
	var first, end, used, seen *period.Second
	if err := s.RowRead(ctx, "page.extent", []any{pg.Tenant}, &first, &end, &used, &seen); err != nil {
		return metrics.Extent{}, fmt.Errorf("extent of the ledger: %w", err)
	}
	if first == nil || end == nil || used == nil {
		return metrics.Extent{}, nil
	}
	e := metrics.Extent{Stored: period.Interval{From: *first, To: *end}, Data: *used, Seen: *used}
	if seen != nil {
		e.Data, e.Seen = dataUntil(*first, *used, *seen), *seen
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
