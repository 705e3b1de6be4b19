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
func (s *Figures) SaveSpotRates(ctx context.Context, step string, day period.Second, rate func([]spot.Paid, []spot.Line, []ledger.Rate) []spot.Rate) (rows int64, err error) {
	book, err := s.Rates(ctx)
	if err != nil {
		return 0, err
	}
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		var paid []spot.Paid
		err := pg.Query(ctx, tx, "spot.paid", func(r pgx.Rows) error {
			var p spot.Paid
			err := r.Scan(&p.Node, &p.Hour, &p.Kind.Account, &p.Kind.InstanceType, &p.Kind.Region, &p.Kind.Currency, &p.Provider, &p.Billed, &p.Listed, &p.Public, &p.Seconds, &p.AtOnDemand)
			paid = append(paid, p)
			return err
		}, pg.Tenant, day)
		if err != nil {
			return err
		}
		var lines []spot.Line
		err = pg.Query(ctx, tx, "spot.lines", func(r pgx.Rows) error {
			var l spot.Line
			err := r.Scan(&l.Kind.Account, &l.Kind.InstanceType, &l.Kind.Region, &l.Kind.Currency, &l.Hour, &l.Cost, &l.Seconds)
			lines = append(lines, l)
			return err
		}, pg.Tenant, day)
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

// rateColumns are the parameters of spot.put_rates.
func rateColumns(list []spot.Rate) []any {
	n := len(list)
	nodes, hours, currencies, sources, details, hourly := make([]string, n), make([]int64, n), make([]string, n), make([]string, n), make([]string, n), make([]*string, n)
	for i, r := range list {
		nodes[i], hours[i], currencies[i], sources[i], details[i] = r.Node.String(), int64(r.Hour), r.Currency, string(r.Source), r.Detail
		if r.Hourly != nil {
			text := r.Hourly.String()
			hourly[i] = &text
		}
	}
	return []any{pg.Tenant, nodes, hours, currencies, sources, details, hourly}
}
