package analysis

import (
	"context"

	"gpuledger/internal/period"
)

// UseStore is what the step reads and writes.
type UseStore interface {
	// SaveUse works out what CPU and memory pods used on a day, as sketches of
	// its minutes, and replaces what was known of it.
	SaveUse(ctx context.Context, step string, day period.Interval) (int64, error)
	// SaveRequests compares what pods asked for with what they used in the
	// newest four weeks, by root owner, and replaces what is stored.
	SaveRequests(ctx context.Context) (int64, error)
}

// useStep measures requests against use (docs/figures.md, 22.3).
var useStep = Step{
	Name:  "use",
	Reads: []Mark{Counters},
	Day: func(ctx context.Context, a *Analyst, day period.Second) (int64, error) {
		return a.Store.SaveUse(ctx, "use", period.DayOf(day))
	},
	After: func(ctx context.Context, a *Analyst) (int64, error) { return a.Store.SaveRequests(ctx) },
}
