package analysis

import (
	"context"

	"gpuledger/internal/period"
	"gpuledger/metrics/serving"
)

// ServingStore is the database access of step serving.
type ServingStore interface {
	// SaveServing computes the requests served on a day and their cost, and replaces the stored rows. It returns the
	// number of rows written, and the counters that do not belong to a workload. If the day has or had such rows, it
	// marks the day for the step that rolls up facts.
	SaveServing(ctx context.Context, step string, day period.Interval) (int64, serving.Leftover, error)
	// MarkServedNames marks the days, for a step, of served names that match another model now.
	MarkServedNames(ctx context.Context, step string) (days int64, err error)
}

// servedNames lets a new or removed model change earlier days too, so that computing day by day gives the same result
// as computing everything at once.
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
