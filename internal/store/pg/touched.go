package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// MarkTouched turns the rows of the temp table touched into dirty marks, with the margin that the engine reads beyond a
// day.
func MarkTouched(ctx context.Context, tx pgx.Tx) error {
	if _, err := Exec(ctx, tx, "dirty.touch_placements", Tenant); err != nil {
		return err
	}
	return Mark(ctx, tx, "dirty.mark_touched")
}

// Mark runs a statement that writes dirty marks, with the tenant and the mark's number as its first arguments. It must
// be the last step of its transaction: the number's lock is held until the commit, which keeps marks in order.
func Mark(ctx context.Context, tx pgx.Tx, name string, args ...any) error {
	number, err := Value[int64](ctx, tx, "dirty.next_mark", Tenant)
	if err != nil {
		return err
	}
	_, err = Exec(ctx, tx, name, append([]any{Tenant, number}, args...)...)
	return err
}
