package book

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/fleet"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// ProvisionalHours returns, for nodes with provisional cost or hours that may be billed, the interval from the first to
// the last such hour.
func (s *Book) ProvisionalHours(ctx context.Context, nodes []ledger.ID) (map[ledger.ID]period.Interval, error) {
	out := map[ledger.ID]period.Interval{}
	err := pg.Each(ctx, s.Pool, "double.hours", func(r struct {
		NodeID ledger.ID
		period.Interval
	}) error {
		out[r.NodeID] = r.Interval
		return nil
	}, pg.Tenant, nodes)
	return out, err
}

// SaveDoubles replaces the suspected duplicates in the ledger (docs/rules.md 2.10) with found. The cost is that of the
// cheaper of two machines, or the provisional cost of a machine that no bill names.
func (s *Book) SaveDoubles(ctx context.Context, found []fleet.Double) error {
	var what, clusterA, nameA, clusterB, nameB []string
	var first, second []ledger.ID
	var sides []int32 // how many machines must have cost for a double
	var from, to []period.Second
	for _, d := range found {
		what, from, to = append(what, d.What), append(from, d.During.From), append(to, d.During.To)
		clusterA, nameA = append(clusterA, d.NameA.Cluster), append(nameA, d.NameA.Node)
		clusterB, nameB = append(clusterB, d.NameB.Cluster), append(nameB, d.NameB.Node)
		second = append(second, d.B)
		if d.What == fleet.NeverMet {
			first, sides = append(first, d.B), append(sides, 1)
		} else {
			first, sides = append(first, d.A), append(sides, 2)
		}
	}
	return s.InTx(ctx, "save machines that may be there twice", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "double.forget", pg.Tenant); err != nil || len(found) == 0 {
			return err
		}
		_, err := pg.Exec(ctx, tx, "double.put", pg.Tenant, what, first, second, sides, clusterA, nameA, clusterB, nameB,
			from, to)
		return err
	})
}
