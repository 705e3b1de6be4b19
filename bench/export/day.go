package main

import (
	"context"
	"fmt"

	"gpuledger/internal/localpg"
)

// benchDay asks for the costs of a day of 800 GPUs and 2,000 pods, per pod and hour.
func benchDay(ctx context.Context, server *localpg.Server, o options) error {
	dsn, err := day(ctx, server)
	if err != nil {
		return err
	}
	base, end, err := served(ctx, dsn)
	if err != nil {
		return err
	}
	defer end()
	const rows = 2000 * 24
	for _, format := range []string{"json", "csv"} {
		var took []float64
		var last taken
		for turn := range o.turns {
			// Each turn asks another question, since an answer to the same one may come from memory.
			at := fmt.Sprintf("%s/api/v1/costs?group-by=pod&granularity=hour&from=2026-11-02&to=2026-11-03&limit=%d&format=%s",
				base, rows+turn, format)
			if last, err = download(ctx, at); err != nil {
				return err
			}
			took = append(took, last.all.Seconds())
		}
		fmt.Printf("a day of 800 GPUs, %d rows per pod and hour as %s: %.2f s (median of %d; target 0.9), %d MB\n", rows,
			format, median(took), o.turns, last.bytes>>20)
	}
	return nil
}
