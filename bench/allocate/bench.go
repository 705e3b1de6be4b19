package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gpuledger/allocation/policy"
)

// benchEngine measures only the engine: sizes first, then alternating with DuckDB.
func benchEngine(ctx context.Context, o *options) error {
	if err := showSizes(ctx, o); err != nil {
		return err
	}
	if o.alone {
		return nil
	}
	if o.duckdb == "" {
		return errors.New("DuckDB is not here: name the folder in which npm installed @duckdb/node-api with -duckdb, see " +
			".ci/ensure-duckdb, or measure -alone")
	}
	return besideDuckDB(ctx, o)
}

// showSizes shows how time and memory follow the size of the fleet.
func showSizes(ctx context.Context, o *options) error {
	for _, gpus := range o.scale {
		f := o.fleet
		f.gpus = gpus
		forgetPeak()
		t, err := allocateFleet(ctx, f, question(), nil)
		if err != nil {
			return err
		}
		fmt.Printf("%5d GPUs × %d days: %6.2f s, %5.1f M device-minutes/s, %6.2f s of processor time, %8d usage rows, "+
			"peak %d MB\n",
			f.gpus, f.days, t.wall.Seconds(), t.rate()/1e6, t.cpu.Seconds(), t.rows, peak()>>20)
	}
	t, err := allocateFleet(ctx, o.fleet, policy.Default(), nil)
	if err != nil {
		return err
	}
	fmt.Printf("%5d GPUs × %d days under %s: %.2f s, %.1f M device-minutes/s, %d usage rows\n", o.fleet.gpus, o.fleet.days,
		policy.Default().Version, t.wall.Seconds(), t.rate()/1e6, t.rows)
	return nil
}

// contestant is one way to allocate the month.
type contestant struct {
	name string
	run  func() (turn, error)
	// ours divided by it, per round: by the clock and by processor time.
	byClock, byWork []float64
}

func besideDuckDB(ctx context.Context, o *options) (err error) {
	f := o.fleet
	folder, err := f.writeFiles(o.dir)
	if err != nil {
		return fmt.Errorf("write the month: %w", err)
	}
	d, err := startDuckDB(ctx, o.duckdb)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	w, err := d.prepare(f, folder)
	if err != nil {
		return err
	}
	work := f.deviceMinutes()
	asked := func(sql, into string, work int64) func() (turn, error) {
		return func() (turn, error) { return d.turn(sql, into, work) }
	}
	list := []*contestant{
		{name: "engine", run: func() (turn, error) { return allocateFleet(ctx, f, question(), nil) }},
		{name: "DuckDB, buckets over Parquet", run: asked(w.parquet, "by_parquet", work)},
		{name: "DuckDB, buckets, samples in memory", run: asked(w.memory, "by_memory", work)},
		{name: "DuckDB, buckets, hours in memory", run: asked(w.compact, "by_compact", work)},
		{
			name: "DuckDB, interval join of a part",
			run:  asked(w.join, "by_join", work*min(joinedGPUs, int64(f.gpus))/int64(f.gpus)),
		},
	}
	for round := range o.rounds {
		var ours turn
		for i, c := range list {
			t, err := c.run()
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if i == 0 {
				ours = t
			}
			c.byClock = append(c.byClock, ours.rate()/t.rate())
			perWork := func(t turn) float64 { return float64(t.work) / t.cpu.Seconds() }
			c.byWork = append(c.byWork, perWork(ours)/perWork(t))
			fmt.Printf("round %d  %-36s %6.2f s  %6.2f M device-minutes/s  %6.2f s of processor time  %8d rows\n", round+1,
				c.name, t.wall.Seconds(), t.rate()/1e6, t.cpu.Seconds(), t.rows)
		}
	}
	if err := compare(ctx, f, d); err != nil {
		return fmt.Errorf("the contestants answer different questions: %w", err)
	}
	for _, c := range list[1:] {
		fmt.Printf("engine against %-36s %6.2f × by the clock (%.2f to %.2f), %6.2f × by processor time; median of %d\n",
			c.name, median(c.byClock), slices.Min(c.byClock), slices.Max(c.byClock), median(c.byWork), o.rounds)
	}
	return nil
}

// compare checks that DuckDB's tables have the engine's totals.
func compare(ctx context.Context, f fleet, d *duckDB) error {
	t := newTally()
	if _, err := allocateFleet(ctx, f, question(), t.add); err != nil {
		return err
	}
	for _, into := range []string{"by_parquet", "by_memory", "by_compact"} {
		if err := t.agree(d, into); err != nil {
			return err
		}
	}
	fmt.Printf("totals of %d teams and causes agree: seconds to the second, four costs to nine digits\n", len(t.seconds))
	return nil
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
