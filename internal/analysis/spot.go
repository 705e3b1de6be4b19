package analysis

import (
	"context"

	"gpuledger/metrics/spot"
)

// SpotStore is what the step reads and writes.
type SpotStore interface {
	// SpotFacts reads spot machines and what is known of their ends, and the
	// interruption window of the policy in seconds.
	SpotFacts(ctx context.Context) (spot.Facts, int64, error)
	// SaveInterruptions replaces the interruptions that are stored and returns
	// how many rows it wrote or removed.
	SaveInterruptions(ctx context.Context, list []spot.Interruption) (int64, error)
}

// interruptions finds the spot machines that were taken away. A machine ends
// once, whatever the day: they are few, and found together.
var interruptions = Step{
	Name:  "spot",
	Reads: []Mark{Ledger},
	After: func(ctx context.Context, a *Analyst) (int64, error) {
		facts, window, err := a.Store.SpotFacts(ctx)
		if err != nil {
			return 0, err
		}
		return a.Store.SaveInterruptions(ctx, spot.Interruptions(facts, window))
	},
}
