package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store"
)

// The year of the fleet.
var (
	yearFrom = time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC)
	yearTo   = yearFrom.AddDate(1, 0, 0)
)

// benchYear fills the year once and measures the pages' queries on it.
func benchYear(ctx context.Context, server *localpg.Server, o options) error {
	s, fresh, err := open(ctx, server, "year")
	if err != nil {
		return err
	}
	defer s.Close()
	if fresh {
		if err := run(ctx, server, "year", statement("names")); err != nil {
			return err
		}
		if err := invent(ctx, server, statement("work"), yearFrom, yearTo); err != nil {
			return fmt.Errorf("attempts and pods: %w", err)
		}
	}
	if err := fill(ctx, server, s); err != nil {
		return err
	}
	if err := fillServing(ctx, server, s); err != nil {
		return err
	}
	if err := fillOnce(ctx, server); err != nil {
		return err
	}
	if err := sizes(ctx, server); err != nil {
		return err
	}
	if o.page != "" {
		return pages(ctx, s, o.page)
	}
	questions, err := ask(ctx, s, yearFrom, yearTo)
	if err != nil {
		return err
	}
	if err := lives(ctx, s); err != nil {
		return err
	}
	if err := pages(ctx, s, ""); err != nil {
		return err
	}
	return load(ctx, s, questions, o)
}

// fill makes the missing days of the year, and their months.
func fill(ctx context.Context, server *localpg.Server, s *store.Store) error {
	next, err := oneTime(ctx, server, "select coalesce(max(day) + interval '24 hours', $1) from rolled_days", yearFrom)
	if err != nil {
		return err
	}
	began := time.Now()
	for day := next; day.Before(yearTo); day = day.AddDate(0, 0, 1) {
		if err := s.StageRollUp(ctx, &star.Cost, period.FromTime(day), statement("day"), day); err != nil {
			return err
		}
	}
	made, err := hasRows(ctx, server, "star.gang_days") // the last of the figures
	if err != nil {
		return err
	}
	if !made {
		for _, sql := range []string{statement("figures"), statement("runs")} {
			if err := invent(ctx, server, sql, yearFrom, yearTo); err != nil {
				return fmt.Errorf("figures: %w", err)
			}
		}
	}
	rows, err := s.RollUpMonths(ctx)
	if err != nil || rows == 0 {
		return err
	}
	fmt.Fprintf(os.Stderr, "%.0f days were made in %s\n", yearTo.Sub(next).Hours()/24,
		time.Since(began).Round(time.Second))
	return run(ctx, server, "year", "vacuum analyze")
}

// oneTime is the result of a query for one instant.
func oneTime(ctx context.Context, server *localpg.Server, sql string, args ...any) (at time.Time, err error) {
	conn, err := pgx.Connect(ctx, server.DSN("year"))
	if err != nil {
		return at, err
	}
	err = conn.QueryRow(ctx, sql, args...).Scan(&at)
	return at.UTC(), errors.Join(err, conn.Close(ctx))
}
