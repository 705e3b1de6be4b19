package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"gpuledger/internal/localpg"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
)

// fillServing makes the requests of 300 services of four replicas on the days of the year, if they are missing.
func fillServing(ctx context.Context, server *localpg.Server, s *store.Store) error {
	next, err := oneTime(ctx, server, "select coalesce(max(at) + interval '24 hours', $1) from star.serving_days",
		yearFrom)
	if err != nil || !next.Before(yearTo) {
		return err
	}
	if err := run(ctx, server, "year", statement("replicas")); err != nil {
		return err
	}
	began := time.Now()
	for day := next; day.Before(yearTo); day = day.AddDate(0, 0, 1) {
		if err := serveDay(ctx, s, period.FromTime(day)); err != nil {
			return err
		}
	}
	if _, err := s.RollUpMonths(ctx); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "serving was generated in %s\n", time.Since(began).Round(time.Second))
	return run(ctx, server, "year", "vacuum analyze")
}

// serveDay stores the requests of replicas on a day as if in its first hour, and rolls them up.
func serveDay(ctx context.Context, s *store.Store, day period.Second) error {
	if err := s.EnsureMonths(ctx, "serving_hours", pg.MonthsOf(day)); err != nil {
		return err
	}
	if _, err := s.Pool.Exec(ctx, statement("serving"), day); err != nil {
		return fmt.Errorf("serve %s: %w", day, err)
	}
	return s.StageRollUp(ctx, &star.Serving, day, report.FactRows(&star.Serving, period.DayOf(day)))
}
