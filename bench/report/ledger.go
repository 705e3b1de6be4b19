package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gpuledger/internal/localpg"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// The week of the small ledger.
var (
	weekFrom = time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	weekTo   = weekFrom.AddDate(0, 0, 7)
)

const turns = 5

// benchLedger queries a ledger of 360 GPUs over a week with and without roll-ups, alternating. Answers must be equal.
func benchLedger(ctx context.Context, server *localpg.Server) error {
	s, fresh, err := open(ctx, server, "ledger")
	if err != nil {
		return err
	}
	defer s.Close()
	if fresh {
		if err := run(ctx, server, "ledger", statement("ledger"), "vacuum analyze"); err != nil {
			return err
		}
	}
	began := time.Now()
	var rolled int64
	for day := weekFrom; day.Before(weekTo); day = day.AddDate(0, 0, 1) {
		_, rows, err := s.RollUpDays(ctx, "costs", []period.Second{period.FromTime(day)})
		if err != nil {
			return err
		}
		rolled += rows
	}
	fmt.Printf("a day is added up in %s, a week has %d rows of roll-ups\n%-16s %9s %9s %7s\n",
		(time.Since(began) / 7).Round(time.Millisecond), rolled, "question", "postings", "roll-ups", "ratio")
	if err := run(ctx, server, "ledger", "vacuum analyze"); err != nil {
		return err
	}
	for _, p := range metrics.PageQueries {
		q, err := p.Over(weekFrom.Format(time.DateOnly), weekTo.Format(time.DateOnly))
		if err != nil {
			return err
		}
		var took [2][]time.Duration
		for range turns {
			var rows [2][]string
			for side, query := range []func(context.Context, metrics.Query) (metrics.Rows, error){s.QueryLedger, s.Query} {
				began := time.Now()
				if rows[side], err = answer(ctx, query, q); err != nil {
					return err
				}
				took[side] = append(took[side], time.Since(began))
			}
			if !slices.Equal(rows[0], rows[1]) {
				return fmt.Errorf("%s: %d rows from postings, %d from roll-ups, and they differ", p.Name, len(rows[0]),
					len(rows[1]))
			}
		}
		slow, fast := slices.Sorted(slices.Values(took[0]))[turns/2], slices.Sorted(slices.Values(took[1]))[turns/2]
		fmt.Printf("%-16s %9s %9s %6.0fx\n", p.Name, slow.Round(time.Millisecond), fast.Round(100*time.Microsecond),
			slow.Seconds()/fast.Seconds())
	}
	return nil
}
