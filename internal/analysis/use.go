package analysis

import "context"

// UseStore is the database access of step use.
type UseStore interface {
	// SaveRequests compares the requests of pods with their usage in the newest four weeks, by root owner, and
	// replaces the stored rows.
	SaveRequests(ctx context.Context) (int64, error)
}

// useStep compares requests with usage (docs/figures.md, 22.3).
var useStep = Step{
	Name:  "use",
	Reads: []Mark{Counters},
	Needs: []string{rollUpCosts.Name},
	After: func(ctx context.Context, a *Analyst) (int64, error) { return a.Store.SaveRequests(ctx) },
}
