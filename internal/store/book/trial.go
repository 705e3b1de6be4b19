package book

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// StoredDays lists every computed node-day in within, by node and ascending day; zero bounds are open.
func (s *Book) StoredDays(ctx context.Context, within period.Interval) ([]posting.DirtyNode, error) {
	return s.nodeDays(ctx, "trial.days", within)
}

// Totals sums up the ledger in within by team, cause and currency, without final rows, which no policy change affects.
func (s *Book) Totals(ctx context.Context, within period.Interval) ([]metrics.TrialRow, error) {
	var list []metrics.TrialRow
	err := pg.Each(ctx, s.Pool, "trial.totals", func(r struct {
		Team                        string
		Cause                       ledger.Cause
		Currency                    string
		Effective, Billed, GPUHours *money.Amount
	}) error {
		list = append(list, metrics.TrialRow{Team: r.Team, Cause: r.Cause, Currency: r.Currency,
			Effective: metrics.TrialCost{Now: r.Effective},
			Billed:    metrics.TrialCost{Now: r.Billed}, GPUHours: metrics.TrialCost{Now: r.GPUHours}})
		return nil
	}, pg.Tenant, openBound(within.From), openBound(within.To))
	return list, err
}

// OwnerTotals sums up effective cost in within by owner and currency, without final rows.
func (s *Book) OwnerTotals(ctx context.Context, within period.Interval) ([]posting.OwnerTotal, error) {
	return pg.List[posting.OwnerTotal](ctx, s.Pool, "trial.owner_totals", pg.Tenant, openBound(within.From),
		openBound(within.To))
}

// LabelsOf returns the values of stored owners by dimension.
func (s *Book) LabelsOf(ctx context.Context, owners []ledger.ID) (map[ledger.ID]map[string]string, error) {
	return pg.Map[ledger.ID, map[string]string](ctx, s.Pool, "trial.owner_labels", pg.Tenant, owners)
}

// openBound is a bound of a window for SQL; 0 is open.
func openBound(at period.Second) *period.Second {
	if at == 0 {
		return nil
	}
	return &at
}
