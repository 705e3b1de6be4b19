package verify

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
)

// besideWait bounds the wait for a second connection, whose holder may be waiting for this proof to end.
const besideWait = time.Second

// proof is a pass over invariants by several transactions with the same snapshot.
type proof struct {
	list   []invariant
	taken  atomic.Int64
	checks []Check
}

// prove checks invariants as of one instant, two at a time if the pool has a second connection to spare.
func (s *Verifier) prove(ctx context.Context, list []invariant) (*Report, error) {
	p := &proof{list: list, checks: make([]Check, len(list))}
	seen := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.Pool, seen, func(tx pgx.Tx) error {
		snapshot, err := pg.Value[string](ctx, tx, "verify.snapshot")
		if err != nil {
			return err
		}
		group, ctx := errgroup.WithContext(ctx)
		group.Go(func() error { return p.work(ctx, tx) })
		group.Go(func() error {
			wait, cancel := context.WithTimeout(ctx, besideWait)
			defer cancel()
			conn, err := s.Pool.Acquire(wait)
			if errors.Is(err, context.DeadlineExceeded) {
				return nil // then prove alone
			}
			if err != nil {
				return fmt.Errorf("connect: %w", err)
			}
			defer conn.Release()
			return pgx.BeginTxFunc(ctx, conn, seen, func(beside pgx.Tx) error {
				if _, err := beside.Exec(ctx, "set transaction snapshot "+book.QuoteText(snapshot)); err != nil {
					return fmt.Errorf("see the same: %w", err)
				}
				return p.work(ctx, beside)
			})
		})
		return group.Wait()
	})
	return &Report{Checks: p.checks}, err
}

// work takes invariants one by one, from the last to the first: those over whole facts are far down the list, and
// short ones fill the time at the end.
func (p *proof) work(ctx context.Context, tx pgx.Tx) error {
	if _, err := pg.Exec(ctx, tx, "verify.settings"); err != nil {
		return err
	}
	for {
		i := len(p.list) - int(p.taken.Add(1))
		if i < 0 {
			return nil
		}
		in := &p.list[i]
		start := time.Now()
		rows, err := in.Find(ctx, tx)
		if err != nil {
			return fmt.Errorf("check %q: %w", in.Name, err)
		}
		c := Check{Name: in.Name, Meaning: in.Meaning, State: CheckPassed, Rows: rows, Seconds: time.Since(start).Seconds()}
		if len(rows) > 0 {
			c.State = in.Bad
		}
		p.checks[i] = c
	}
}
