package report

import (
	"context"
	"slices"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// inPart refuses what whoever asks cannot see in part: datasets whose rows are of
// several owners, tags of bill lines that others share, and what was said earlier or
// closed, whose totals are of all.
func inPart(ctx context.Context, q metrics.Query) error {
	v := access.From(ctx)
	switch {
	case v == nil || !v.Bounded():
		return nil
	case !q.Dataset.InPart:
		return &access.ScopeError{What: "dataset " + q.Dataset.Name}
	case q.AsOf != 0:
		return &access.ScopeError{What: "the ledger as it was earlier"}
	case !q.Statement.IsZero():
		return &access.ScopeError{What: "a statement"}
	case slices.ContainsFunc(q.Carried(), func(k metrics.Key) bool { return k.On == metrics.OnTag }):
		return &access.ScopeError{What: "a tag of bill lines"}
	}
	return nil
}
