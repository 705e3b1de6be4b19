package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// copyLayouts writes the layouts of a machine on a day and what they cost.
func copyLayouts(ctx context.Context, tx pgx.Tx, day period.Second, layouts []analysis.CardLayout, rows []analysis.SliceDay) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"layout_days"}, []string{"tenant_id", "day", "node_id", "slot", "number", "device", "model", "from_at", "to_at", "slice_ids", "profiles",
		"weights", "denominator", "free", "stranded", "held_seconds", "assumed", "compute", "memory", "free_compute", "largest", "dead_compute", "dead_memory", "fragmentation_ppm"},
		pgx.CopyFromSlice(len(layouts), func(i int) ([]any, error) {
			l := &layouts[i]
			return []any{pg.Tenant, day, l.NodeID, l.Slot, l.Number, l.Device, l.Model, l.From, l.To, filled(l.SliceIDs), filled(l.Profiles),
				filled(l.Weights), l.Denominator, l.Free, l.Stranded, filled(l.Held), l.Assumed, l.Compute, l.Memory,
				l.Rest.Compute, l.Rest.Largest, l.Rest.DeadCompute, l.Rest.DeadMemory, l.FragmentationPPM}, nil
		}))
	if err != nil {
		return fmt.Errorf("write layouts: %w", err)
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"slice_days"}, []string{"tenant_id", "day", "node_id", "slot", "number", "slice_id", "owner_id", "class", "namespace", "cause", "state", "currency",
		"effective_cost", "billed_cost", "list_cost", "contracted_cost", "gpu_hours", "capacity_gpu_hours", "active_gpu_hours", "energy_kwh"},
		pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			r := &rows[i]
			values := []any{pg.Tenant, day, r.NodeID, r.Slot, r.Number, nil, r.OwnerID, pg.Known(r.Class), pg.Known(r.Namespace), r.Cause, r.State, pg.Known(r.Currency)}
			if r.SliceID != ledger.WholeDevice {
				values[5] = r.SliceID
			}
			for _, v := range r.Amounts {
				if v == nil {
					values = append(values, nil)
				} else {
					values = append(values, *v)
				}
			}
			return values, nil
		}))
	if err != nil {
		return fmt.Errorf("write days of slices: %w", err)
	}
	return nil
}

// copyPacking writes how a day was packed and could have been.
func copyPacking(ctx context.Context, tx pgx.Tx, day period.Second, days []analysis.PackingDay, cards []analysis.PackingCard) error {
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"packing_days"}, []string{"tenant_id", "day", "cluster", "model", "cards", "fewest", "exact", "stuck_ppm", "free_ppm"},
		pgx.CopyFromSlice(len(days), func(i int) ([]any, error) {
			d := &days[i]
			return []any{pg.Tenant, day, d.Cluster, d.Model, d.Cards, d.Fewest, d.Exact, d.Stuck, d.Free}, nil
		}))
	if err != nil {
		return fmt.Errorf("write packing: %w", err)
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"packing_cards"}, []string{"tenant_id", "day", "cluster", "model", "card", "node_id", "slot", "device", "had", "profiles", "starts"},
		pgx.CopyFromSlice(len(cards), func(i int) ([]any, error) {
			c := &cards[i]
			return []any{pg.Tenant, day, c.Cluster, c.Model, c.Card, c.NodeID, c.Slot, c.Device, filled(c.Had), filled(c.Profiles), filled(c.Starts)}, nil
		}))
	if err != nil {
		return fmt.Errorf("write better layouts: %w", err)
	}
	return nil
}

// filled is a list that is not NULL where it is empty.
func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
