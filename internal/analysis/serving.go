package analysis

import (
	"context"

	"gpuledger/internal/period"
	"gpuledger/metrics/serving"
)

// ServingStore is what the step `serving` needs of the database.
type ServingStore interface {
	// SaveServing works out what was served on a day, and what it cost, and
	// replaces what was known of it. It returns the rows written and which
	// counters no workload explains. Where anything was or is served it marks the day
	// for the step that adds up facts.
	SaveServing(ctx context.Context, step string, day period.Interval) (int64, serving.Leftover, error)
	// MarkServedNames marks the days, for a step, of served names that stand for
	// something else with the models that there are now.
	MarkServedNames(ctx context.Context, step string) (days int64, err error)
}

// servedNames sees to it that a model that is new, or gone, changes what was
// served on the days before it, too: what was worked out day by day and what is
// worked out at once are the same.
var servedNames = Step{Name: "served_names", Reads: []Mark{Ledger},
	After: func(ctx context.Context, a *Analyst) (int64, error) {
		return a.Store.MarkServedNames(ctx, "serving")
	}}

// servingStep divides what services cost between the models that they served.
var servingStep = Step{Name: "serving", Reads: []Mark{Ledger, Counters}, Needs: []string{servedNames.Name},
	Day: func(ctx context.Context, a *Analyst, day period.Second) (int64, error) {
		rows, left, err := a.Store.SaveServing(ctx, "serving", period.DayOf(day))
		if err == nil && left.Processes > 0 {
			a.Log.Warn("counters of pods that held no GPU are left out", "day", day, "processes", left.Processes,
				"first", left.First.Cluster+"/"+left.First.Namespace+"/"+left.First.Pod, "server", left.First.Server)
		}
		return rows, err
	}}
