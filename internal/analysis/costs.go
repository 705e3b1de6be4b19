package analysis

import (
	"context"

	"gpuledger/internal/period"
)

// RollupStore stores the roll-ups of the ledger.
type RollupStore interface {
	// RollUpDays rolls up UTC days of the ledger again, and drops their marks: the first of days and those after it
	// without a gap, while they are small together. It returns how many.
	RollUpDays(ctx context.Context, step string, days []period.Second) (done int, rows int64, err error)
	// RollUpMonths rolls up the calendar months whose days are all rolled up.
	RollUpMonths(ctx context.Context) (rows int64, err error)
}

// rollUpCosts keeps costs by hour, day and month. Reports read them for days on which they are as new as the ledger.
var rollUpCosts = Step{
	Name:  "costs",
	Reads: []Mark{Ledger, Counters},
	Needs: []string{onDemandRates.Name, servingStep.Name},
	Days: func(ctx context.Context, a *Analyst, days []period.Second) (int, int64, error) {
		return a.Store.RollUpDays(ctx, "costs", days)
	},
	After: func(ctx context.Context, a *Analyst) (int64, error) { return a.Store.RollUpMonths(ctx) },
}
