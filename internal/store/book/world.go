package book

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/pg"
)

// World reads all facts that runs, nodes and attempts are derived from, as of
// one instant.
func (s *Book) World(ctx context.Context) (*posting.World, error) {
	w := &posting.World{
		NodeSamples: map[posting.ClusterNode]period.Interval{},
		Devices:     map[posting.ClusterNode][]ledger.Device{},
		Said:        map[posting.ClusterNode][]ledger.Device{},
	}
	opt := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.Pool, opt, func(tx pgx.Tx) error {
		for _, read := range []func(context.Context, pgx.Tx, *posting.World) error{
			facts.ReadNodeFacts, readDevices, readStretches, readDeviceFacts, readWorkloads, readObjects, readPlacements, facts.ReadSegments, readWorkloadEvents, readCheckpoints, ReadEvents, ReadSources, readBilled,
		} {
			if err := read(ctx, tx, w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
	return w, nil
}

func readDevices(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.devices", func(rows pgx.Rows) error {
		var at posting.ClusterNode
		var d ledger.Device
		var seen period.Interval
		if err := rows.Scan(&at.Cluster, &at.Name, &d.UUID, &d.Index, &d.Model, &d.First, &d.Last, &d.InMIG, &seen.From, &seen.To); err != nil {
			return err
		}
		seen.To++ // the last sample's second belongs to the interval
		w.Devices[at] = append(w.Devices[at], d)
		if old, ok := w.NodeSamples[at]; ok {
			seen = period.Interval{From: min(seen.From, old.From), To: max(seen.To, old.To)}
		}
		w.NodeSamples[at] = seen
		return nil
	}, pg.Tenant)
}

// readStretches adds to a world when the exporter of each machine sampled it.
func readStretches(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	w.Stretches = map[posting.ClusterNode][]period.Interval{}
	return pg.Query(ctx, tx, "world.stretches", func(rows pgx.Rows) error {
		var at posting.ClusterNode
		var seen period.Interval
		err := rows.Scan(&at.Cluster, &at.Name, &seen.From, &seen.To)
		seen.To++ // the last sample's second belongs to the interval
		w.Stretches[at] = append(w.Stretches[at], seen)
		return err
	}, pg.Tenant)
}

func readDeviceFacts(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.device_facts", func(rows pgx.Rows) error {
		var at posting.ClusterNode
		var d ledger.Device
		err := rows.Scan(&at.Cluster, &at.Name, &d.UUID, &d.Index, &d.Model, &d.InMIG, &d.Registered, &d.First, &d.Last)
		w.Said[at] = append(w.Said[at], d)
		return err
	}, pg.Tenant)
}

func readWorkloads(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.workloads", func(rows pgx.Rows) error {
		p, err := facts.ScanWorkloadFact(rows)
		w.Pods = append(w.Pods, p.Fact())
		return err
	}, pg.Tenant)
}

func readObjects(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.objects", func(rows pgx.Rows) error {
		o, err := facts.ScanObjectFact(rows)
		w.Objects = append(w.Objects, o.Fact())
		return err
	}, pg.Tenant)
}

func readPlacements(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.placements", func(rows pgx.Rows) error {
		var p ledger.Placement
		err := rows.Scan(&p.Cluster, &p.Workload, &p.Evidence, &p.Node, &p.Device, &p.SliceID, &p.From, &p.To, &p.CoreShare, &p.MemoryShare)
		w.Placements = append(w.Placements, p)
		return err
	}, pg.Tenant)
}

func readWorkloadEvents(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.workload_events", func(rows pgx.Rows) error {
		var e ledger.WorkloadEvent
		err := rows.Scan(&e.Cluster, &e.Kind, &e.Namespace, &e.Name, &e.UID, &e.What, &e.At, &e.Reason)
		w.WorkloadEvents = append(w.WorkloadEvents, e)
		return err
	}, pg.Tenant)
}

func readCheckpoints(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.checkpoints", func(rows pgx.Rows) error {
		var c ledger.Checkpoint
		err := rows.Scan(&c.Cluster, &c.Namespace, &c.Pod, &c.Run, &c.At, &c.Step)
		w.Checkpoints = append(w.Checkpoints, c)
		return err
	}, pg.Tenant)
}

// ReadEvents adds interruptions and other events of machines to a world.
func ReadEvents(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.events", func(rows pgx.Rows) error {
		var e ledger.InstanceEvent
		err := rows.Scan(&e.Provider, &e.InstanceID, &e.Kind, &e.Detail, &e.At, &e.Account, &e.Region, &e.EventID)
		w.Events = append(w.Events, e)
		return err
	}, pg.Tenant)
}

// ReadSources adds to a world when each source of placements was heard.
func ReadSources(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.sources", func(rows pgx.Rows) error {
		var h ledger.SourceHour
		var minutes int64
		err := rows.Scan(&h.Cluster, &h.Source, &h.Hour, &minutes)
		h.Minutes = uint64(minutes)
		w.Sources = append(w.Sources, h)
		return err
	}, pg.Tenant)
}

func readBilled(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Query(ctx, tx, "world.billed", func(rows pgx.Rows) error {
		var b posting.BilledInstance
		var kind, region, zone, class *string
		if err := rows.Scan(&b.InstanceID, &b.Line, &kind, &region, &zone, &class, &b.Account, &b.Tags, &b.Period.From, &b.Period.To,
			&b.Currency, &b.Effective, &b.Seconds, &b.UsageAmount); err != nil {
			return err
		}
		b.InstanceType, b.Region, b.Zone, b.PriceClass = pg.OrEmpty(kind), pg.OrEmpty(region), pg.OrEmpty(zone), ledger.PriceClass(pg.OrEmpty(class))
		w.Billed = append(w.Billed, b)
		return nil
	}, pg.Tenant)
}
