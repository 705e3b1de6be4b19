package figures

import (
	"cmp"
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/waste"
)

// wasteNodes is how many machines' days are held in memory at once.
const wasteNodes = 100

// otherSystems are kinds of workloads that have the same name on several machines.
var otherSystems = map[string]bool{
	ledger.KindSlurmJob: true, ledger.KindSageMakerJob: true, ledger.KindAttempts: true, ledger.KindProcess: true,
}

// wasteDay reads a day of all machines and collects its traces.
func wasteDay(ctx context.Context, tx pgx.Tx, day period.Second) (*waste.Day, error) {
	d := &waste.Day{Day: day, Holders: map[ledger.ID]*waste.Holder{}, Waiting: map[string]bool{}}
	list, err := pg.List[struct {
		Cluster string
		GPUs    int64
		period.Interval
	}](ctx, tx, "waste.waits", pg.Tenant, day)
	if err != nil {
		return nil, err
	}
	var waits []waste.Wait
	for _, w := range list {
		waits, d.Waiting[w.Cluster] = append(waits, waste.Wait{Cluster: w.Cluster, GPUs: w.GPUs, During: w.Interval}), true
	}
	nodes, err := nodesOfDay(ctx, tx, day)
	if err != nil {
		return nil, err
	}
	for len(nodes) > 0 {
		n := min(wasteNodes, len(nodes))
		if err := addNodes(ctx, tx, d, nodes[:n]); err != nil {
			return nil, err
		}
		nodes = nodes[n:]
	}
	d.Finish(waits)
	return d, nil
}

func nodesOfDay(ctx context.Context, tx pgx.Tx, day period.Second) (list []*waste.NodeDay, err error) {
	err = pg.Query(ctx, tx, "waste.nodes", func(rows pgx.Rows) error {
		d := &waste.NodeDay{Day: day}
		n := &d.Node
		var owner *ledger.ID
		if err := rows.Scan(&n.ID, &n.Cluster, &n.Name, &n.Instance, &n.InstanceType, &n.GPUModel, &n.GPUs, &n.Replicas,
			&n.Appeared, &owner, &n.Team); err != nil {
			return err
		}
		if owner != nil {
			n.OwnerID = *owner
		}
		if t, ok := catalog.Lookup(n.InstanceType); ok {
			n.CardBytes = t.MemoryMiB << 20
		}
		list = append(list, d)
		return nil
	}, pg.Tenant, day)
	return list, err
}

// addNodes reads a day of some machines and passes it on.
func addNodes(ctx context.Context, tx pgx.Tx, d *waste.Day, nodes []*waste.NodeDay) error {
	byID := make(map[ledger.ID]*waste.NodeDay, len(nodes))
	named := map[[2]string][]*waste.NodeDay{} // several machines may have shared one name
	var ids []ledger.ID
	var clusters, names []string
	for _, n := range nodes {
		byID[n.Node.ID] = n
		ids = append(ids, n.Node.ID)
		if at := [2]string{n.Node.Cluster, n.Node.Name}; n.Node.Name != "" {
			if named[at] == nil {
				clusters, names = append(clusters, n.Node.Cluster), append(names, n.Node.Name)
			}
			named[at] = append(named[at], n)
		}
	}
	clear(d.Holders)
	for _, read := range []func() error{
		func() error { return wasteHolders(ctx, tx, d, ids, byID) },
		func() error { return wasteSpans(ctx, tx, d.Day, ids, byID) },
		func() error { return wasteRows(ctx, tx, d.Day, ids, byID) },
		func() error { return wasteHours(ctx, tx, d.Day, clusters, names, named) },
		func() error { return wasteCrashes(ctx, tx, d.Day, ids, byID) },
	} {
		if err := read(); err != nil {
			return err
		}
	}
	for _, n := range nodes {
		d.Add(n)
		n.Spans, n.Rows, n.Hours, n.Crash = nil, nil, nil, nil
	}
	return nil
}

func wasteHolders(
	ctx context.Context, tx pgx.Tx, d *waste.Day, ids []ledger.ID, byID map[ledger.ID]*waste.NodeDay,
) error {
	return pg.Query(ctx, tx, "waste.holders", func(rows pgx.Rows) error {
		h := &waste.Holder{}
		var node ledger.ID
		var all, selector *string
		if err := rows.Scan(&h.ID, &node, &h.Cluster, &h.Namespace, &h.Name, &h.Class, &h.Kind, &h.Root, &h.RunID, &h.OwnerID,
			&h.Team, &h.Environment,
			&h.Hold.From, &h.Hold.To, &h.Running, &all, &selector); err != nil {
			return err
		}
		if otherSystems[h.Kind] {
			h.Node = byID[node].Node.Name
		}
		if told := cmp.Or(all, selector); told != nil {
			h.Picks = &waste.Picks{Keys: strings.Fields(*told), All: all != nil}
		}
		d.Holders[h.ID] = h
		return nil
	}, pg.Tenant, d.Day, ids)
}

func wasteSpans(
	ctx context.Context, tx pgx.Tx, day period.Second, ids []ledger.ID, byID map[ledger.ID]*waste.NodeDay,
) error {
	list, err := pg.List[struct {
		NodeID ledger.ID
		waste.Span
	}](ctx, tx, "waste.spans", pg.Tenant, day, ids)
	for _, v := range list {
		n := byID[v.NodeID]
		n.Spans = append(n.Spans, v.Span)
	}
	return err
}

func wasteRows(
	ctx context.Context, tx pgx.Tx, day period.Second, ids []ledger.ID, byID map[ledger.ID]*waste.NodeDay,
) error {
	var last ledger.ID
	return pg.Query(ctx, tx, "waste.rows", func(rows pgx.Rows) error {
		var node, id ledger.ID
		var v waste.Row
		var currency, state *string
		var cost *money.Amount
		if err := rows.Scan(&node, &id, &v.Hour, &v.Slot, &v.Slice, &v.Device, &v.Profile, &v.Holder, &v.Attempt, &v.Cause,
			&v.Active, &v.Quality, &v.Capacity,
			&currency, &state, &cost); err != nil {
			return err
		}
		if currency != nil && cost != nil {
			v.Cost = waste.Money{*currency: {Amount: *cost, State: ledger.State(*state)}}
		}
		n := byID[node]
		if k := len(n.Rows); k > 0 && id == last { // the same row in another currency
			n.Rows[k-1].Cost = n.Rows[k-1].Cost.Add(v.Cost)
			return nil
		}
		n.Rows, last = append(n.Rows, v), id
		return nil
	}, pg.Tenant, day, ids)
}

func wasteHours(
	ctx context.Context, tx pgx.Tx, day period.Second, clusters, names []string, named map[[2]string][]*waste.NodeDay,
) error {
	type hour struct {
		Cluster, Node, Device string
		SliceID               int32
		Hour                  period.Second
		Figures               pg.PgxBytes
	}
	return pg.Each(ctx, tx, "waste.hours", func(r hour) error {
		v := waste.Hour{Hour: r.Hour, Device: r.Device, Slice: r.SliceID, Signals: map[ledger.Signal]waste.Figure{}}
		if strings.HasPrefix(v.Device, ledger.HostDevice+"/") {
			v.Device = ledger.HostDevice
		}
		facts.ReadFigures(r.Figures, func(f *facts.Figures) {
			v.Signals[ledger.Signal(minutes.Names()[f.Code-1])] = waste.Figure{
				Minutes: int64(f.Minutes), Total: f.Total, Low: f.Low, High: f.High, P95: f.P95,
			}
		})
		for _, n := range named[[2]string{r.Cluster, r.Node}] {
			n.Hours = append(n.Hours, v)
		}
		return nil
	}, pg.Tenant, day, clusters, names)
}

func wasteCrashes(
	ctx context.Context, tx pgx.Tx, day period.Second, ids []ledger.ID, byID map[ledger.ID]*waste.NodeDay,
) error {
	list, err := pg.List[struct {
		NodeID, WorkloadID ledger.ID
		Hour               period.Second
		Minutes            int64
	}](ctx, tx, "waste.crashes", pg.Tenant, day, ids)
	for _, v := range list {
		n := byID[v.NodeID]
		n.Crash = append(n.Crash, waste.Crash{Holder: v.WorkloadID, Hour: v.Hour, Minutes: uint64(v.Minutes)})
	}
	return err
}
