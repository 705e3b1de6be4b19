package analysis

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/spot"
)

// SpotStore is the database access of the spot steps.
type SpotStore interface {
	// SpotFacts reads spot machines with the evidence of how they ended, and the policy's interruption window in
	// seconds.
	SpotFacts(ctx context.Context) (spot.Facts, int64, error)
	// SaveInterruptions replaces the stored interruptions and the workloads that they hit, and returns how many
	// interruptions it wrote or removed.
	SaveInterruptions(ctx context.Context, list []spot.Interruption) (int64, error)
	// SaveOnDemandHours stores the cost of on-demand machines on a UTC day, drops the day's mark, and marks the days
	// whose rates follow from changed lines.
	SaveOnDemandHours(ctx context.Context, step string, day period.Second) (int64, error)
	// SaveSpotRates stores the on-demand rates of a UTC day's hours of spot machines and drops the day's mark. rate
	// computes them from the hours paid, on-demand lines (of the day, and the nearest before and after), and the
	// price book.
	SaveSpotRates(ctx context.Context, step string, day period.Second,
		rate func([]spot.Paid, []spot.Line, []ledger.Rate) []spot.Rate) (int64, error)
}

// onDemandHours stores the cost of machines paid on demand: spot hours on days without any are compared with the
// nearest day.
var onDemandHours = Step{
	Name:  "on_demand",
	Reads: []Mark{Ledger},
	Day: func(ctx context.Context, a *Analyst, day period.Second) (int64, error) {
		return a.Store.SaveOnDemandHours(ctx, "on_demand", day)
	},
}

// onDemandRates stores the on-demand cost of spot hours.
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

// interruptions finds interrupted spot machines. A machine ends once, so this is not by day: they are few, and found
// together.
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
