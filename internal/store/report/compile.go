package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Compiler turns a question into one statement. It is a value: what reads another
// stretch of time, another half of the facts or another table is compiled by a copy
// that says so, and only the arguments are shared. Names come from the definitions and
// the tables of this room only; values become parameters, or quoted literals in the
// definitions of views, which cannot have parameters.
type Compiler struct {
	Q      metrics.Query   // as it was asked
	Plan   *RollupPlan     // nil: everything from the ledger
	window period.Interval // the stretch that is read
	facts  string          // the statement that @facts stands for
	kept   string          // the table that @kept stands for, or which rows of it
	shown  bool            // of what is in shown alone: see top
	sees   shape           // what whoever asks sees
	totals bool            // from what attempts cost in all: see ofTotals
	*arguments
}

// arguments are the values of a statement; nil: they are literals.
type arguments struct {
	Args []any
	seen map[string]string // value and type → parameter
}

// Asking compiles a question that is answered by a plan, with values as parameters.
func Asking(q metrics.Query, plan *RollupPlan) Compiler {
	c := Compiler{Q: q, Plan: plan, window: q.Window, arguments: &arguments{seen: map[string]string{}}}
	if plan != nil {
		c.sees = plan.sees
	}
	return c
}

// stating compiles a question in which all is literal.
func stating(q metrics.Query) Compiler { return Compiler{Q: q, window: q.Window} }

// over compiles what is read of a stretch of time.
func (c Compiler) over(span period.Interval) Compiler {
	c.window = span
	return c
}

// from compiles what is read from facts.
func (c Compiler) from(facts string) Compiler {
	c.facts = facts
	return c
}

// in compiles what is read from a table of what was added up.
func (c Compiler) in(kept string) Compiler {
	c.kept = kept
	return c
}

// about compiles another question that this one is made of.
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
	p := "$" + strconv.Itoa(len(c.Args)) + "::" + typ // read once, as the parameter: a cast of text would be made for each row
	c.seen[key] = p
	return p
}

// list returns the SQL for an array of texts.
func (c Compiler) list(texts []string) string {
	c.Args = append(c.Args, texts)
	return "$" + strconv.Itoa(len(c.Args)) + "::text[]"
}

func (c Compiler) instant(s period.Second, open string) string {
	if s == 0 {
		return "'" + open + "'::timestamptz"
	}
	return c.value(s.String(), "timestamptz")
}

// eachFacts joins what make returns for either half of the facts, and after
// sharing for the pairs.
func (c Compiler) eachFacts(make func(c Compiler) string) string {
	files := []string{"report.facts_billed", "report.facts_uncovered"}
	switch {
	case !c.Q.Statement.IsZero():
		files = []string{"report.facts_statement"}
	case c.Q.AsOf != 0:
		files = []string{"report.facts_as_of"}
	case c.Q.Sharing == metrics.AfterSharing:
		files = append(files, "report.facts_shared")
	}
	var parts []string
	for _, facts := range files {
		half := c.from(facts)
		if c.Plan == nil || facts == "report.facts_shared" { // no roll-up has pairs
			parts = append(parts, make(half))
			continue
		}
		for _, p := range c.Plan.Pieces {
			if p.From == fromLedger {
				parts = append(parts, make(half.over(p.Span)))
			}
		}
	}
	return strings.Join(parts, "\nunion all\n")
}

// ofTheirRuns names a table of the ledger, for who sees a part and asks about runs the
// view of it that has all of his runs: a run is of one owner, its rows may be of several.
func (c Compiler) ofTheirRuns(table string) string {
	if c.sees.inPart && baseOf(c.Q.Dataset).lives {
		return table + "_of_runs"
	}
	return table
}

// compile returns the statement of q and its arguments, for whoever asks; without a plan
// it reads the ledger alone. Columns come in the order of q.Columns().
func compile(ctx context.Context, q metrics.Query, plan *RollupPlan) (string, []any) {
	c := Asking(q, plan)
	c.sees.inPart = access.From(ctx).Bounded()
	text := c.body()
	var order []string
	for _, o := range q.Order {
		var kind metrics.Kind
		if i := slices.IndexFunc(q.Columns(), func(col metrics.Column) bool { return col.Name == o.Column }); i >= 0 {
			kind = q.Columns()[i].Kind
		}
		order = append(order, c.orderTerm(o, "q."+ident(o.Column), kind))
	}
	text = "select * from (\n" + text + "\n) q"
	if q.Having != nil {
		text += "\nwhere " + c.filter("q", q.Having, false)
	}
	text += "\norder by " + strings.Join(order, ", ")
	if q.Limit > 0 {
		text += "\nlimit " + strconv.Itoa(q.Limit)
	}
	if q.Offset > 0 {
		text += "\noffset " + strconv.Itoa(q.Offset)
	}
	return text, c.Args
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
	var cols []answerColumn
	var list, group []string
	for _, col := range c.Q.Columns() {
		a := answerColumn{Column: col, expr: c.formula(col.Formula, col.Kind), grouped: col.Formula.Op == metrics.OpField}
		if c.Q.Dataset.Grouped && col.Kind == metrics.Time {
			a.expr = c.periodColumn(col.Name)
			a.grouped = a.expr == `f."period_start"`
		}
		if a.grouped {
			group = append(group, a.expr)
		}
		if col.Kind.Integer() && col.Formula.Aggregates() { // sums of integers are numeric
			a.expr = "(" + a.expr + ")::bigint"
		}
		if col.Kind.Decimal() {
			if col.Kind == metrics.Ratio {
				a.expr = fmt.Sprintf("round(%s, %d)", a.expr, metrics.RatioDigits)
			}
			a.expr = "trim_scale(" + a.expr + ")"
		}
		cols = append(cols, a)
		list = append(list, a.expr+" as "+ident(col.Name))
	}
	where := ""
	if c.Q.Filter != nil {
		where = "\nwhere " + c.filter("f", c.Q.Filter, false)
	}
	answer := strings.Join(list, ",\n  ")
	if !c.Q.Dataset.Aggregates() && !c.Q.Regrouped() {
		group = nil
	}
	if text := c.top(base, answer, where, group, cols); text != "" {
		return text
	}
	if len(group) > 0 {
		where += "\ngroup by " + strings.Join(group, ", ")
	}
	return "select " + answer + "\nfrom (\n" + base + "\n) f" + where
}

// ungrouped are the base rows of a dataset that is not grouped by keys.
func (c Compiler) ungrouped() string {
	if f := wholeFact(c.Q.Dataset); f != nil {
		return c.datasetRows(f)
	}
	base := c.Expand(pg.Statement("report." + c.Q.Dataset.Name))
	if baseOf(c.Q.Dataset).lives {
		base += "\noffset 0" // filters are for its few rows: inside, they make the server think that there are fewer still
	}
	return base
}

// formula compiles a definition over the base relation f.
func (c Compiler) formula(f metrics.Formula, kind metrics.Kind) string {
	field := f.Field
	if field == metrics.Basis {
		field = string(c.Q.Basis)
	}
	col := "f." + ident(field)
	switch f.Op {
	case metrics.OpField:
		return col
	case metrics.OpSum:
		cond := c.match(f.Where)
		sum := "sum(" + col + ")" + filterClause(cond)
		if !f.ZeroWhenNone {
			return sum
		}
		count := "count(*)" + filterClause(cond)
		if cond == "" {
			return fmt.Sprintf("case when %s = 0 then 0 else %s end", count, sum)
		}
		// 0 where nothing matches, and where what matches is unknown beside
		// known others, so that parts add up to their total.
		return fmt.Sprintf("coalesce(%s, case when %s = 0 or sum(%s) is not null then 0 end)", sum, count, col)
	case metrics.OpSumAll:
		cond := c.match(f.Where)
		unknown := col + " is null"
		if cond != "" {
			unknown += " and " + cond
		}
		return fmt.Sprintf("case when count(*) filter (where %s) = 0 then coalesce(sum(%s)%s, 0) end", unknown, col, filterClause(cond))
	case metrics.OpRatio:
		return fmt.Sprintf("(%s)::numeric / nullif(%s, 0)", c.formula(*f.Num, kind), c.formula(*f.Den, kind))
	case metrics.OpLess:
		return fmt.Sprintf("(%s) - coalesce(%s, 0)", c.formula(*f.Num, kind), c.formula(*f.Den, kind))
	case metrics.OpLeastSettled:
		// final < open < provisional is the order of the alphabet, too.
		return "max(" + col + ")"
	case metrics.OpWorstQuality:
		share := func(q string) string { // metrics.WorstQuality
			return fmt.Sprintf("bool_or(%[1]s = '%[2]s') and %[3]d * coalesce(sum(f.effective_abs) filter (where %[1]s = '%[2]s'), 0) >= coalesce(sum(f.effective_abs), 0)",
				col, q, metrics.QualityParts)
		}
		return fmt.Sprintf("case when %s then 'assumed' when %s then 'estimated' when bool_or(%s is not null) then 'measured' end",
			share("assumed"), share("estimated"), col)
	case metrics.OpDistinct:
		return fmt.Sprintf("string_agg(distinct %[1]s, ' ' order by %[1]s)", col)
	case metrics.OpCount:
		if f.Listed {
			return fmt.Sprintf("(select count(distinct v) from unnest(string_to_array(string_agg(%s, ','), ',')) v)", col)
		}
		return "count(distinct " + col + ")" + filterClause(c.match(f.Where))
	case metrics.OpPercentile:
		return fmt.Sprintf("bins_percentile(merged_bins(%s), %d) / %d", col, f.Percent, f.Per)
	case metrics.OpRank:
		return fmt.Sprintf("percentile_disc(%d / 1e6) within group (order by %s)%s", f.Share, col, filterClause(c.match(f.Where)))
	case metrics.OpMin, metrics.OpMax:
		return string(f.Op) + "(" + col + ")" + filterClause(c.match(f.Where))
	case metrics.OpQuantile:
		cond := col + " is not null"
		if more := c.match(f.Where); more != "" {
			cond += " and " + more
		}
		return fmt.Sprintf("histogram_quantile(merged_histograms(%s)%s, %d / 1e6)", col, filterClause(cond), f.Share)
	}
	switch { // OpUnknown
	case kind.Decimal():
		return "null::numeric"
	case kind.Integer():
		return "null::bigint"
	}
	return "null::text"
}

func filterClause(cond string) string {
	if cond == "" {
		return ""
	}
	return " filter (where " + cond + ")"
}

func (c Compiler) match(where []metrics.Match) string {
	var terms []string
	for _, m := range where {
		if len(m.Values) == 0 {
			field := m.Field
			if field == metrics.Basis {
				field = string(c.Q.Basis)
			}
			terms = append(terms, "f."+ident(field)+" is not null")
			continue
		}
		var values []string
		for _, v := range m.Values {
			values = append(values, "'"+strings.ReplaceAll(v, "'", "''")+"'") // from the definitions
		}
		terms = append(terms, fmt.Sprintf("f.%s in (%s)", ident(m.Field), strings.Join(values, ", ")))
	}
	return strings.Join(terms, " and ")
}
