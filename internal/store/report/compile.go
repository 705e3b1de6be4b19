package report

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// compile returns the statement of q and its arguments, for the viewer in ctx. Without a plan it reads the ledger
// alone. Columns are in the order of q.Columns().
func compile(ctx context.Context, q metrics.Query, plan *RollupPlan) (string, []any) {
	c := Asking(q, plan)
	c.sees.inPart = access.From(ctx).Bounded()
	return c.answer(nil), c.Args
}

// answer is the whole statement. With leads, their keys are in the place of the columns that they lead to, at the end.
func (c Compiler) answer(leads []lead) string {
	q := c.Q
	c.leads = leads
	list := "*"
	if leads != nil {
		list = strings.Join(ownAndKeys(q.Columns(), leads), ", ")
	}
	text := c.body()
	terms := c.orderTerms()
	var order, where []string
	for _, t := range terms {
		order = append(order, t.sql())
	}
	text = "select " + list + " from (\n" + text + "\n) q"
	if q.Having != nil {
		where = append(where, "("+c.filter("q", q.Having, false)+")")
	}
	if later := c.after(terms); later != "" {
		where = append(where, later)
	}
	if len(where) > 0 {
		text += "\nwhere " + strings.Join(where, " and ")
	}
	text += "\norder by " + strings.Join(order, ", ")
	if q.Limit > 0 {
		text += "\nlimit " + strconv.Itoa(q.Limit)
	}
	if q.Offset > 0 {
		text += "\noffset " + strconv.Itoa(q.Offset)
	}
	return text
}

// body is the statement without order and limit.
func (c Compiler) body() string {
	c.totals = c.ofTotals(c.Q.Columns())
	base := ""
	if c.Q.Dataset.Grouped {
		base = c.costsBase()
	} else {
		base = c.ungrouped()
		if c.Q.Sharing == metrics.AfterSharing {
			base += "\nunion all\n" + c.Expand(pg.Statement("report."+c.Q.Dataset.Name+"_shared"))
		}
	}
	cols := c.answerColumns()
	var list, group []string
	for _, col := range cols {
		list = append(list, col.expr+" as "+ident(col.Name))
		if col.grouped && (c.Q.Dataset.Aggregates() || c.Q.Regrouped()) {
			group = append(group, col.group)
		}
	}
	for _, l := range c.leads {
		list = append(list, "f."+ident(l.key))
	}
	where := ""
	if c.Q.Filter != nil {
		where = "\nwhere " + c.filter("f", c.Q.Filter, false)
	}
	answer := strings.Join(list, ",\n  ")
	if text := c.top(base, answer, where, group, cols); text != "" {
		return text
	}
	if len(group) > 0 {
		where += "\ngroup by " + strings.Join(group, ", ")
	}
	return "select " + answer + "\nfrom (\n" + base + "\n) f" + where
}

// answerColumns are the columns of the answer over the base rows f.
func (c Compiler) answerColumns() (cols []answerColumn) {
	for _, col := range c.Q.Columns() {
		a := answerColumn{Column: col, expr: c.formula(col.Formula, col.Kind), grouped: col.Formula.Op == metrics.OpField}
		if c.Q.Dataset.Grouped && col.Kind == metrics.Time {
			a.expr = c.periodColumn(col.Name)
			a.grouped = a.expr == `f."period_start"`
		}
		a.group = a.expr
		switch {
		case col.Kind.Integer() && col.Formula.Aggregates(): // sums of integers are numeric
			a.expr = "(" + a.expr + ")::bigint"
		case col.Kind == metrics.Ratio:
			a.expr = fmt.Sprintf("trim_scale(round(%s, %d))", a.expr, metrics.RatioDigits)
		case col.Kind.Decimal():
			a.expr = "trim_scale(" + a.expr + ")"
		}
		cols = append(cols, a)
	}
	return cols
}

// ungrouped are the base rows of a dataset that is not grouped by keys.
func (c Compiler) ungrouped() string {
	if f := wholeFact(c.Q.Dataset); f != nil {
		return c.datasetRows(f)
	}
	base := c.Expand(pg.Statement("report." + c.Q.Dataset.Name))
	if baseOf(c.Q.Dataset).lives {
		base += "\noffset 0" // filters run on its few rows; inside, they would make the planner expect even fewer
	}
	return base
}

// Compiler turns a query into one statement. It is a value: another stretch of time, half of the facts or table is
// compiled by a modified copy; only the arguments are shared. Names come only from the definitions and this package's
// tables; values become parameters, or quoted literals in view definitions, which cannot have parameters.
type Compiler struct {
	Q      metrics.Query   // as given
	Plan   *RollupPlan     // nil: everything from the ledger
	window period.Interval // the stretch to read
	facts  string          // the statement for @facts
	kept   string          // the table for @kept, or a suffix for which of its rows
	shown  bool            // only the rows in shown: see top
	sees   shape           // the viewer's scope
	totals bool            // from the total costs of attempts: see ofTotals
	leads  []lead          // the answer has their keys, too
	*arguments
}

// arguments are the parameters of a statement; nil: values are literals.
type arguments struct {
	Args []any
	seen map[string]string // value and type → parameter
}

// Asking compiles a query that a plan answers, with values as parameters.
func Asking(q metrics.Query, plan *RollupPlan) Compiler {
	c := Compiler{Q: q, Plan: plan, window: q.Window, arguments: &arguments{seen: map[string]string{}}}
	if plan != nil {
		c.sees = plan.sees
	}
	return c
}

// stating compiles a query with literals only.
func stating(q metrics.Query) Compiler { return Compiler{Q: q, window: q.Window} }

// over returns a copy that reads a stretch of time.
func (c Compiler) over(span period.Interval) Compiler {
	c.window = span
	return c
}

// from returns a copy that reads the given facts.
func (c Compiler) from(facts string) Compiler {
	c.facts = facts
	return c
}

// in returns a copy that reads a table of roll-ups.
func (c Compiler) in(kept string) Compiler {
	c.kept = kept
	return c
}

// about returns a copy for another query that this one needs.
func (c Compiler) about(q metrics.Query) Compiler {
	c.Q = q
	return c
}

// value returns the SQL for a value of the given type.
func (c Compiler) value(v, typ string) string {
	if c.arguments == nil {
		return "'" + strings.ReplaceAll(v, "'", "''") + "'::" + typ
	}
	key := typ + "\x00" + v
	if p, ok := c.seen[key]; ok {
		return p
	}
	c.Args = append(c.Args, v)
	p := "$" + strconv.Itoa(len(c.Args)) + "::" + typ // typed parameter: a cast from text would run for each row
	c.seen[key] = p
	return p
}

// list returns the SQL for an array of texts.
func (c Compiler) list(texts []string) string {
	c.Args = append(c.Args, texts)
	return "$" + strconv.Itoa(len(c.Args)) + "::text[]"
}
