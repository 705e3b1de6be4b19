package exports

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/outgoing"
	"gpuledger/internal/store/pg"
)

// keptRuns is how many outcomes are kept of a schedule.
const keptRuns = 200

// Start records that a scheduled time is being worked on.
func (s *Exports) Start(ctx context.Context, name string, tick, at time.Time) error {
	return s.DB.InTx(ctx, "begin export "+name, func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "exports.start", pg.Tenant, name, tick, at)
		return err
	})
}

// Finish records the outcome of a run of a schedule as it was read. A run that is done is not due again, unless the
// schedule was changed meanwhile.
func (s *Exports) Finish(ctx context.Context, of *outgoing.Stored, r *outgoing.Run) error {
	return s.DB.InTx(ctx, "end export "+r.Name, func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "exports.finish", pg.Tenant, r.Name, r.Tick, r.EndedAt, string(r.State),
			pg.CleanText(r.Error), r.Written, r.Kept, r.Removed, r.Rows, r.Bytes); err != nil {
			return err
		}
		if r.State == outgoing.Done {
			if _, err := pg.Exec(ctx, tx, "exports.done", pg.Tenant, r.Name, r.Tick, of.ChangedAt); err != nil {
				return err
			}
		}
		_, err := pg.Exec(ctx, tx, "exports.forget", pg.Tenant, r.Name, keptRuns)
		return err
	})
}

// Lock takes the lock of a target, on a separate connection. ok is false if another export writes to it. The lock also
// ends with the process.
func (s *Exports) Lock(ctx context.Context, target string) (unlock func(), ok bool, err error) {
	conn, err := s.DB.Pool.Acquire(ctx)
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", target, err)
	}
	if ok, err = pg.Value[bool](ctx, conn, "exports.try_lock", pg.Tenant, target); err != nil || !ok {
		conn.Release()
		if err != nil {
			err = fmt.Errorf("lock %s: %w", target, err)
		}
		return nil, false, err
	}
	return func() {
		// If unlocking fails, closing the connection unlocks.
		ctx := context.WithoutCancel(ctx)
		if released, err := pg.Value[bool](ctx, conn, "exports.unlock", pg.Tenant, target); err != nil || !released {
			_ = conn.Conn().Close(ctx)
		}
		conn.Release()
	}, true, nil
}
