package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MarkTouched turns the rows of the temp table touched into dirty marks, with
// the margin that the engine reads beyond a day. It comes last in its
// transaction: the lock that keeps marks in order lasts until the commit.
func MarkTouched(ctx context.Context, tx pgx.Tx) error {
	if _, err := Exec(ctx, tx, "dirty.touch_placements", Tenant); err != nil {
		return err
	}
	if _, err := Exec(ctx, tx, "dirty.lock_marks", Tenant); err != nil {
		return err
	}
	_, err := Exec(ctx, tx, "dirty.mark_touched", Tenant)
	return err
}
