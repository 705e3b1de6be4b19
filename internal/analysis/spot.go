package analysis

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/spot"
)

// SpotStore is what the step reads and writes.
type SpotStore interface {
	// SpotFacts reads spot machines and what is known of their ends, and the
	// interruption window of the policy in seconds.
	SpotFacts(ctx context.Context) (spot.Facts, int64, error)
	// SaveInterruptions replaces the interruptions that are stored, and whom they hit,
	// and returns how many of them it wrote or removed.
	SaveInterruptions(ctx context.Context, list []spot.Interruption) (int64, error)
	// SaveOnDemandHours keeps what on-demand machines cost on a UTC day, drops the day's
	// mark, and marks the days whose rates follow from lines that changed.
	SaveOnDemandHours(ctx context.Context, step string, day period.Second) (int64, error)
	// SaveSpotRates keeps the on-demand rates of a UTC day's hours of spot
	// machines, as rate says of what was paid for them, of on-demand lines (of the day,
	// and the nearest before and after) and of the price book, and drops the day's mark.
	SaveSpotRates(ctx context.Context, step string, day period.Second,
		rate func([]spot.Paid, []spot.Line, []ledger.Rate) []spot.Rate) (int64, error)
}

// onDemandHours keeps what machines that are paid on demand cost: days without any are
// compared with the nearest one.
var onDemandHours = Step{
	Name:  "on_demand",
	Reads: []Mark{Ledger},
	Day: func(ctx context.Context, a *Analyst, day period.Second) (int64, error) {
		return a.Store.SaveOnDemandHours(ctx, "on_demand", day)
	},
}

// onDemandRates keeps what hours of spot machines would have cost on demand.
var onDemandRates = Step{
	Name:  "rates",
	Reads: []Mark{Ledger},
	Needs: []string{onDemandHours.Name},
	Day: func(ctx context.Context, a *Analyst, day period.Second) (int64, error) {
		public, err := a.Store.PublicPrices(ctx)
		if err != nil {
			return 0, err
		}
		return a.Store.SaveSpotRates(ctx, "rates", day,
			func(paid []spot.Paid, lines []spot.Line, book []ledger.Rate) []spot.Rate {
				return spot.OnDemandRates(paid, lines, book, public)
			})
	},
}

// interruptions finds the spot machines that were taken away. A machine ends
// once, whatever the day: they are few, and found together.
var interruptions = Step{
	Name:  "spot",
	Reads: []Mark{Ledger, Warnings},
	After: func(ctx context.Context, a *Analyst) (int64, error) {
		facts, window, err := a.Store.SpotFacts(ctx)
		if err != nil {
			return 0, err
		}
		return a.Store.SaveInterruptions(ctx, spot.Interruptions(facts, window))
	},
}
