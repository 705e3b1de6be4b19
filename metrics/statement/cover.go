package statement

import (
	"context"
	"slices"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// Reader answers the questions of a statement.
type Reader interface {
	metrics.Querier
	// Conditions are those of a viewer's scope; none if the viewer sees everything.
	Conditions(ctx context.Context, v *access.Viewer) ([]string, error)
}

// covers lists the conditions of the viewer's scope, in words, if they may hide a part of the owner's cost. Any one of
// them shows a row, so one that every row of the owner meets makes the statement whole.
func (q Question) covers(conditions []string) ([]string, error) {
	words := make([]string, 0, len(conditions))
	for _, text := range conditions {
		e, err := metrics.ParseFilter(text)
		if err != nil {
			return nil, err
		}
		if e == nil {
			continue
		}
		if q.Value != Unowned && metrics.Implied(e, map[string]string{q.Key.Name: q.Value}) {
			return nil, nil
		}
		if w := inWords(e); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words, nil
}

// inWords is a condition as a reader says it: cluster a or b.
func inWords(e metrics.Expr) string {
	if c, ok := e.(metrics.Compare); ok && (c.Op == metrics.Equal || c.Op == metrics.In) && !slices.Contains(c.Values, "") {
		return strings.ReplaceAll(c.Key, "_", " ") + " " + strings.Join(c.Values, " or ")
	}
	return metrics.FilterText(e)
}

// Partial says that the statement may leave out a part of the owner's cost, and which part it has; empty: it is whole.
func (s *Statement) Partial() string {
	if len(s.Covers) == 0 {
		return ""
	}
	return "This statement covers only what you may see: " + strings.Join(s.Covers, "; ") + ". The whole statement of " +
		strings.ReplaceAll(s.Key, "_", " ") + " " + s.Value + " may be larger."
}
