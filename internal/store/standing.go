package store

import (
	"context"
	"fmt"
	"time"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Refusals counts the addresses of a source by their newest import.
type Refusals struct {
	Source  string
	Places  int64 // addresses that were imported
	Refused int64 // of those, addresses whose newest import was refused
}

// Refusals counts addresses by source, of imports that began since an instant.
func (s *Store) Refusals(ctx context.Context, since time.Time) ([]Refusals, error) {
	list, err := pg.List[Refusals](ctx, s.Pool, "report.refusals", pg.Tenant, since)
	if err != nil {
		return nil, fmt.Errorf("read refused imports: %w", err)
	}
	return list, nil
}

// LastAllocation returns when the newest finished allocation ended; nil without one.
func (s *Store) LastAllocation(ctx context.Context) (*time.Time, error) {
	at, err := pg.Value[*time.Time](ctx, s.Pool, "report.last_allocation", pg.Tenant)
	if err != nil {
		return nil, fmt.Errorf("read the last allocation: %w", err)
	}
	return at, nil
}

// OpenMonths lists the billing months that ended by an instant and are not closed for all their accounts.
func (s *Store) OpenMonths(ctx context.Context, endedBy period.Second) (ended []period.Month, err error) {
	all, err := pg.Values[period.Month](ctx, s.Pool, "report.open_months", pg.Tenant)
	if err != nil {
		return nil, fmt.Errorf("read the open billing months: %w", err)
	}
	for _, m := range all {
		hours, err := m.Interval()
		if err != nil {
			return nil, err
		}
		if hours.To <= endedBy {
			ended = append(ended, m)
		}
	}
	return ended, nil
}
