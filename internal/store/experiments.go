package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
)

// PublishResults merges what experiments came to, in one transaction.
func (s *Store) PublishResults(ctx context.Context, importID ledger.ID, results []ledger.ExperimentResult) (changed int64, err error) {
	err = s.inTx(ctx, "publish results of experiments", func(tx pgx.Tx) error {
		if _, err := exec(ctx, tx, "experiment.create_stage"); err != nil {
			return err
		}
		if _, err := copySlice(ctx, tx, statement("experiment.copy_results"), results, func(r *row, e *ledger.ExperimentResult) error {
			r.begin(11)
			r.int4(tenant)
			r.id(e.ID)
			r.text(e.Experiment)
			r.text(e.Run)
			r.text(e.Metric)
			r.measure(&e.Value)
			r.measure(e.Baseline)
			r.measure(e.Threshold)
			r.bool(e.Lower)
			r.known(e.At)
			r.id(importID)
			return nil
		}); err != nil {
			return fmt.Errorf("stage: %w", err)
		}
		if _, err := exec(ctx, tx, "import.lock", tenant, "experiment results"); err != nil {
			return err
		}
		changed, err = exec(ctx, tx, "experiment.merge_results", tenant)
		return err
	})
	return changed, err
}
