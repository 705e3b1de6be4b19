package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/spot"
)

// SpotFacts reads spot machines and what is known of their ends, and the
// interruption window of the policy in seconds.
func (s *Figures) SpotFacts(ctx context.Context) (spot.Facts, int64, error) {
	policies, err := s.Policies(ctx)
	if err != nil {
		return spot.Facts{}, 0, err
	}
	w := &posting.World{}
	f := spot.Facts{Observed: map[string]period.Second{}}
	err = pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if err := book.ReadEvents(ctx, tx, w); err != nil {
			return err
		}
		if err := book.ReadSources(ctx, tx, w); err != nil {
			return err
		}
		return pg.Query(ctx, tx, "spot.machines", func(rows pgx.Rows) error {
			var m spot.Machine
			err := rows.Scan(&m.Node, &m.Cluster, &m.Name, &m.ProviderID, &m.InstanceID, &m.GoneAt)
			f.Machines = append(f.Machines, m)
			return err
		}, pg.Tenant)
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

// SaveInterruptions replaces the interruptions that are stored; rows that stay
// the same are left alone.
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
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("save interruptions: %w", err)
	}
	return rows, nil
}
