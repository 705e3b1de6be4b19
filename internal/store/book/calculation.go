package book

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
)

// silence is after how many seconds without a sign of life a planner counts as stopped or cut off. jobs gives a sign
// every two seconds.
const silence = 15

// Lock takes the tenant's allocation lock on a separate connection, waiting until ctx ends. The lock also ends with the
// process, and it is taken from a planner that gives no sign of life.
func (s *Book) Lock(ctx context.Context) (unlock func(), err error) {
	conn, err := s.Pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("allocation lock: %w", err)
	}
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		locked, err := pg.Value[bool](ctx, conn, "calculation.try_lock", pg.Tenant)
		if err == nil && !locked && wait > 500*time.Millisecond {
			_, err = conn.Exec(ctx, pg.Statement("calculation.evict"), pg.Tenant, silence, workerSilence)
		}
		if err != nil {
			conn.Release()
			return nil, fmt.Errorf("allocation lock: %w", err)
		}
		if locked {
			break
		}
		select {
		case <-ctx.Done():
			conn.Release()
			return nil, fmt.Errorf("allocation lock: %w", ctx.Err())
		case <-time.After(wait):
		}
	}
	return func() {
		// If unlocking fails, closing the connection unlocks.
		if _, err := conn.Exec(context.WithoutCancel(ctx), pg.Statement("calculation.unlock"), pg.Tenant); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx))
		}
		conn.Release()
	}, nil
}

// NewestMark returns the newest mark. Data read after this call is at least as new as the changes that this mark and
// earlier ones announce.
func (s *Book) NewestMark(ctx context.Context) (int64, error) {
	return pg.Value[int64](ctx, s.Pool, "calculation.mark", pg.Tenant)
}

// StartCalculation ends all other calculations, completes work that a dead import or calculation left (statistics of
// facts, indexes of months), and records the new calculation with its inputs.
func (s *Book) StartCalculation(ctx context.Context, c posting.Calculation, policyVersion string) error {
	if err := errors.Join(s.Refresh(ctx, facts.FactStatistics), s.IndexMonths(ctx)); err != nil {
		return err
	}
	return s.InTx(ctx, "record calculation", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "calculation.end_others", pg.Tenant, c.ID, pg.Now()); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "workers.drop_batches", pg.Tenant, c.ID); err != nil {
			return err
		}
		_, err := pg.Exec(ctx, tx, "calculation.start", pg.Tenant, c.ID, policyVersion, c.Mark, pg.Now())
		return err
	})
}

// KeepCalculation gives a sign of life. It returns posting.ErrTakenOver if the calculation has ended.
func (s *Book) KeepCalculation(ctx context.Context, id ledger.ID) error {
	tag, err := s.Pool.Exec(ctx, pg.Statement("calculation.keep"), pg.Tenant, id)
	if err != nil {
		return fmt.Errorf("calculation.keep: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return posting.ErrTakenOver
	}
	return nil
}

// FinishCalculation indexes the months that Prepare left without indexes and records the end; message says why the
// calculation did not finish, empty if it did. It returns posting.ErrTakenOver if the calculation had already ended.
func (s *Book) FinishCalculation(ctx context.Context, id ledger.ID, chunks int, message string) error {
	return errors.Join(s.IndexMonths(ctx), s.InTx(ctx, "record calculation", func(tx pgx.Tx) error {
		n, err := pg.Exec(ctx, tx, "calculation.finish", pg.Tenant, id, pg.Now(), chunks, message)
		if err == nil && n == 0 {
			err = posting.ErrTakenOver
		}
		return err
	}))
}

// Dirty lists the node-days to recompute inside [from, to), by node and ascending day; zero bounds are open.
func (s *Book) Dirty(ctx context.Context, within period.Interval) ([]posting.DirtyNode, error) {
	return s.nodeDays(ctx, "dirty.list", within)
}

// Work lists the node-days for a calculation inside [from, to), by node and ascending day; zero bounds are open.
func (s *Book) Work(ctx context.Context, c posting.Calculation, within period.Interval) ([]posting.DirtyNode, error) {
	return s.nodeDays(ctx, "dirty.work", within, c.Mark, c.ID)
}

// nodeDays reads node-days in the order of nodes.
func (s *Book) nodeDays(
	ctx context.Context, name string, within period.Interval, more ...any,
) ([]posting.DirtyNode, error) {
	var list []posting.DirtyNode
	err := pg.Each(ctx, s.Pool, name, func(r struct {
		NodeID ledger.ID
		Day    period.Second
		Mark   int64
	}) error {
		if len(list) == 0 || list[len(list)-1].NodeID != r.NodeID {
			list = append(list, posting.DirtyNode{NodeID: r.NodeID})
		}
		last := &list[len(list)-1]
		last.Days = append(last.Days, period.DayOf(r.Day))
		last.Mark = max(last.Mark, r.Mark)
		return nil
	}, append([]any{pg.Tenant, openBound(within.From), openBound(within.To)}, more...)...)
	return list, err
}
