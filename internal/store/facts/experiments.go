package facts

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// PublishResults merges results of experiments in one transaction.
func (s *Facts) PublishResults(
	ctx context.Context, importID ledger.ID, results []ledger.ExperimentResult,
) (changed int64, err error) {
	err = s.InTx(ctx, "publish results of experiments", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "experiment.create_stage"); err != nil {
			return err
		}
		encode := func(r *pg.Row, e *ledger.ExperimentResult) error {
			r.Col("result_id").ID(e.ID)
			r.Col("experiment").Text(e.Experiment)
			r.Col("run").Text(e.Run)
			r.Col("metric").Text(e.Metric)
			r.Col("value").Measure(&e.Value)
			r.Col("baseline").Measure(e.Baseline)
			r.Col("threshold").Measure(e.Threshold)
			r.Col("lower_is_better").Bool(e.Lower)
			r.Col("at").Known(e.At)
			r.Col("model_version").Text(e.ModelVersion)
			r.Col("dataset").Text(e.Dataset)
			r.Col("dataset_size").Measure(e.DatasetSize)
			r.Col("dataset_unit").Text(e.DatasetUnit)
			r.Col("import_id").ID(importID)
			return nil
		}
		if _, err := pg.CopyInto(ctx, tx, "next_experiment_results", results, encode); err != nil {
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
