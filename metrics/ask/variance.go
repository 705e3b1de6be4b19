package ask

import (
	"fmt"
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
	if err := viewable(q); err != nil {
		return "", err
	}
	before, after := q, q
	before.Dataset, after.Dataset = costs, costs
	before.Window = q.Against
	s := statement{q: after}
	if s.view, _, err = viewOf(after); err == nil && !byDay(before) {
		s.view, _, err = viewOf(before)
	}
	if err == nil {
		err = s.where(nil)
	}
	if err != nil {
		return "", err
	}
	keys := make([]string, 0, len(q.GroupBy)+1)
	for _, k := range q.GroupBy {
		keys = append(keys, ident(k.Name))
	}
	keys = append(keys, "currency")
	was, is := "0", sumIn(q.Window, string(q.Basis))
	if !q.Against.Empty() {
		was = sumIn(q.Against, string(q.Basis))
	}
	s.list, s.groups, s.added = keys, len(keys), true
	s.list = append(s.list, was+" as cost_before", is+" as cost_after", is+" - "+was+" as difference")
	s.cond = append(s.cond, "currency is not null", either(q.Against, q.Window))
	return partsElsewhere + s.text(), nil
}

// partsElsewhere names the columns of variance that the SQL lacks.
const partsElsewhere = "-- cost_before, cost_after and difference. Its parts (volume, efficiency, mix, price, exchange,\n" +
	"-- without_hours) have rules that are not SQL: take REST or the command.\n"

// sumIn adds up a cost over a period; an empty one has no bounds.
func sumIn(w period.Interval, cost string) string {
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
