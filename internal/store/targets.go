package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// SaveTargets implements analysis.TargetStore.
func (s *Store) SaveTargets(ctx context.Context, step string, day period.Second) (rows int64, err error) {
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		for _, name := range []string{"target.forget", "target.fleet", "target.training", "target.units"} {
			n, err := exec(ctx, tx, name, tenant, day)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}
