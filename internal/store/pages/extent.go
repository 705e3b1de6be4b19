package pages

import (
	"context"
	"fmt"

	"gpuledger/allocation/policy"
	"gpuledger/internal/access"
	"gpuledger/internal/fiscal"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// breath is a tolerance around full hours, in seconds: samples come once a minute, so a machine seen until just
// before or after a full hour was seen until that hour.
const breath = 60

// Extent returns how far the ledger reaches; it is empty if the ledger is.
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
	e.Fiscal, err = s.fiscalAt(ctx, e.Data-1)
	return e, err
}

// fiscalAt is the fiscal calendar of the policy at an instant. Periods are the same for all users, also for those who
// may not read the policy.
func (s *Pages) fiscalAt(ctx context.Context, at period.Second) (c fiscal.Calendar, err error) {
	ctx = access.As(ctx, &access.Viewer{Name: "periods", Role: access.RoleAuditor})
	var versions []policy.Version
	err = pg.Each(ctx, s.ReadOnly(), "page.fiscal", func(r struct{ Version, Document string }) error {
		v, err := policy.Parse([]byte(r.Document))
		if err != nil {
			return fmt.Errorf("stored policy %s: %w", r.Version, err)
		}
		versions = append(versions, v)
		return nil
	}, pg.Tenant)
	if err != nil {
		return c, fmt.Errorf("fiscal calendar: %w", err)
	}
	rules, err := policy.NewBook(versions...)
	return rules.FiscalAt(at), err
}

// dataUntil is the end of the data: if samples end within the last hour of usage, it is their end.
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
