package ask

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// comparedSQL is the SQL of variance: the costs of both periods and their difference. The parts of the difference have
// rules that are not SQL.
func comparedSQL(q metrics.Query) (string, error) {
	costs, err := metrics.LookupDataset("costs")
	if err != nil {
		return "", err
	}
	of := q
	of.Dataset, of.Against, of.Only = costs, period.Interval{}, nil
	of.Window = period.Interval{From: q.Window.From, To: q.Window.To}
	switch {
	case q.Currency != "":
		return "", refuse("the views show every amount in its own currency")
	case len(of.Carried()) > 0:
		return "", refuse("the views have no tags or labels")
	}
	s := statement{q: of}
	if s.view, _, err = viewOf(of); err != nil {
		return "", err
	}
	both := of
	both.Window = q.Against
	if hourly, _, _ := viewOf(both); strings.HasSuffix(hourly, "_hourly") {
		s.view = hourly
	}
	if err := s.where(nil); err != nil {
		return "", err
	}
	keys := make([]string, 0, len(q.GroupBy)+1)
	for _, k := range q.GroupBy {
		keys = append(keys, ident(k.Name))
	}
	if len(q.GroupBy) == 0 || !slices.Contains(keys, "currency") {
		keys = append(keys, "currency")
	}
	s.list, s.groups, s.added = keys, len(keys), true
	before, after := sumIn(q.Against, string(q.Basis)), sumIn(q.Window, string(q.Basis))
	s.list = append(s.list, before+" as cost_before", after+" as cost_after", after+" - "+before+" as difference")
	s.cond = append(s.cond, "currency is not null", either(q.Against, q.Window))
	return s.text(), nil
}

// sumIn adds up a cost over a period.
func sumIn(w period.Interval, cost string) string {
	if w.Empty() {
		return "0"
	}
	return fmt.Sprintf("coalesce(sum(%s) filter (where %s), 0)", cost, within(w))
}

// either is the condition that an hour is in one of two periods.
func either(before, after period.Interval) string {
	if before.Empty() {
		return within(after)
	}
	return "(" + within(before) + " or " + within(after) + ")"
}

// within is the condition that an hour is in a period; an open end has none.
func within(w period.Interval) string {
	var terms []string
	if w.From != 0 {
		terms = append(terms, fmt.Sprintf("period_start >= '%s'", w.From))
	}
	if w.To != 0 {
		terms = append(terms, fmt.Sprintf("period_start < '%s'", w.To))
	}
	if len(terms) == 0 {
		return "true"
	}
	return strings.Join(terms, " and ")
}
