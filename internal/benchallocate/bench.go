package main

import (
	"context"
	"fmt"

	"gpuledger/allocation/policy"
)

// benchEngine measures the engine alone: sizes first, then turn by turn with
// DuckDB.
func benchEngine(ctx context.Context, o *options) error {
	for _, gpus := range o.scale {
		f := o.fleet
		f.gpus = gpus
		forgetPeak()
		t, err := allocateFleet(ctx, f, question(), nil)
		if err != nil {
			return err
		}
		fmt.Printf("%5d GPUs × %d days: %5.2f s, %5.1f M device-minutes/s (%5.2f s of processor time), %7d usage rows, peak %d MB\n",
			gpus, f.days, t.wall.Seconds(), t.rate()/1e6, t.cpu.Seconds(), t.rows, peak()>>20)
	}
	t, err := allocateFleet(ctx, o.fleet, policy.Default(), nil)
	if err != nil {
		return err
	}
	fmt.Printf("%5d GPUs under %s: %.2f s, %.1f M device-minutes/s, %d usage rows\n", o.fleet.gpus, policy.Default().Version, t.wall.Seconds(), t.rate()/1e6, t.rows)
	return nil
}
