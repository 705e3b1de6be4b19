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

// World reads all facts that runs, nodes and attempts are derived from, in one snapshot.
func (s *Book) World(ctx context.Context) (*posting.World, error) {
	w := &posting.World{
		NodeSamples: map[posting.ClusterNode]period.Interval{},
		Devices:     map[posting.ClusterNode][]ledger.Device{},
		Said:        map[posting.ClusterNode][]ledger.Device{},
	}
	opt := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, s.Pool, opt, func(tx pgx.Tx) error {
		for _, read := range []func(context.Context, pgx.Tx, *posting.World) error{
			facts.ReadNodeFacts, readDevices, readStretches, readDeviceFacts, facts.ReadWorkloads, facts.ReadObjects,
			readPlacements, facts.ReadSegments, readWorkloadEvents, readCheckpoints, ReadEvents, ReadSources, readBilled,
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
	return pg.Each(ctx, tx, "world.devices", func(r struct {
		posting.ClusterNode
		ledger.Device
		period.Interval
	}) error {
		at, seen := r.ClusterNode, r.Interval
		seen.To++ // the last sample's second belongs to the interval
		w.Devices[at] = append(w.Devices[at], r.Device)
		if old, ok := w.NodeSamples[at]; ok {
			seen = period.Interval{From: min(seen.From, old.From), To: max(seen.To, old.To)}
		}
		w.NodeSamples[at] = seen
		return nil
	}, pg.Tenant)
}

// readStretches adds the times when each machine's exporter was sampled to a world.
func readStretches(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	w.Stretches = map[posting.ClusterNode][]period.Interval{}
	return pg.Each(ctx, tx, "world.stretches", func(r struct {
		posting.ClusterNode
		period.Interval
	}) error {
		r.To++ // the last sample's second belongs to the interval
		w.Stretches[r.ClusterNode] = append(w.Stretches[r.ClusterNode], r.Interval)
		return nil
	}, pg.Tenant)
}

func readDeviceFacts(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Each(ctx, tx, "world.device_facts", func(r struct {
		posting.ClusterNode
		ledger.Device
	}) error {
		w.Said[r.ClusterNode] = append(w.Said[r.ClusterNode], r.Device)
		return nil
	}, pg.Tenant)
}

func readPlacements(ctx context.Context, tx pgx.Tx, w *posting.World) (err error) {
	w.Placements, err = pg.List[ledger.Placement](ctx, tx, "world.placements", pg.Tenant)
	return err
}

func readWorkloadEvents(ctx context.Context, tx pgx.Tx, w *posting.World) (err error) {
	w.WorkloadEvents, err = pg.List[ledger.WorkloadEvent](ctx, tx, "world.workload_events", pg.Tenant)
	return err
}

func readCheckpoints(ctx context.Context, tx pgx.Tx, w *posting.World) (err error) {
	w.Checkpoints, err = pg.List[ledger.Checkpoint](ctx, tx, "world.checkpoints", pg.Tenant)
	return err
}

// ReadEvents adds interruptions and other events of machines to a world.
func ReadEvents(ctx context.Context, tx pgx.Tx, w *posting.World) (err error) {
	w.Events, err = pg.List[ledger.InstanceEvent](ctx, tx, "world.events", pg.Tenant)
	return err
}

// ReadSources adds the times when each source of placements was heard to a world.
func ReadSources(ctx context.Context, tx pgx.Tx, w *posting.World) (err error) {
	w.Sources, err = pg.List[ledger.SourceHour](ctx, tx, "world.sources", pg.Tenant)
	return err
}

func readBilled(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return pg.Each(ctx, tx, "world.billed", func(r struct {
		posting.BilledInstance
		period.Interval
	}) error {
		r.Period = r.Interval
		w.Billed = append(w.Billed, r.BilledInstance)
		return nil
	}, pg.Tenant)
}
