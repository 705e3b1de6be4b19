package report

import (
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// runRows are the rows of runs of all time: from months and days that are rolled up, and the rest from the ledger.
func (c Compiler) runRows() string {
	parts := []piece{{From: fromLedger}}
	if c.Plan != nil {
		parts = c.Plan.Pieces
	}
	var texts []string
	for _, p := range parts {
		if p.From == fromNowhere {
			continue
		}
		c := c.over(p.Span)
		rollup, statement := star.Run.Rollup("run"), "report.run_days"
		if c.totals {
			rollup, statement = star.Run.Rollup("run_attempt"), "report.run_totals"
		}
		if p.From == fromLedger {
			texts = append(texts, c.halves("run_facts"))
			continue
		}
		texts = append(texts, c.in(star.Run.Table(rollup, stepOf(rollup, p.From)).Name()).Expand(pg.Statement(statement)))
	}
	return strings.Join(texts, "\nunion all\n")
}

// ofTotals reports whether columns of runs or attempts, and the query's filter, follow from the total costs of
// attempts: from attributes, which are the same in all rows of an attempt, and from sums over all causes.
func (c Compiler) ofTotals(cols []metrics.Column) bool {
	d := c.Q.Dataset
	if b := baseOf(d); !b.lives || !b.sought {
		return false
	}
	attribute := func(field string) bool {
		return slices.Contains(d.Offers, field) || slices.ContainsFunc(d.Columns, func(col metrics.Column) bool {
			return col.Formula.Op == metrics.OpField && col.Formula.Field == field
		})
	}
	known := func(field string) bool {
		if field == metrics.Basis {
			field = string(c.Q.Basis)
		}
		return attribute(field) || slices.Contains(star.Run.Rollup("run_attempt").Measures, field)
	}
	other := func(key string) bool {
		if real, ok := d.Aliases[key]; ok {
			key = real
		}
		return !attribute(key)
	}
	return !slices.ContainsFunc(metrics.FilterKeys(c.Q.Filter), other) &&
		!slices.ContainsFunc(cols, func(col metrics.Column) bool { return !col.Formula.Follows(known) })
}

// try is the attempt of a total, if the dataset's rows distinguish attempts.
func (c Compiler) try() string {
	if slices.Contains(c.Q.Dataset.RowKey, "attempt") {
		return "q.attempt_id"
	}
	return "null::uuid"
}

// ofRuns leaves out facts of runs that are not in the answer, if there can be such: a day is rolled up for all runs.
func (c Compiler) ofRuns(column string) string {
	of := baseOf(c.Q.Dataset).runs
	switch {
	case c.shown: // joined: single look-ups are slow where the server reads a stretch of time
		return "and " + column + " in (select many from shown)"
	case of == "" || c.arguments == nil || c.Q.Window == (period.Interval{}):
		return ""
	}
	return "and " + column + " in (" + c.runsAsked(of, c.runTerms()) + ")"
}

// theseRuns leaves out runs that the filter alone excludes, or that are not shown.
func (c Compiler) theseRuns(column string) string {
	terms := c.runTerms()
	switch {
	case c.shown:
		return c.seek(column)
	case len(terms) == 0:
		return ""
	}
	return "and " + column + " in (" + c.runsAsked(baseOf(c.Q.Dataset).runs, terms) + ")"
}

// runsAsked are the runs of a statement that match terms.
func (c Compiler) runsAsked(of string, terms []string) string {
	return "select k.run_id from (\n" +
		strings.Join(append([]string{c.Expand(pg.Statement(of)) + "\n) k where true"}, terms...), " and ")
}

// runTerms are the terms of the query's filter over runs k (report.known_runs) that are the same for all rows of a
// run.
func (c Compiler) runTerms() (terms []string) {
	same := baseOf(c.Q.Dataset).same
	other := func(key string) bool {
		if real, ok := c.Q.Dataset.Aliases[key]; ok {
			key = real
		}
		return !slices.Contains(same, key)
	}
	for _, term := range metrics.Terms(c.Q.Filter) {
		if len(same) > 0 && !slices.ContainsFunc(metrics.FilterKeys(term), other) {
			terms = append(terms, c.filter("k", term, false))
		}
	}
	return terms
}
