package figures

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/spot"
)

// SaveSpotRates implements analysis.SpotStore.
func (s *Figures) SaveSpotRates(
	ctx context.Context, step string, day period.Second, rate func([]spot.Paid, []spot.Line, []ledger.Rate) []spot.Rate,
) (rows int64, err error) {
	book, err := s.Rates(ctx)
	if err != nil {
		return 0, err
	}
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		paid, err := pg.List[spot.Paid](ctx, tx, "spot.paid", pg.Tenant, day)
		if err != nil {
			return err
		}
		kinds := make([]spot.Kind, len(paid))
		for i := range paid {
			kinds[i] = paid[i].Kind
		}
		lines, err := pg.List[spot.Line](ctx, tx, "spot.lines", append([]any{pg.Tenant, day}, kindColumns(kinds)...)...)
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "spot.forget_rates", pg.Tenant, day); err != nil {
			return err
		}
		rows, err = pg.Exec(ctx, tx, "spot.put_rates", rateColumns(rate(paid, lines, book))...)
		return err
	})
	return rows, err
}

// SaveOnDemandHours implements analysis.SpotStore.
func (s *Figures) SaveOnDemandHours(ctx context.Context, step string, day period.Second) (rows int64, err error) {
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		found, err := pg.List[spot.Line](ctx, tx, "spot.on_demand_lines", pg.Tenant, day)
		if err != nil {
			return err
		}
		kept, err := pg.List[spot.Line](ctx, tx, "spot.kept_lines", pg.Tenant, day)
		if err != nil {
			return err
		}
		changed := spot.ChangedKinds(kept, found)
		if len(changed) == 0 {
			return nil
		}
		if _, err := pg.Exec(ctx, tx, "spot.forget_lines", pg.Tenant, day); err != nil {
			return err
		}
		if rows, err = pg.Exec(ctx, tx, "spot.put_lines", lineColumns(found)...); err != nil {
			return err
		}
		_, err = pg.Exec(ctx, tx, "spot.mark_rates", append([]any{pg.Tenant, day}, kindColumns(changed)...)...)
		return err
	})
	return rows, err
}

// kindColumns are the kinds of machines as parameters, without duplicates.
func kindColumns(kinds []spot.Kind) []any {
	var accounts, types, regions, currencies []string
	seen := map[spot.Kind]bool{}
	for _, k := range kinds {
		if !seen[k] {
			seen[k] = true
			accounts, types = append(accounts, k.Account), append(types, k.InstanceType)
			regions, currencies = append(regions, k.Region), append(currencies, k.Currency)
		}
	}
	return []any{accounts, types, regions, currencies}
}

// lineColumns are the parameters of spot.put_lines.
func lineColumns(lines []spot.Line) []any {
	n := len(lines)
	accounts, types, regions, currencies := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	hours, costs, seconds := make([]period.Second, n), make([]string, n), make([]int64, n)
	for i, l := range lines {
		accounts[i], types[i], regions[i], currencies[i] = l.Kind.Account, l.Kind.InstanceType, l.Kind.Region, l.Kind.Currency
		hours[i], costs[i], seconds[i] = l.Hour, l.Cost.String(), l.Seconds
	}
	return []any{pg.Tenant, accounts, types, regions, currencies, hours, costs, seconds}
}

// rateColumns are the parameters of spot.put_rates.
func rateColumns(list []spot.Rate) []any {
	n := len(list)
	nodes, hours, currencies, sources, details, hourly := make([]string, n), make([]int64, n), make([]string, n),
		make([]string, n), make([]string, n), make([]*string, n)
	for i, r := range list {
		nodes[i], hours[i], currencies[i], sources[i], details[i] = r.Node.String(), int64(r.Hour), r.Currency,
			string(r.Source), r.Detail
		if r.Hourly != nil {
			text := r.Hourly.String()
			hourly[i] = &text
		}
	}
	return []any{pg.Tenant, nodes, hours, currencies, sources, details, hourly}
}
