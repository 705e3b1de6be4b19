package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/spot"
)

// SpotFacts reads spot machines with the evidence of how they ended, and the policy's interruption window in seconds.
func (s *Figures) SpotFacts(ctx context.Context) (spot.Facts, int64, error) {
	policies, err := s.Policies(ctx)
	if err != nil {
		return spot.Facts{}, 0, err
	}
	w := &posting.World{}
	f := spot.Facts{Observed: map[string]period.Second{}}
	err = pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(tx pgx.Tx) error {
			if err := book.ReadEvents(ctx, tx, w); err != nil {
				return err
			}
			if err := book.ReadSources(ctx, tx, w); err != nil {
				return err
			}
			f.Machines, err = pg.List[spot.Machine](ctx, tx, "spot.machines", pg.Tenant)
			return err
		})
	if err != nil {
		return spot.Facts{}, 0, fmt.Errorf("read spot machines: %w", err)
	}
	f.Events = w.Events
	for _, h := range w.Sources {
		f.Observed[h.Cluster] = max(f.Observed[h.Cluster], h.Last())
	}
	return f, policies.World().InterruptionWindow, nil
}

// SaveInterruptions replaces the stored interruptions and the workloads that they hit; unchanged rows are not
// written.
func (s *Figures) SaveInterruptions(ctx context.Context, list []spot.Interruption) (int64, error) {
	nodes, at, warned := make([]string, len(list)), make([]int64, len(list)), make([]int64, len(list))
	for i, x := range list {
		nodes[i], at[i], warned[i] = x.Node.String(), int64(x.At), int64(x.Warned)
	}
	var rows int64
	err := pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		for _, name := range []string{"spot.forget", "spot.put"} {
			n, err := pg.Exec(ctx, tx, name, pg.Tenant, nodes, at, warned)
			if err != nil {
				return err
			}
			rows += n
		}
		return saveHits(ctx, tx)
	})
	if err != nil {
		return 0, fmt.Errorf("save interruptions: %w", err)
	}
	return rows, nil
}

// saveHits computes the workloads that the stored interruptions hit.
func saveHits(ctx context.Context, tx pgx.Tx) error {
	ended, err := pg.List[spot.Ended](ctx, tx, "spot.ended", pg.Tenant)
	if err != nil {
		return err
	}
	ids := make([]ledger.ID, len(ended))
	for i := range ended {
		ids[i] = ended[i].Attempt
	}
	attempts, err := pg.List[spot.Attempt](ctx, tx, "spot.attempts", pg.Tenant, ids)
	if err != nil {
		return err
	}
	var nodes, hit []ledger.ID
	var seconds []*int64
	for _, h := range spot.Hits(ended, attempts) {
		nodes, hit, seconds = append(nodes, h.Node), append(hit, h.Attempt), append(seconds, h.Recovery)
	}
	for _, name := range []string{"spot.forget_hits", "spot.put_hits"} {
		if _, err := pg.Exec(ctx, tx, name, pg.Tenant, nodes, hit, seconds); err != nil {
			return err
		}
	}
	return nil
}
