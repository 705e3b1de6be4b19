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

// rows is the text of @NAME_rows: rows of a fact with their hour, all keys and the measures that are read. Rolled-up
// time comes from the roll-up that answers: each row has the start of the time that it adds up, and NULL for keys
// that the roll-up lacks. The rest comes from the ledger.
func (c Compiler) rows(rd read) string {
	var texts []string
	chosen := rd.choose(c.Q, c.sees)
	for _, p := range c.pieces(rd) {
		at := c.over(p.Span)
		switch {
		case rd.when != nil && !rd.when(c.Q), p.From == fromNowhere, p.From == fromLedger && rd.added:
		case p.From == fromLedger:
			texts = append(texts, at.ledgerRows(rd))
		case c.arguments == nil: // a view, which any reader may query
			texts = append(texts, at.rowsForAll(rd, p.From))
		default:
			for i, r := range chosen {
				texts = append(texts, at.addedRows(rd, r, p.From, i == 0))
			}
		}
	}
	if len(texts) == 0 { // the server need not plan it
		return "select null::timestamptz as hour, " + strings.Join(rd.columns(nil), ", ") + " where false"
	}
	return strings.Join(texts, "\nunion all\n")
}

// pieces are the stretches of time from which a fact is read.
func (c Compiler) pieces(rd read) []piece {
	if baseOf(c.Q.Dataset).allTime {
		c.window = period.Interval{}
	}
	pieces := []piece{{fromLedger, c.window}}
	if c.Plan != nil {
		pieces = c.Plan.Pieces
	}
	if rd.latest(c.Q) {
		return daysOrMonths(pieces)
	}
	return pieces
}

// daysOrMonths turns all pieces except months into days.
func daysOrMonths(list []piece) (out []piece) {
	for _, p := range list {
		if p.From != fromMonths {
			p.From = fromDays
		}
		if n := len(out); n > 0 && out[n-1].From == p.From {
			out[n-1].Span.To = p.Span.To
			continue
		}
		out = append(out, p)
	}
	return out
}

// ledgerRows are rows of a fact from the ledger.
func (c Compiler) ledgerRows(rd read) string {
	c.Plan = nil
	names := slices.Concat(star.Names(rd.fact.Keys), rd.sums)
	rows := rd.fact.Led("(\n"+pg.Statement(rd.fact.Rows)+"\n)", names)
	return "select r.hour, " + star.Listed("r.", names) + " from " + c.Expand(rows) + " r"
}

// addedRows are rows of a roll-up, with its measures if whole, else with its keys alone, to be counted.
func (c Compiler) addedRows(rd read, r *star.Rollup, from source, whole bool) string {
	have := r.Keys
	if whole {
		have = slices.Concat(r.Keys, r.Any, rd.sums)
	}
	return c.Expand("select r.at as hour, " + strings.Join(rd.columns(have), ", ") +
		" from " + rd.fact.Table(r, stepOf(r, from)).Within() + " r" + c.narrowed(r))
}

// columns are the keys and measures of a fact as columns of rows r, which have some of them.
func (rd read) columns(have []string) (list []string) {
	column := func(name string, typ star.Type) {
		if slices.Contains(have, name) {
			list = append(list, "r."+name)
			return
		}
		list = append(list, "null::"+string(typ)+" as "+name)
	}
	for _, k := range rd.fact.Keys {
		column(k.Name, k.Type)
	}
	for _, m := range rd.fact.Measures {
		if slices.Contains(rd.sums, m.Name) {
			column(m.Name, m.Type)
		}
	}
	return list
}

// rowsForAll are the rows of a view for any reader: readers with full access get the best roll-up, others the best
// one for scoped users.
func (c Compiler) rowsForAll(rd read, from source) string {
	of := func(sees shape) string { return c.addedRows(rd, rd.choose(c.Q, sees)[0], from, true) }
	whole, part := of(shape{}), of(shape{inPart: true})
	if whole == part {
		return whole
	}
	return "select * from (\n" + whole + "\n) w where " + readsWhole + "\nunion all\n" +
		"select * from (\n" + part + "\n) w where not " + readsWhole
}

// readsWhole is the condition that a login reads views as a whole. A subquery, so that the server evaluates it once
// and runs only one of the two branches. A login without a scope reads what the owner of the views may read:
// everything or nothing.
const readsWhole = "(select coalesce((select everything from session_scope()), true))"

// narrowed leaves out rows that cannot contribute to the answer.
func (c Compiler) narrowed(r *star.Rollup) string {
	var terms []string
	b := baseOf(c.Q.Dataset)
	switch {
	case b.lives && r.Has("run_id"):
		which := c.ofRuns("r.run_id")
		if which == "" {
			which = c.theseRuns("r.run_id")
		}
		terms = append(terms, strings.TrimPrefix(which, "and "))
	case c.shown && r.Has(b.many): // rows without a name belong to none of them
		terms = append(terms, "(r."+b.many+" is null or r."+b.many+" in (select many from shown))")
	}
	if c.Q.BillingPeriod != "" && r.Has("billing_period") {
		terms = append(terms, c.Expand("r.billing_period = @billing_period"))
	}
	if r.Has("team") && c.sees.teams != nil { // without it, the policy runs for each row
		term := "r.team = any (" + c.list(c.sees.teams) + ")" // no coalesce: it is not leakproof
		if slices.Contains(c.sees.teams, "") {
			term += " or r.team is null"
		}
		terms = append(terms, "("+term+")")
	}
	if terms = slices.DeleteFunc(terms, func(term string) bool { return term == "" }); len(terms) == 0 {
		return ""
	}
	return " where " + strings.Join(terms, " and ")
}

// wholeFact is the fact whose rows answer a dataset without a statement; nil if the dataset has a statement.
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

// datasetRows are the rows of a fact's first roll-up, with the columns of the owner and the machine that its keys
// lead to.
func (c Compiler) datasetRows(f *star.Fact) string {
	r := &f.Rollups[0]
	list, from := "p.*", "\nfrom (\n"+c.rows(readOf(f))+"\n) p"
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

// stepOf is the largest step by which a roll-up is kept and from which a piece of a plan can be read: a roll-up
// without months has their days, or their hours.
func stepOf(r *star.Rollup, from source) star.Step {
	for _, s := range []struct {
		from source
		step star.Step
	}{{fromMonths, star.Months}, {fromDays, star.Days}} {
		if from >= s.from && r.By(s.step) {
			return s.step
		}
	}
	return star.Hours
}

// costRows is the text of @cost_rows: costs by hour and all keys of the fact.
func costRows(span period.Interval) string {
	costs, _ := metrics.LookupDataset("costs")
	q := metrics.Query{Dataset: costs, Window: span, Granularity: metrics.Hour, Basis: ledger.EffectiveCost}
	for _, k := range star.Cost.Keys {
		if k.Name == "currency" {
			continue // all rows have them
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
		rows = append(rows, fmt.Sprintf("('%s', '%s', %s, %s, %s, %s)", t.Name, strings.ReplaceAll(t.String(), "'", "''"),
			bound(t.AtLeast), bound(t.AtMost), bound(t.ActBelow), bound(t.ActAbove)))
	}
	return "(values " + strings.Join(rows, ", ") + ") t (target, goal, at_least, at_most, act_below, act_above)"
}

// FactRows is the statement for the rows of a fact in a span, with literals only: the server cannot create a table
// from a statement with parameters. The report compiler writes it, so that keys mean the same in both.
func FactRows(f *star.Fact, span period.Interval) string {
	runs, _ := metrics.LookupDataset("runs")
	return stating(metrics.Query{Dataset: runs, Window: span}).Expand(pg.Statement(f.Rows))
}

// FilledIn fills the tenant and a span into a statement about facts, as literals.
func FilledIn(text string, span period.Interval) string {
	return stating(metrics.Query{Window: span}).Expand(text)
}
