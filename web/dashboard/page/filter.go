package page

import (
	"net/http"

	"gpuledger/metrics"
)

// longestFilter bounds a condition, in bytes; an address has to hold it many
// times, as a link of each column and row.
const longestFilter = 1000

func mostOf(param string) int {
	if param == "filter" {
		return longestFilter
	}
	return Longest
}

// Condition is what the filter of an address asks of the dataset of a page.
type Condition struct {
	keys    metrics.Expr // of base rows; nil: all
	figures bool         // it tests figures of rows too
}

// ReadFiltered is ReadScope for a page of one dataset's rows, which takes a
// condition on them. by names the keys that the rows are grouped by.
func ReadFiltered(r *http.Request, dataset string, by func(Scope) string) (Scope, Condition, error) {
	s, err := readParams(r)
	if err != nil || s.Filter == "" {
		return s, Condition{}, err
	}
	// Alone first: what is no condition by itself, such as "a = 1) or (b = 2",
	// must not become one between the terms of the page.
	q, err := metrics.Parse(dataset, metrics.Options{Basis: s.Basis, Filter: s.Filter, GroupBy: by(s)})
	return s, Condition{keys: q.Filter, figures: q.Having != nil}, err
}

// Rows is for by of rows that are not grouped.
func Rows(Scope) string { return "" }

// OnFigures reports whether rows are chosen by their figures. What is added up
// over all rows is then of more than those that are listed.
func (c Condition) OnFigures() bool { return c.figures }

// Narrow makes a question one of the base rows that the condition is of.
func (c Condition) Narrow(q metrics.Query) metrics.Query { return q.Narrowed(c.keys) }

// Term is what Narrow asks as a term of a filter; false where the condition
// tests keys and figures, so that its text is more than that.
func (c Condition) Term(s Scope) (term string, ok bool) {
	if !c.figures {
		return s.Wanted(), true
	}
	return "", c.keys == nil
}

// Wanted is the filter of the address as a term among others, empty without.
func (s Scope) Wanted() string {
	if s.Filter == "" {
		return ""
	}
	return "(" + s.Filter + ")"
}
