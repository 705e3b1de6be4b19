package facts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// PublishResults merges what experiments came to, in one transaction.
func (s *Facts) PublishResults(ctx context.Context, importID ledger.ID, results []ledger.ExperimentResult) (changed int64, err error) {
	err = s.InTx(ctx, "publish results of experiments", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "experiment.create_stage"); err != nil {
			return err
		}
		if _, err := pg.CopySlice(ctx, tx, pg.Statement("experiment.copy_results"), results, func(r *pg.Row, e *ledger.ExperimentResult) error {
			r.Begin(11)
			r.Int4(pg.Tenant)
			r.ID(e.ID)
			r.Text(e.Experiment)
			r.Text(e.Run)
			r.Text(e.Metric)
			r.Measure(&e.Value)
			r.Measure(e.Baseline)
			r.Measure(e.Threshold)
			r.Bool(e.Lower)
			r.Known(e.At)
			r.ID(importID)
			return nil
		}); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		if _, err := pg.Exec(ctx, tx, "import.lock", pg.Tenant, "experiment results"); err != nil {
			return err
		}
		changed, err = pg.Exec(ctx, tx, "experiment.merge_results", pg.Tenant)
		return err
	})
	return changed, err
}
