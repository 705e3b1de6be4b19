package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// markTouched turns the rows of the temp table touched into dirty marks, with
// the margin that the engine reads beyond a day. It comes last in its
// transaction: the lock that keeps marks in order lasts until the commit.
func markTouched(ctx context.Context, tx pgx.Tx) error {
	if _, err := exec(ctx, tx, "dirty.touch_placements", tenant); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, "dirty.lock_marks", tenant); err != nil {
		return err
	}
	_, err := exec(ctx, tx, "dirty.mark_touched", tenant)
	return err
}
