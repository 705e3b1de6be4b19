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
	"gpuledger/internal/star"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/packing"
)

// makeLayouts computes, machine by machine, how MIG cards were partitioned on a day, what their slices cost and how
// they could have been packed.
func makeLayouts(ctx context.Context, tx pgx.Tx, day period.Second, add func(*star.Fact, row)) error {
	nodes, err := slicedNodes(ctx, tx, day)
	if err != nil {
		return err
	}
	policies, err := book.PoliciesOf(ctx, tx)
	if err != nil {
		return err
	}
	gone, err := minutesGone(ctx, tx, day)
	if err != nil {
		return err
	}
	work := analysis.NewLayoutDay(period.DayOf(day))
	for i := range nodes {
		n, err := readSliced(ctx, tx, &nodes[i], day, gone)
		if err != nil {
			return fmt.Errorf("machine %s: %w", nodes[i].Name, err)
		}
		about := policy.Node{
			Cluster: nodes[i].Cluster, Name: nodes[i].Name, InstanceType: nodes[i].InstanceType, GPUModel: nodes[i].GPUModel,
		}
		n.Policy = policies.For(about, day)
		layouts, rows, err := work.Node(n)
		if err != nil {
			return err
		}
		for i := range layouts {
			add(&star.Layout, layoutRow(&layouts[i]))
		}
		for i := range rows {
			add(&star.Slice, sliceRow(&rows[i]))
		}
	}
	if err := readFree(ctx, tx, day, work); err != nil {
		return err
	}
	days, cards := work.Finish()
	for _, d := range days {
		add(&star.Packing, row{"cluster": d.Cluster, "model": d.Model, "cards": d.Cards, "fewest": d.Fewest, "exact": d.Exact,
			"stuck_ppm": d.Stuck, "free_ppm": d.Free})
	}
	for _, c := range cards {
		add(&star.PackingCard, row{"cluster": c.Cluster, "model": c.Model, "card": c.Card, "node_id": c.NodeID,
			"slot": c.Slot, "device": c.Device,
			"had": filled(c.Had), "profiles": filled(c.Profiles), "starts": filled(c.Starts)})
	}
	return nil
}

func layoutRow(l *analysis.CardLayout) row {
	return row{"node_id": l.NodeID, "slot": l.Slot, "number": l.Number, "device": l.Device, "model": l.Model,
		"from_at": l.From.String(), "to_at": l.To.String(), "slice_ids": filled(l.SliceIDs), "profiles": filled(l.Profiles),
		"weights": filled(l.Weights), "denominator": l.Denominator,
		"free": l.Free, "stranded": l.Stranded, "held_seconds": filled(l.Held),
		"assumed": l.Assumed, "compute": l.Compute, "memory": l.Memory,
		"free_compute": l.Rest.Compute, "largest": l.Rest.Largest,
		"dead_compute": l.Rest.DeadCompute, "dead_memory": l.Rest.DeadMemory, "fragmentation_ppm": l.FragmentationPPM}
}

func sliceRow(s *analysis.SliceDay) row {
	r := row{"node_id": s.NodeID, "slot": s.Slot, "number": s.Number, "owner_id": s.OwnerID,
		"workload_class": pg.Known(s.Class),
		"namespace":      pg.Known(s.Namespace), "cause": s.Cause, "state": s.State, "currency": pg.Known(s.Currency)}
	if s.SliceID != ledger.WholeDevice {
		r["slice_id"] = s.SliceID
	}
	for i, m := range star.Slice.Measures { // in the order of the amounts in analysis
		r[m.Name] = s.Amounts[i]
	}
	return r
}

// filled turns a nil list into an empty one, which is not NULL in the database.
func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// slicedNodes are the machines with MIG cards that have a chunk on the day.
func slicedNodes(ctx context.Context, tx pgx.Tx, day period.Second) ([]ledger.Node, error) {
	list, err := pg.List[struct {
		ID                                                ledger.ID
		Cluster, Name, ProviderID, InstanceType, GPUModel string
		GPUs, Replicas                                    int
		period.Interval
	}](ctx, tx, "layouts.machines", pg.Tenant, day)
	nodes := make([]ledger.Node, len(list))
	for i, n := range list {
		nodes[i] = ledger.Node{ID: n.ID, Cluster: n.Cluster, Name: n.Name, ProviderID: n.ProviderID,
			InstanceType: n.InstanceType,
			GPUModel:     n.GPUModel, GPUs: n.GPUs, Replicas: n.Replicas, Life: n.Interval}
	}
	return nodes, err
}

// readSliced reads a machine's day; gone: its minutes are no longer stored.
func readSliced(
	ctx context.Context, tx pgx.Tx, node *ledger.Node, day period.Second, gone bool,
) (*analysis.SlicedNode, error) {
	n := &analysis.SlicedNode{}
	n.Input.Node, n.Day.Day = *node, period.DayOf(day)
	err := readAll(ctx, tx, "layouts.devices", pg.Collect(&n.Input.Devices, func(rows pgx.Rows, d *ledger.Device) error {
		return rows.Scan(&d.UUID, &d.Index, &d.Model, &d.First, &d.Last, &d.InMIG)
	}), pg.Tenant, node.Cluster, node.Name)
	if err != nil {
		return nil, err
	}
	if gone {
		n.Kept, err = keptLayouts(ctx, tx, node.ID, day)
	} else {
		err = readSamples(ctx, tx, n)
	}
	if err != nil {
		return nil, err
	}
	if n.Spans, err = pg.List[ledger.Span](ctx, tx, "layouts.spans", pg.Tenant, node.ID, day); err != nil {
		return nil, err
	}
	err = readAll(ctx, tx, "layouts.rows", pg.Collect(&n.Rows, func(rows pgx.Rows, r *analysis.SlotRow) error {
		into := []any{
			&r.Hour, &r.Slot, &r.SliceID, &r.Workload, &r.Attempt, &r.OwnerID,
			&r.Class, &r.Namespace, &r.Cause, &r.State, &r.Currency,
		}
		for i := range r.Amounts {
			into = append(into, &r.Amounts[i])
		}
		return rows.Scan(into...)
	}), pg.Tenant, node.ID, day)
	return n, err
}

// readSamples reads a machine's samples of a day, and those around it.
func readSamples(ctx context.Context, tx pgx.Tx, n *analysis.SlicedNode) error {
	node, day := &n.Input.Node, n.Day.Day
	life := book.HoursOf(node, node.Life)
	for _, part := range []struct {
		name  string
		hours period.Interval
		to    *[]ledger.SampleHour
	}{
		{"day.samples", book.HoursOf(node, day), &n.Day.Samples},
		{"day.before", period.Interval{From: life.From, To: min(day.From, life.To)}, &n.Day.Before},
		{"day.after", period.Interval{From: max(day.To, life.From), To: life.To}, &n.Day.After},
	} {
		if part.hours.Empty() {
			continue
		}
		err := readAll(ctx, tx, part.name, book.CollectSamples(node.Cluster, part.to), pg.Tenant, node.Cluster, node.Name,
			part.hours.From, part.hours.To)
		if err != nil {
			return err
		}
	}
	n.Day.After = book.WithoutDevices(n.Day.After, n.Day.Samples, n.Day.Before)
	return nil
}

// keptLayouts are the layouts of a machine that were stored while the samples of the day still existed.
func keptLayouts(ctx context.Context, tx pgx.Tx, node ledger.ID, day period.Second) ([]analysis.CardLayout, error) {
	list := []analysis.CardLayout{}
	err := readAll(ctx, tx, "layouts.kept", pg.Collect(&list, func(rows pgx.Rows, l *analysis.CardLayout) error {
		var r mig.Rest
		l.NodeID, l.InMIG = node, true // only those in MIG mode are stored
		err := rows.Scan(&l.Slot, &l.Number, &l.Device, &l.Model, &l.From, &l.To, &l.SliceIDs, &l.Profiles, &l.Weights,
			&l.Denominator, &l.Free, &l.Stranded, &l.Assumed,
			&l.Compute, &l.Memory, &r.Compute, &r.Largest, &r.DeadCompute, &r.DeadMemory, &l.FragmentationPPM)
		l.Rest = r
		return err
	}), pg.Tenant, node, day)
	return list, err
}

// readFree reads the free capacity at the full hours of a day, and the holders.
func readFree(ctx context.Context, tx pgx.Tx, day period.Second, work *analysis.LayoutDay) error {
	held, err := pg.List[struct {
		analysis.Group
		GPUs, Count int64
	}](ctx, tx, "layouts.tasks", pg.Tenant, day)
	if err != nil {
		return err
	}
	tasks := map[analysis.Group][]packing.Task{}
	for _, t := range held {
		tasks[t.Group] = append(tasks[t.Group], packing.Task{GPUs: t.GPUs, Count: t.Count})
	}
	type instant struct {
		analysis.Group
		At period.Second
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
	type slot struct {
		instant
		NodeID ledger.ID
		PPM    int64
	}
	err = pg.Each(ctx, tx, "layouts.free", func(next slot) error {
		if next.instant != now {
			flush()
			now = next.instant
		}
		if next.NodeID != last {
			nodes, last = append(nodes, packing.Node{}), next.NodeID
		}
		n := &nodes[len(nodes)-1]
		n.Free = append(n.Free, next.PPM)
		return nil
	}, pg.Tenant, day)
	flush()
	return err
}

// readAll passes all rows of a statement to a collector.
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
