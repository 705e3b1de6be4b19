package pg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/posting"
)

// fence refuses a step of a calculation that has ended, and keeps the calculation from ending before the step does.
// Marks that the step sets belong to the calculation.
func fence(ctx context.Context, tx pgx.Tx) error {
	id, ok := posting.FenceOf(ctx)
	if !ok {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(Statement("calculation.name"), id.String())
	open := false
	b.Queue(Statement("calculation.fence"), Tenant, id).Query(func(rows pgx.Rows) error {
		open = rows.Next()
		return rows.Err()
	})
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("calculation.fence: %w", err)
	}
	if !open {
		return posting.ErrTakenOver
	}
	return nil
}
