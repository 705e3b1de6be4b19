package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/bench/rig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/localpg"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
)

// benchPostgres measures from PostgreSQL facts to committed, indexed postings: posting.Allocator over stored sample
// hours, placements and charges, alternating with SQL on one server; afterwards the sums must agree.
func benchPostgres(ctx context.Context, o *options) (err error) {
	f := &fleetFacts{nodes: o.fleet.nodes(), days: o.fleet.days, seed: o.fleet.seed}
	server, err := localpg.Start(ctx, localpg.Options{DataDir: filepath.Join(o.dir, "server")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	r := &pgRig{server: server}
	if r.cpu, err = rig.ProcessorOf(ctx, r.dsn("postgres")); err != nil {
		return err
	}
	facts, err := r.makeFacts(ctx, f)
	if err != nil {
		return fmt.Errorf("make facts: %w", err)
	}
	peer := ""
	if !o.alone {
		if peer, err = r.makePeer(ctx, f); err != nil {
			return fmt.Errorf("make the peer's rows: %w", err)
		}
	}
	minutes := float64(f.nodes*cardsPerNode) * float64(f.days) * 1440
	fmt.Printf("%d GPUs, %d days, %.1f M device-minutes\n", f.nodes*cardsPerNode, f.days, minutes/1e6)
	var ratios []float64
	for round := range o.rounds {
		ours, err := r.allocate(ctx, facts)
		if err != nil {
			return fmt.Errorf("allocate: %w", err)
		}
		if o.alone {
			fmt.Printf("round %d: gpuledger %.1f s (%.1f M minutes/s, processor %.1f s + server %.1f s), peak memory %d MB\n",
				round+1,
				ours.wall.Seconds(), minutes/1e6/ours.wall.Seconds(), ours.own.Seconds(), ours.server.Seconds(), peak()>>20)
			continue
		}
		theirs, err := r.allocatePeer(ctx, peer)
		if err != nil {
			return fmt.Errorf("peer: %w", err)
		}
		if err := r.compare(ctx, peer); err != nil {
			return err
		}
		ratio := theirs.wall.Seconds() / ours.wall.Seconds()
		ratios = append(ratios, ratio)
		fmt.Printf("round %d: gpuledger %.1f s (%.1f M minutes/s, processor %.1f s + server %.1f s), SQL %.1f s (%.1f M "+
			"minutes/s, server %.1f s): %.2f ×\n", round+1,
			ours.wall.Seconds(), minutes/1e6/ours.wall.Seconds(), ours.own.Seconds(), ours.server.Seconds(),
			theirs.wall.Seconds(), minutes/1e6/theirs.wall.Seconds(), theirs.server.Seconds(), ratio)
	}
	if err := r.afterwards(ctx, f); err != nil {
		return err
	}
	if o.alone {
		return nil
	}
	slices.Sort(ratios)
	fmt.Printf("from PostgreSQL facts to committed postings: %.2f × SQL (median of %d), peak memory %d MB (aim 512)\n",
		ratios[len(ratios)/2], o.rounds, peak()>>20)
	return nil
}

// taken is the cost of a turn.
type taken struct{ wall, own, server time.Duration }

func (r *pgRig) timed(f func() error) (taken, error) {
	began, own, server := time.Now(), rig.Own(), r.cpu.Time()
	err := f()
	return taken{time.Since(began), rig.Own() - own, r.cpu.Time() - server}, err
}

const working = "working"

// allocate allocates a copy of the facts from scratch.
func (r *pgRig) allocate(ctx context.Context, facts string) (taken, error) {
	if err := r.admin(ctx, "drop database if exists "+working, "create database "+working+" template "+facts,
		"checkpoint"); err != nil {
		return taken{}, err
	}
	if err := store.MigrateDSN(ctx, r.dsn(working)); err != nil { // the facts may come from an earlier version
		return taken{}, err
	}
	s, err := store.Open(ctx, r.dsn(working), pg.Options{})
	if err != nil {
		return taken{}, err
	}
	defer s.Close()
	forgetPeak()
	var sum *posting.AllocationSummary
	full, err := r.timed(func() error {
		sum, err = (&posting.Allocator{Store: s}).Run(ctx, period.Interval{})
		return err
	})
	if err != nil {
		return full, err
	}
	fmt.Printf("  %d node-days, %d usage rows, %d postings; findings %v\n", sum.Chunks, sum.UsageRows, sum.Postings,
		sum.Diagnostics)
	return full, nil
}

// afterwards measures, after a full allocation, a late hour and a complete recomputation.
func (r *pgRig) afterwards(ctx context.Context, f *fleetFacts) error {
	if err := r.on(ctx, working, "vacuum analyze", "checkpoint"); err != nil {
		return err
	}
	s, err := store.Open(ctx, r.dsn(working), pg.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	if err := r.lateHour(ctx, s, f); err != nil {
		return fmt.Errorf("a late hour: %w", err)
	}
	return r.again(ctx, s)
}

// lateHour changes one hour of every card and brings the ledger up to date.
func (r *pgRig) lateHour(ctx context.Context, s *store.Store, f *fleetFacts) error {
	t := &ledger.Telemetry{}
	hour := fleetDay0 + period.Second(f.days*24-30)*period.Hour
	for node := range f.nodes {
		for slot := range cardsPerNode {
			v := ledger.Minutes{Known: 1<<60 - 1}
			for m := range 60 {
				v.Value[m], v.At[m] = 300_000, 45_000 // newer samples of the same minutes
			}
			t.Samples = append(t.Samples,
				ledger.SampleHour{Cluster: fleetCluster, Node: fleetNode(node), Device: fleetDevice(node, slot), Index: int32(slot),
					Model:   fleetModel,
					SliceID: ledger.WholeDevice, Hour: hour, RowCount: 60,
					Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: v}})
		}
	}
	stage, err := s.StageTelemetry(ctx, ledger.NewID("import", "late"))
	if err != nil {
		return err
	}
	if err := errors.Join(stage.Write(ctx, t), stage.Publish(ctx)); err != nil {
		return err
	}
	var sum *posting.AllocationSummary
	got, err := r.timed(func() error {
		sum, err = (&posting.Allocator{Store: s}).Run(ctx, period.Interval{})
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("  a late hour of %d GPUs: %.2f s (processor %.2f s + server %.2f s), %d node-days, %d deliveries cut "+
		"(aim 1 s)\n", f.nodes*cardsPerNode, got.wall.Seconds(),
		got.own.Seconds(), got.server.Seconds(), sum.Chunks, sum.Recut)
	return nil
}

// again recomputes everything under a policy that changes idle time.
func (r *pgRig) again(ctx context.Context, s *store.Store) error {
	document := "version: bench-2\nsettings: {idle: {threshold: 10%, minutes: 30}}\n"
	if _, _, err := s.SavePolicy(ctx, []byte(document), "bench-allocate"); err != nil {
		return err
	}
	var sum *posting.AllocationSummary
	got, err := r.timed(func() (err error) {
		sum, err = (&posting.Allocator{Store: s}).Run(ctx, period.Interval{})
		return err
	})
	if err != nil {
		return err
	}
	fmt.Printf("  everything again under another policy: %.1f s (processor %.1f s + server %.1f s), %d node-days (aim "+
		"15 s)\n", got.wall.Seconds(), got.own.Seconds(), got.server.Seconds(), sum.Chunks)
	return nil
}

func (r *pgRig) allocatePeer(ctx context.Context, peer string) (taken, error) {
	if err := r.on(ctx, peer, peerSteps[0], "checkpoint"); err != nil {
		return taken{}, err
	}
	return r.timed(func() error { return r.on(ctx, peer, peerSteps[1:]...) })
}

// cell is the data on which both sides must agree: device-seconds and rows exactly, money except for the distribution
// of rounding units inside a node-hour.
type cell struct {
	seconds string
	cost    float64
	rows    int64
}

// compare checks cause by cause that both sides have the same.
func (r *pgRig) compare(ctx context.Context, peer string) error {
	read := func(database, sql string) (map[string]cell, error) {
		out := map[string]cell{}
		err := r.with(ctx, database, func(conn *pgx.Conn) error {
			rows, err := conn.Query(ctx, sql)
			if err != nil {
				return err
			}
			var cause string
			var c cell
			_, err = pgx.ForEachRow(rows, []any{&cause, &c.seconds, &c.cost, &c.rows}, func() error {
				out[cause] = c
				return nil
			})
			return err
		})
		return out, err
	}
	theirs, err := read(peer,
		"select cause, round(sum(capacity_gpu_hours) * 3600)::text, sum(effective)::float8, count(*) from allocated "+
			"group by 1")
	if err != nil {
		return err
	}
	ours, err := read(working,
		"select cause, round(sum(capacity_gpu_hours) * 3600)::text, sum(effective_cost)::float8, count(*) from postings "+
			"group by 1")
	if err != nil {
		return err
	}
	for cause, c := range ours {
		t := theirs[cause]
		if t.seconds != c.seconds || t.rows != c.rows || math.Abs(t.cost-c.cost) > 1e-6*math.Abs(c.cost) {
			return fmt.Errorf("cause %s: the ledger says %+v, SQL %+v", cause, c, t)
		}
	}
	if len(ours) != len(theirs) {
		return fmt.Errorf("the ledger has causes %v, SQL %v", ours, theirs)
	}
	return nil
}
