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

// ShowLayouts replaces the better layouts shown with those that show computes from the days of each group.
func (s *Figures) ShowLayouts(
	ctx context.Context, show func(analysis.Group, []analysis.PackedDay) []analysis.ShownCard,
) (int64, error) {
	var cards []analysis.ShownCard
	err := s.InTx(ctx, "show better layouts", func(tx pgx.Tx) error {
		var group analysis.Group
		var days []analysis.PackedDay
		type card struct {
			analysis.Group
			Day           period.Second
			Cards         int32
			NodeID        ledger.ID
			Slot          int32
			Device        string
			Had, Profiles []string
		}
		err := pg.Each(ctx, tx, "layouts.packed", func(c card) error {
			if c.Group != group {
				cards = append(cards, show(group, days)...)
				group, days = c.Group, nil
			}
			if n := len(days); n == 0 || days[n-1].Day != c.Day {
				days = append(days, analysis.PackedDay{Day: c.Day, Cards: c.Cards})
			}
			if d := &days[len(days)-1]; !c.NodeID.IsZero() {
				d.Packed = append(d.Packed, analysis.PackingCard{
					NodeID: c.NodeID, Slot: c.Slot, Device: c.Device, Had: c.Had, Profiles: c.Profiles,
				})
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
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"shown_layouts"},
			[]string{
				"tenant_id", "day", "cluster", "model", "card", "node_id", "slot", "device", "had", "profiles", "starts", "action",
			},
			pgx.CopyFromSlice(len(cards), func(i int) ([]any, error) {
				c := &cards[i]
				return []any{
					pg.Tenant, c.Day, c.Cluster, c.Model, c.Card, c.NodeID, c.Slot,
					c.Device, filled(c.Had), filled(c.Profiles), filled(c.Starts), c.Action,
				}, nil
			}))
		if err != nil {
			return fmt.Errorf("write layouts that are shown: %w", err)
		}
		return nil
	})
	return int64(len(cards)), err
}
