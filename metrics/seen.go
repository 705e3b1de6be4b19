package metrics

import (
	"slices"

	"gpuledger/internal/access"
)

// NotesFor are the notes on an answer that only has the part of a dataset in the viewer's scope.
func (q Query) NotesFor(v *access.Viewer) []string {
	if q.Dataset.ScopeNote == "" || !v.Bounded() {
		return nil
	}
	return []string{q.Dataset.ScopeNote}
}

// SeenBy refuses a query without the right to it (*access.RightError), and queries that scoped users cannot see in part
// (*access.ScopeError): datasets whose rows have several owners, tags of bill lines that owners share, and earlier or
// closed states, whose totals cover all owners. nil: no access control.
func (q Query) SeenBy(v *access.Viewer) error {
	if v == nil {
		return nil
	}
	right := access.RightTo(q.Dataset.Name)
	switch {
	case !v.May(right):
		return &access.RightError{Role: v.Role, Right: right}
	case !v.Bounded():
		return nil
	case !q.Dataset.InPart:
		return &access.ScopeError{What: "dataset " + q.Dataset.Name}
	case q.AsOf != 0:
		return &access.ScopeError{What: "the ledger as it was earlier"}
	case !q.Statement.IsZero():
		return &access.ScopeError{What: "a statement"}
	case slices.ContainsFunc(q.Carried(), func(k Key) bool { return k.On == OnTag }):
		return &access.ScopeError{What: "a tag of bill lines"}
	}
	return nil
}
