package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// LockAnalysis waits until no other process analyses.
func (s *Store) LockAnalysis(ctx context.Context) (unlock func(), err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if _, err := conn.Exec(ctx, statement("analysis.lock"), tenant); err != nil {
		conn.Release()
		return nil, fmt.Errorf("analysis.lock: %w", err)
	}
	return func() {
		defer conn.Release()
		if _, err := conn.Exec(context.WithoutCancel(ctx), statement("analysis.unlock"), tenant); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx)) // a session that is gone holds no lock either
		}
	}, nil
}

// DealDays gives the days that changed to the steps that read what changed.
func (s *Store) DealDays(ctx context.Context, steps, reads []string) error {
	if _, err := s.pool.Exec(ctx, statement("analysis.deal"), tenant, steps, reads); err != nil {
		return fmt.Errorf("analysis.deal: %w", err)
	}
	return nil
}

// AnalysisDays lists the days of a step, ascending.
func (s *Store) AnalysisDays(ctx context.Context, step string) ([]period.Second, error) {
	var days []period.Second
	err := query(ctx, s.pool, "analysis.days", func(rows pgx.Rows) error {
		var day period.Second
		err := rows.Scan(&day)
		days = append(days, day)
		return err
	}, tenant, step)
	return days, err
}

// ForgetAnalysisDay drops a day of a step that writes nothing by day.
func (s *Store) ForgetAnalysisDay(ctx context.Context, step string, day period.Second) error {
	if _, err := s.pool.Exec(ctx, statement("analysis.done"), tenant, step, day); err != nil {
		return fmt.Errorf("analysis.done: %w", err)
	}
	return nil
}

// analysisDay works out one day of a step: f sees one state of the ledger, and
// the mark goes with what f wrote. What changes meanwhile has marked the day
// again.
func (s *Store) analysisDay(ctx context.Context, step string, day period.Second, f func(tx pgx.Tx) error) error {
	return s.analysisDays(ctx, step, period.DayOf(day), f)
}

// analysisDays is analysisDay of all days of a span at once.
func (s *Store) analysisDays(ctx context.Context, step string, span period.Interval, f func(tx pgx.Tx) error) error {
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "analysis.settings"); err != nil {
			return err
		}
		for day := span.From; day < span.To; day += period.Day {
			if _, err := exec(ctx, tx, "analysis.done", tenant, step, day); err != nil {
				return err
			}
		}
		return f(tx)
	})
	if err != nil {
		return fmt.Errorf("analyse %s: %w", step, err)
	}
	return nil
}
