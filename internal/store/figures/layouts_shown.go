package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// ShowLayouts replaces the layouts that are shown by what show makes of the days
// of each group.
func (s *Figures) ShowLayouts(ctx context.Context, show func(analysis.Group, []analysis.PackedDay) []analysis.ShownCard) (int64, error) {
	var cards []analysis.ShownCard
	err := s.InTx(ctx, "show better layouts", func(tx pgx.Tx) error {
		var group analysis.Group
		var days []analysis.PackedDay
		err := pg.Query(ctx, tx, "layouts.packed", func(rows pgx.Rows) error {
			var g analysis.Group
			var d analysis.PackedDay
			var node *ledger.ID
			var slot *int32
			var device *string
			var c analysis.PackingCard
			if err := rows.Scan(&g.Cluster, &g.Model, &d.Day, &d.Cards, &node, &slot, &device, &c.Had, &c.Profiles); err != nil {
				return err
			}
			if g != group {
				cards = append(cards, show(group, days)...)
				group, days = g, nil
			}
			if n := len(days); n == 0 || days[n-1].Day != d.Day {
				days = append(days, d)
			}
			if node != nil {
				c.NodeID, c.Slot, c.Device = *node, *slot, *device
				days[len(days)-1].Packed = append(days[len(days)-1].Packed, c)
			}
			return nil
		}, pg.Tenant)
		if err != nil {
			return err
		}
		cards = append(cards, show(group, days)...)
		if _, err := pg.Exec(ctx, tx, "layouts.forget_shown", pg.Tenant); err != nil {
			return err
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"shown_layouts"}, []string{"tenant_id", "day", "cluster", "model", "card", "node_id", "slot", "device", "had", "profiles", "starts", "action"},
			pgx.CopyFromSlice(len(cards), func(i int) ([]any, error) {
				c := &cards[i]
				return []any{pg.Tenant, c.Day, c.Cluster, c.Model, c.Card, c.NodeID, c.Slot, c.Device, filled(c.Had), filled(c.Profiles), filled(c.Starts), c.Action}, nil
			}))
		if err != nil {
			return fmt.Errorf("write layouts that are shown: %w", err)
		}
		return nil
	})
	return int64(len(cards)), err
}
