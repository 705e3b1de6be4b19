package report

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// rowsOf are the rows of a fact in the window with the columns that a report
// reads: of what was added up by r, at the start of it, and of all else from the
// ledger.
func (c Compiler) rowsOf(f *star.Fact, r *star.Rollup, columns ...string) string {
	list := star.Listed("r.", columns)
	ledger := func(c Compiler) string {
		return "select r.hour, " + list + " from " + c.Expand(f.Led("(\n"+pg.Statement(f.Rows)+"\n)", columns)) + " r"
	}
	if c.Plan == nil {
		return ledger(c)
	}
	parts := c.addedRows(f, r, "select r.at as hour, "+list)
	for _, p := range c.Plan.Pieces {
		if p.From == fromLedger {
			parts = append(parts, ledger(c.over(p.Span)))
		}
	}
	return strings.Join(parts, "\nunion all\n")
}

// wholeRows are rowsOf with all columns of a roll-up.
func (c Compiler) wholeRows(f *star.Fact, r *star.Rollup) string {
	return c.rowsOf(f, r, f.Table(r, r.Steps[0]).Columns()...)
}

// wholeFact is the fact whose rows are those of a dataset that has no statement of
// its own; nil where it has one.
func wholeFact(d *metrics.Dataset) *star.Fact {
	if _, own := pg.Statements["report."+d.Name]; own {
		return nil
	}
	i := slices.IndexFunc(star.Facts, func(f *star.Fact) bool { return slices.Contains(f.Reads, d.Name) })
	if i < 0 {
		return nil
	}
	return star.Facts[i]
}

// datasetRows are the rows of the first roll-up of a fact, with the columns of the owner
// and the machine that its keys lead to.
func (c Compiler) datasetRows(f *star.Fact) string {
	r := &f.Rollups[0]
	list, from := "p.*", "\nfrom (\n"+c.wholeRows(f, r)+"\n) p"
	if c.Q.Dataset.Stepped {
		list += c.Expand(", @period_start as period_start")
	}
	for _, lead := range []struct {
		key     string
		columns func(but []string) string
		join    join
	}{{ownerID, ownerColumnsSQL, joinOwner}, {"node_id", nodeColumnsSQL, joinNode}} {
		if r.Has(lead.key) {
			list += ", " + lead.columns(r.Keys)
			from += "\n" + c.Expand(joinSQL[lead.join])
		}
	}
	return "select " + list + from
}

// addedRows select from rows r of what was added up, piece by piece.
func (c Compiler) addedRows(f *star.Fact, r *star.Rollup, selected string) (parts []string) {
	if c.Plan == nil {
		return nil
	}
	for _, p := range c.Plan.Pieces {
		if step, ok := stepOf(r, p.From); ok {
			parts = append(parts, c.over(p.Span).Expand(selected+" from "+f.Table(r, step).Within()+" r"))
		}
	}
	return parts
}

// stepOf is the largest step that a roll-up is kept by and a piece of a plan can
// be read from: what has no months has their days, or their hours.
func stepOf(r *star.Rollup, from source) (star.Step, bool) {
	for _, s := range []struct {
		from source
		step star.Step
	}{{fromMonths, star.Months}, {fromDays, star.Days}, {fromHours, star.Hours}} {
		if from >= s.from && r.By(s.step) {
			return s.step, true
		}
	}
	return star.Step{}, false
}

// gangRows are what attempts paid for their gangs, in all of their lives.
func (c Compiler) gangRows() string {
	c = c.over(period.Interval{})
	if !baseOf(c.Q.Dataset).allTime { // plans of others are of other times
		return c.Expand(pg.Statement(star.Gang.Rows))
	}
	return c.rowsOf(&star.Gang, star.Gang.Rollup("gang"), "run_id", "attempt_id", "currency", "effective_cost")
}

// costRows is what @cost_rows stands for: costs by hour and all keys of the fact.
func costRows(span period.Interval) string {
	costs, _ := metrics.LookupDataset("costs")
	q := metrics.Query{Dataset: costs, Window: span, Granularity: metrics.Hour, Basis: ledger.EffectiveCost}
	for _, k := range star.Cost.Keys {
		if k.Name == "currency" {
			continue // all rows have it
		}
		known, ok := metrics.LookupKey(k.Name)
		if !ok {
			known = metrics.Key{Name: k.Name}
		}
		q.GroupBy = append(q.GroupBy, known)
	}
	return stating(q).costsBase()
}

// targetValues are the bounds of metrics.Targets as rows.
func targetValues() string {
	bound := func(text string) string {
		if text == "" {
			return "null::numeric"
		}
		return text + "::numeric"
	}
	var rows []string
	for _, t := range metrics.Targets {
		rows = append(rows, fmt.Sprintf("('%s', '%s', %s, %s, %s, %s)", t.Name, strings.ReplaceAll(t.String(), "'", "''"), bound(t.AtLeast), bound(t.AtMost), bound(t.ActBelow), bound(t.ActAbove)))
	}
	return "(values " + strings.Join(rows, ", ") + ") t (target, goal, at_least, at_most, act_below, act_above)"
}

// FactRows is the statement of the rows of a fact in a span, in which all is
// literal: the server makes no table of a statement with parameters. It comes from
// the compiler of reports, so that a key means the same there and here.
func FactRows(f *star.Fact, span period.Interval) string {
	runs, _ := metrics.LookupDataset("runs")
	return stating(metrics.Query{Dataset: runs, Window: span}).Expand(pg.Statement(f.Rows))
}

// FilledIn is a statement about facts with the tenant and a span for its
// placeholders, in which all is literal.
func FilledIn(text string, span period.Interval) string {
	return stating(metrics.Query{Window: span}).Expand(text)
}
