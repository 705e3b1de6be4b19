package figures

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// SaveTargets implements analysis.TargetStore.
func (s *Figures) SaveTargets(ctx context.Context, step string, day period.Second) (rows int64, err error) {
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		for _, name := range []string{"target.forget", "target.fleet", "target.training", "target.units"} {
			n, err := pg.Exec(ctx, tx, name, pg.Tenant, day)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}
