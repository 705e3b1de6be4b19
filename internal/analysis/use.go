package analysis

import "context"

// UseStore is what the step reads and writes.
type UseStore interface {
	// SaveRequests compares what pods asked for with what they used in the
	// newest four weeks, by root owner, and replaces what is stored.
	SaveRequests(ctx context.Context) (int64, error)
}

// useStep measures requests against use (docs/figures.md, 22.3).
var useStep = Step{
	Name:  "use",
	Reads: []Mark{Counters},
	Needs: []string{rollUpCosts.Name},
	After: func(ctx context.Context, a *Analyst) (int64, error) { return a.Store.SaveRequests(ctx) },
}
