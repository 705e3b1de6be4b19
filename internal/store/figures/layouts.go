package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation/policy"
	"gpuledger/internal/analysis"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/packing"
)

// LayoutDay works out one day of layouts anew, machine by machine.
func (s *Figures) LayoutDay(ctx context.Context, step string, day period.Second, work *analysis.LayoutDay) (written int64, err error) {
	for _, table := range []string{"layout_days", "slice_days"} {
		if err := s.EnsureMonths(ctx, table, pg.MonthsOf(day)); err != nil {
			return 0, err
		}
	}
	book, err := s.Policies(ctx)
	if err != nil {
		return 0, err
	}
	dropped, _, err := s.SampleState(ctx)
	if err != nil {
		return 0, err
	}
	err = s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		nodes, err := slicedNodes(ctx, tx, day)
		if err != nil {
			return err
		}
		kept := map[ledger.ID][]analysis.CardLayout{}
		for i := range nodes {
			if day < dropped {
				if kept[nodes[i].ID], err = keptLayouts(ctx, tx, nodes[i].ID, day); err != nil {
					return err
				}
			}
		}
		for _, name := range []string{"layouts.forget_layout_days", "layouts.forget_slice_days", "layouts.forget_packing_days", "layouts.forget_packing_cards"} {
			if _, err := pg.Exec(ctx, tx, name, pg.Tenant, day); err != nil {
				return err
			}
		}
		for i := range nodes {
			n, err := readSliced(ctx, tx, &nodes[i], day, kept[nodes[i].ID])
			if err != nil {
				return fmt.Errorf("machine %s: %w", nodes[i].Name, err)
			}
			about := policy.Node{Cluster: nodes[i].Cluster, Name: nodes[i].Name, InstanceType: nodes[i].InstanceType, GPUModel: nodes[i].GPUModel}
			n.Policy = book.For(about, day)
			layouts, rows, err := work.Node(n)
			if err != nil {
				return err
			}
			if err := copyLayouts(ctx, tx, day, layouts, rows); err != nil {
				return err
			}
			written += int64(len(layouts) + len(rows))
		}
		if err := readFree(ctx, tx, day, work); err != nil {
			return err
		}
		days, cards := work.Finish()
		written += int64(len(days) + len(cards))
		return copyPacking(ctx, tx, day, days, cards)
	})
	return written, err
}

// slicedNodes are the machines with MIG cards that have a chunk of the day.
func slicedNodes(ctx context.Context, tx pgx.Tx, day period.Second) ([]ledger.Node, error) {
	var nodes []ledger.Node
	err := readAll(ctx, tx, "layouts.machines", pg.Collect(&nodes, func(rows pgx.Rows, n *ledger.Node) error {
		return rows.Scan(&n.ID, &n.Cluster, &n.Name, &n.ProviderID, &n.InstanceType, &n.GPUModel, &n.GPUs, &n.Replicas, &n.Life.From, &n.Life.To)
	}), pg.Tenant, day)
	return nodes, err
}

// readSliced reads what is known of a machine on a day.
func readSliced(ctx context.Context, tx pgx.Tx, node *ledger.Node, day period.Second, kept []analysis.CardLayout) (*analysis.SlicedNode, error) {
	n := &analysis.SlicedNode{Kept: kept}
	n.Input.Node, n.Day.Day = *node, period.DayOf(day)
	err := readAll(ctx, tx, "layouts.devices", pg.Collect(&n.Input.Devices, func(rows pgx.Rows, d *ledger.Device) error {
		return rows.Scan(&d.UUID, &d.Index, &d.Model, &d.First, &d.Last, &d.InMIG)
	}), pg.Tenant, node.Cluster, node.Name)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		life := book.HoursOf(node, node.Life)
		for _, part := range []struct {
			name  string
			hours period.Interval
			to    *[]ledger.SampleHour
		}{
			{"day.samples", book.HoursOf(node, n.Day.Day), &n.Day.Samples},
			{"day.before", period.Interval{From: life.From, To: min(n.Day.Day.From, life.To)}, &n.Day.Before},
			{"day.after", period.Interval{From: max(n.Day.Day.To, life.From), To: life.To}, &n.Day.After},
		} {
			if part.hours.Empty() {
				continue
			}
			if err := readAll(ctx, tx, part.name, book.CollectSamples(node.Cluster, part.to), pg.Tenant, node.Cluster, node.Name, part.hours.From, part.hours.To); err != nil {
				return nil, err
			}
		}
		n.Day.After = book.WithoutDevices(n.Day.After, n.Day.Samples, n.Day.Before)
	}
	err = readAll(ctx, tx, "layouts.spans", pg.Collect(&n.Spans, func(rows pgx.Rows, v *ledger.Span) error {
		return rows.Scan(&v.Slot, &v.SliceID, &v.WorkloadID, &v.AttemptID, &v.Cause, &v.From, &v.To)
	}), pg.Tenant, node.ID, day)
	if err != nil {
		return nil, err
	}
	err = readAll(ctx, tx, "layouts.rows", pg.Collect(&n.Rows, func(rows pgx.Rows, r *analysis.SlotRow) error {
		into := []any{&r.Hour, &r.Slot, &r.SliceID, &r.Workload, &r.Attempt, &r.OwnerID, &r.Class, &r.Namespace, &r.Cause, &r.State, &r.Currency}
		for i := range r.Amounts {
			into = append(into, &r.Amounts[i])
		}
		return rows.Scan(into...)
	}), pg.Tenant, node.ID, day)
	return n, err
}

// keptLayouts are the layouts of a machine that were stored when the samples of
// the day were still there.
func keptLayouts(ctx context.Context, tx pgx.Tx, node ledger.ID, day period.Second) ([]analysis.CardLayout, error) {
	list := []analysis.CardLayout{}
	err := readAll(ctx, tx, "layouts.kept", pg.Collect(&list, func(rows pgx.Rows, l *analysis.CardLayout) error {
		var r mig.Rest
		l.NodeID, l.InMIG = node, true // others are not stored
		err := rows.Scan(&l.Slot, &l.Number, &l.Device, &l.Model, &l.From, &l.To, &l.SliceIDs, &l.Profiles, &l.Weights, &l.Denominator, &l.Free, &l.Stranded, &l.Assumed,
			&l.Compute, &l.Memory, &r.Compute, &r.Largest, &r.DeadCompute, &r.DeadMemory, &l.FragmentationPPM)
		l.Rest = r
		return err
	}), pg.Tenant, node, day)
	return list, err
}

// readFree tells what was free at the full hours of a day, and who held.
func readFree(ctx context.Context, tx pgx.Tx, day period.Second, work *analysis.LayoutDay) error {
	tasks := map[analysis.Group][]packing.Task{}
	err := pg.Query(ctx, tx, "layouts.tasks", func(rows pgx.Rows) error {
		var g analysis.Group
		var t packing.Task
		err := rows.Scan(&g.Cluster, &g.Model, &t.GPUs, &t.Count)
		tasks[g] = append(tasks[g], t)
		return err
	}, pg.Tenant, day)
	if err != nil {
		return err
	}
	type instant struct {
		analysis.Group
		at period.Second
	}
	var now instant
	var nodes []packing.Node
	var last ledger.ID
	flush := func() {
		if len(nodes) > 0 {
			work.Free(now.Group, nodes, tasks[now.Group])
		}
		nodes, last = nil, ledger.ID{}
	}
	err = pg.Query(ctx, tx, "layouts.free", func(rows pgx.Rows) error {
		var next instant
		var node ledger.ID
		var slot, ppm int64
		if err := rows.Scan(&next.Cluster, &next.Model, &next.at, &node, &slot, &ppm); err != nil {
			return err
		}
		if next != now {
			flush()
			now = next
		}
		if node != last {
			nodes, last = append(nodes, packing.Node{}), node
		}
		n := &nodes[len(nodes)-1]
		n.Free = append(n.Free, ppm)
		return nil
	}, pg.Tenant, day)
	flush()
	return err
}

// readAll gives all rows of a statement to a collector.
func readAll(ctx context.Context, tx pgx.Tx, name string, all func(pgx.Rows) error, args ...any) error {
	rows, err := tx.Query(ctx, pg.Statement(name), args...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer rows.Close()
	if err := all(rows); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
