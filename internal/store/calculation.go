package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/jobs"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Lock takes the tenant's allocation lock on a connection of its own, waiting
// until ctx ends. The lock ends with the process too.
func (s *Store) Lock(ctx context.Context) (unlock func(), err error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("allocation lock: %w", err)
	}
	if _, err := conn.Exec(ctx, statement("calculation.lock"), tenant); err != nil {
		conn.Release()
		return nil, fmt.Errorf("allocation lock: %w", err)
	}
	return func() {
		// A connection that cannot unlock is closed, which unlocks as well.
		if _, err := conn.Exec(context.WithoutCancel(ctx), statement("calculation.unlock"), tenant); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx))
		}
		conn.Release()
	}, nil
}

// StartCalculation records a calculation, and indexes the months that one that
// died left without.
func (s *Store) StartCalculation(ctx context.Context, id ledger.ID, policyVersion string) error {
	if err := s.indexMonths(ctx); err != nil {
		return err
	}
	return s.inTx(ctx, "record calculation", func(tx pgx.Tx) error {
		_, err := exec(ctx, tx, "calculation.start", tenant, id, policyVersion, now())
		return err
	})
}

// FinishCalculation indexes the months that Prepare left without and records
// the end; message says why it did not finish, else it is empty.
func (s *Store) FinishCalculation(ctx context.Context, id ledger.ID, chunks int, message string) error {
	return errors.Join(s.indexMonths(ctx), s.inTx(ctx, "record calculation", func(tx pgx.Tx) error {
		_, err := exec(ctx, tx, "calculation.finish", tenant, id, now(), chunks, message)
		return err
	}))
}

// Dirty lists what must be recomputed inside [from, to), node by node with
// days ascending; zero bounds are open.
func (s *Store) Dirty(ctx context.Context, within period.Interval) ([]jobs.DirtyNode, error) {
	return s.nodeDays(ctx, "dirty.list", within)
}

// nodeDays reads node-days in the order of nodes.
func (s *Store) nodeDays(ctx context.Context, name string, within period.Interval) ([]jobs.DirtyNode, error) {
	var list []jobs.DirtyNode
	err := query(ctx, s.pool, name, func(rows pgx.Rows) error {
		var node ledger.ID
		var day period.Second
		var mark int64
		if err := rows.Scan(&node, &day, &mark); err != nil {
			return err
		}
		if len(list) == 0 || list[len(list)-1].NodeID != node {
			list = append(list, jobs.DirtyNode{NodeID: node})
		}
		last := &list[len(list)-1]
		last.Days = append(last.Days, period.DayOf(day))
		last.Mark = max(last.Mark, mark)
		return nil
	}, tenant, openBound(within.From), openBound(within.To))
	return list, err
}
