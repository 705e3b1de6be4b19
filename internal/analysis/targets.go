package analysis

import (
	"context"

	"gpuledger/internal/period"
)

// TargetStore keeps what targets are judged by.
type TargetStore interface {
	// SaveTargets works out a UTC day anew, and drops its mark.
	SaveTargets(ctx context.Context, step string, day period.Second) (rows int64, err error)
}

// targetDays keeps what targets are judged by, from the ledger and from what
// serving cost.
var targetDays = Step{
	Name:  "targets",
	Reads: []Mark{Ledger, Counters},
	Needs: []string{rollUpCosts.Name, servingStep.Name},
	Day: func(ctx context.Context, a *Analyst, day period.Second) (int64, error) {
		return a.Store.SaveTargets(ctx, "targets", day)
	},
}
