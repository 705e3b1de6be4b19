package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// LockAnalysis waits until no other process runs analysis.
func (s *Figures) LockAnalysis(ctx context.Context) (unlock func(), err error) {
	conn, err := s.Pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if _, err := conn.Exec(ctx, pg.Statement("analysis.lock"), pg.Tenant); err != nil {
		conn.Release()
		return nil, fmt.Errorf("analysis.lock: %w", err)
	}
	return func() {
		defer conn.Release()
		if _, err := conn.Exec(context.WithoutCancel(ctx), pg.Statement("analysis.unlock"), pg.Tenant); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx)) // a closed session releases its locks
		}
	}, nil
}

// DealDays hands changed days to the steps that read what changed.
func (s *Figures) DealDays(ctx context.Context, steps, reads []string) error {
	if _, err := s.Pool.Exec(ctx, pg.Statement("analysis.deal"), pg.Tenant, steps, reads); err != nil {
		return fmt.Errorf("analysis.deal: %w", err)
	}
	return nil
}

// AnalysisDays lists the days of a step, ascending.
func (s *Figures) AnalysisDays(ctx context.Context, step string) ([]period.Second, error) {
	return pg.Values[period.Second](ctx, s.Pool, "analysis.days", pg.Tenant, step)
}

// ForgetAnalysisDay drops a day of a step that writes no daily rows.
func (s *Figures) ForgetAnalysisDay(ctx context.Context, step string, day period.Second) error {
	if _, err := s.Pool.Exec(ctx, pg.Statement("analysis.done"), pg.Tenant, step, day); err != nil {
		return fmt.Errorf("analysis.done: %w", err)
	}
	return nil
}

// analysisDay runs one day of a step: f sees one state of the ledger, and the day's mark is dropped in the same
// transaction as f's writes. A change in the meantime has marked the day again.
func (s *Figures) analysisDay(ctx context.Context, step string, day period.Second, f func(tx pgx.Tx) error) error {
	return s.analysisDays(ctx, step, period.DayOf(day), f)
}

// analysisDays is analysisDay for all days of a span at once.
func (s *Figures) analysisDays(ctx context.Context, step string, span period.Interval, f func(tx pgx.Tx) error) error {
	err := pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "analysis.settings"); err != nil {
			return err
		}
		for day := span.From; day < span.To; day += period.Day {
			if _, err := pg.Exec(ctx, tx, "analysis.done", pg.Tenant, step, day); err != nil {
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
