package page

import (
	"net/http"

	"gpuledger/metrics"
)

// longestFilter bounds a condition, in bytes. A page repeats it in the links of all columns
// and rows.
const longestFilter = 1000

func mostOf(param string) int {
	if param == "filter" {
		return longestFilter
	}
	return Longest
}

// Condition is the parsed filter of an address.
type Condition struct {
	keys    metrics.Expr // condition on base rows; nil: all rows
	figures bool         // it also tests figures
}

// ReadFiltered is ReadScope for a page of one dataset's rows, which accepts a condition on
// them. by returns the keys that the rows are grouped by.
func ReadFiltered(r *http.Request, dataset string, by func(Scope) string) (Scope, Condition, error) {
	s, err := readFrame(r)
	if err != nil || s.Filter == "" {
		return s, Condition{}, err
	}
	// Parse it alone first: an invalid text such as "a = 1) or (b = 2" could become valid
	// between the terms of the page.
	q, err := metrics.Parse(dataset, metrics.Options{Basis: s.Basis, Filter: s.Filter, GroupBy: by(s)})
	return s, Condition{keys: q.Filter, figures: q.Having != nil}, err
}

// Rows is the by of ReadFiltered for ungrouped rows.
func Rows(Scope) string { return "" }

// OnFigures reports whether the condition tests figures of rows. Totals then cover more rows
// than the list.
func (c Condition) OnFigures() bool { return c.figures }

// Narrow adds the condition on base rows to a query.
func (c Condition) Narrow(q metrics.Query) metrics.Query { return q.Narrowed(c.keys) }

// Term is the condition of Narrow as a term of a filter. It returns false if the condition
// tests both keys and figures, because its text then has more than Narrow.
func (c Condition) Term(s Scope) (term string, ok bool) {
	if !c.figures {
		return s.Wanted(), true
	}
	return "", c.keys == nil
}

// Wanted is the filter of the address as a term, or empty.
func (s Scope) Wanted() string {
	if s.Filter == "" {
		return ""
	}
	return "(" + s.Filter + ")"
}
