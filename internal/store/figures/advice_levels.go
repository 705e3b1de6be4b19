package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// Levels lists the machine hours that were on demand or covered in a window, by pool and hour. It reads days, never
// months, because rows of months lack the hours.
func (s *Figures) Levels(ctx context.Context, window period.Interval) ([]analysis.LevelHour, error) {
	q := metrics.Query{
		Window:      period.Interval{From: window.From.Floor(period.Day), To: (window.To + period.Day - 1).Floor(period.Day)},
		Granularity: metrics.Day,
	}
	var list []analysis.LevelHour
	err := s.InTx(ctx, "read levels of machines", func(tx pgx.Tx) error {
		days, err := report.WindowDays(ctx, tx, q)
		if err != nil {
			return err
		}
		c := report.Asking(q, &report.RollupPlan{Pieces: report.Pieces(q, false, days)})
		text := c.Expand(pg.Statement("report.levels"))
		rows, err := tx.Query(ctx, text, c.Args...)
		if err == nil {
			list, err = pgx.CollectRows(rows, pgx.RowToStructByName[analysis.LevelHour])
		}
		if err != nil {
			return fmt.Errorf("report.levels: %w", err)
		}
		return nil
	})
	return list, err
}

// CommittedRates lists the price book's rates for machines on demand and with a commitment, at an instant.
func (s *Figures) CommittedRates(ctx context.Context, at period.Second) ([]ledger.Rate, error) {
	rates, err := pg.List[struct {
		InstanceType, Region, Currency, Source string
		PriceClass                             ledger.PriceClass
		Hourly                                 money.Amount
	}](ctx, s.Pool, "advice.rates", pg.Tenant, at)
	list := make([]ledger.Rate, len(rates))
	for i, r := range rates {
		list[i] = ledger.Rate{InstanceType: r.InstanceType, Region: r.Region, PriceClass: r.PriceClass,
			Currency: r.Currency, Hourly: r.Hourly, Source: r.Source}
	}
	return list, err
}

// amountOf is the amount of a value; nil: unknown.
func amountOf(v metrics.Value) (*money.Amount, error) {
	if !v.Valid {
		return nil, nil
	}
	a, err := money.Parse(v.Text)
	return &a, err
}

// FamilyDiscounts lists the cost of each machine family's commitments, and the on-demand cost of the usage that they
// covered.
func (s *Figures) FamilyDiscounts(ctx context.Context, window period.Interval) ([]analysis.FamilyCost, error) {
	var list []analysis.FamilyCost
	err := s.eachRow(ctx, "commitments", metrics.Options{GroupBy: "provider,instance_family"}, window,
		func(row map[string]metrics.Value) error {
			f := analysis.FamilyCost{
				Provider: row["provider"].Text, Family: row["instance_family"].Text, Currency: row["currency"].Text,
			}
			var err error
			if f.Paid, err = amountOf(row["used_cost"]); err != nil {
				return err
			}
			if f.Worth, err = amountOf(row["used_on_demand_cost"]); err != nil {
				return err
			}
			list = append(list, f)
			return nil
		})
	return list, err
}
