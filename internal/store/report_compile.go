package store

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// compiler turns a metrics.Query into one statement. Names come from the
// definitions and the tables of this file only; values become parameters, or
// quoted literals in the definitions of views, which cannot have parameters.
type compiler struct {
	q        metrics.Query
	literals bool
	args     []any
	seen     map[string]string // value and type → parameter
}

// value returns the SQL for a value of the given type.
func (c *compiler) value(v, typ string) string {
	if c.literals {
		return "'" + strings.ReplaceAll(v, "'", "''") + "'::" + typ
	}
	key := typ + "\x00" + v
	if p, ok := c.seen[key]; ok {
		return p
	}
	c.args = append(c.args, v)
	p := "$" + strconv.Itoa(len(c.args)) + "::text::" + typ
	if typ == "text" {
		p = "$" + strconv.Itoa(len(c.args)) + "::text"
	}
	if c.seen == nil {
		c.seen = map[string]string{}
	}
	c.seen[key] = p
	return p
}

func (c *compiler) instant(s period.Second, open string) string {
	if s == 0 {
		return "'" + open + "'::timestamptz"
	}
	return c.value(s.String(), "timestamptz")
}

var placeholder = regexp.MustCompile(`@[a-z_]+`)

// expand fills the placeholders of a static text.
func (c *compiler) expand(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		switch name {
		case "@tenant":
			return strconv.Itoa(tenant)
		case "@from":
			return c.instant(c.q.Window.From, "-infinity")
		case "@to":
			return c.instant(c.q.Window.To, "infinity")
		case "@billing_period":
			if c.q.BillingPeriod == "" {
				return "null::text"
			}
			return c.value(string(c.q.BillingPeriod), "text")
		case "@owner_columns":
			return ownerColumnsSQL()
		case "@facts":
			return c.expand(statement("report.facts"))
		case "@facts_all":
			window := c.q.Window
			c.q.Window = period.Interval{}
			text := c.expand(statement("report.facts"))
			c.q.Window = window
			return text
		}
		return name
	})
}

// compile returns the statement of q and its arguments. Columns come in the
// order of q.Columns().
func compile(q metrics.Query) (string, []any) {
	c := &compiler{q: q}
	text := c.body()
	var order []string
	for _, o := range q.Order {
		term := "q." + ident(o.Column)
		if i := slices.IndexFunc(q.Columns(), func(col metrics.Column) bool { return col.Name == o.Column }); i >= 0 && q.Columns()[i].Kind == metrics.Text {
			term += ` collate "C"`
		}
		if o.Desc {
			term += " desc"
		}
		order = append(order, term+" nulls last")
	}
	text = "select * from (\n" + text + "\n) q\norder by " + strings.Join(order, ", ")
	if q.Limit > 0 {
		text += "\nlimit " + strconv.Itoa(q.Limit)
	}
	if q.Offset > 0 {
		text += "\noffset " + strconv.Itoa(q.Offset)
	}
	return text, c.args
}

// body is the statement without order and limit.
func (c *compiler) body() string {
	base := ""
	if c.q.Dataset.Grouped {
		base = c.costsBase()
	} else {
		base = c.expand(statement("report." + c.q.Dataset.Name))
	}
	cols := c.q.Columns()
	var list, group []string
	for _, col := range cols {
		expr := c.formula(col.Formula, col.Kind)
		if col.Formula.Op == metrics.OpField {
			group = append(group, expr)
		}
		if col.Kind.Decimal() {
			if col.Kind == metrics.Ratio {
				expr = fmt.Sprintf("round(%s, %d)", expr, metrics.RatioDigits)
			}
			expr = "trim_scale(" + expr + ")"
		}
		list = append(list, expr+" as "+ident(col.Name))
	}
	text := "select " + strings.Join(list, ",\n  ") + "\nfrom (\n" + base + "\n) f"
	if c.q.Filter != nil {
		text += "\nwhere " + c.filter(c.q.Filter, false)
	}
	if c.q.Dataset.Aggregates() {
		text += "\ngroup by " + strings.Join(group, ", ")
	}
	return text
}

// formula compiles a definition over the base relation f.
func (c *compiler) formula(f metrics.Formula, kind metrics.Kind) string {
	field := f.Field
	if field == metrics.Basis {
		field = string(c.q.Basis)
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
		return fmt.Sprintf("(%s) / nullif(%s, 0)", c.formula(*f.Num, kind), c.formula(*f.Den, kind))
	case metrics.OpLeastSettled:
		// final < open < provisional is the order of the alphabet, too.
		return "max(" + col + ")"
	case metrics.OpWorstQuality:
		share := func(q string) string {
			return fmt.Sprintf("bool_or(%[1]s = '%[2]s') and 100 * coalesce(sum(f.effective_abs) filter (where %[1]s = '%[2]s'), 0) >= coalesce(sum(f.effective_abs), 0)", col, q)
		}
		return fmt.Sprintf("case when %s then 'assumed' when %s then 'estimated' when bool_or(%s is not null) then 'measured' end",
			share("assumed"), share("estimated"), col)
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

func (c *compiler) match(where []metrics.Match) string {
	var terms []string
	for _, m := range where {
		var values []string
		for _, v := range m.Values {
			values = append(values, "'"+strings.ReplaceAll(v, "'", "''")+"'") // from the definitions
		}
		terms = append(terms, fmt.Sprintf("f.%s in (%s)", ident(m.Field), strings.Join(values, ", ")))
	}
	return strings.Join(terms, " and ")
}

// costsBase is the base relation of costs: facts with the bucket and the keys
// that the query groups or filters by.
func (c *compiler) costsBase() string {
	need := [joinCount]bool{}
	cols := []string{c.bucket()}
	done := map[string]bool{}
	add := func(k metrics.Key) {
		if done[k.Name] {
			return
		}
		done[k.Name] = true
		kc := c.keySQL(k)
		for _, j := range kc.joins {
			need[j] = true
		}
		cols = append(cols, kc.expr+" as "+ident(k.Name))
	}
	for _, k := range c.q.GroupBy {
		add(k)
	}
	for _, name := range filterKeys(c.q.Filter) {
		if k, ok := metrics.LookupKey(name); ok {
			add(k)
		}
	}
	for _, name := range []string{"cause", "state"} {
		k, _ := metrics.LookupKey(name)
		add(k)
	}
	cols = append(cols, "p.currency, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh")
	text := "select " + strings.Join(cols, ", ") + "\nfrom (" + c.expand("@facts") + ") p"
	if c.q.Granularity == metrics.Total {
		text += "\ncross join (" + c.expand(statement("report.bounds")) + ") bounds"
	}
	for j, on := range need {
		if on {
			text += "\n" + c.expand(joinSQL[j])
		}
	}
	if c.q.BillingPeriod != "" {
		text += c.expand("\nwhere p.billing_period = @billing_period")
	}
	return text
}

// bucket computes period_start and period_end of a fact.
func (c *compiler) bucket() string {
	utc := c.q.Zone == "UTC" || c.q.Zone == ""
	start, step := "", ""
	switch c.q.Granularity {
	case metrics.Hour:
		return "p.hour as period_start, p.hour + interval '1 hour' as period_end"
	case metrics.Day:
		start, step = "date_bin('1 day', p.hour, '2001-01-01 00:00:00+00'::timestamptz)", "24 hours"
	case metrics.Week: // 2001-01-01 was a Monday
		start, step = "date_bin('7 days', p.hour, '2001-01-01 00:00:00+00'::timestamptz)", "168 hours"
	case metrics.Month:
		utc = false // months have no fixed length
	default:
		return "bounds.period_start, bounds.period_end"
	}
	if utc {
		return fmt.Sprintf("%[1]s as period_start, %[1]s + interval '%[2]s' as period_end", start, step)
	}
	zone := c.value(zoneOf(c.q), "text")
	unit := string(c.q.Granularity)
	start = fmt.Sprintf("date_trunc('%s', p.hour, %s)", unit, zone)
	return fmt.Sprintf("%[1]s as period_start, (((%[1]s at time zone %[2]s) + interval '1 %[3]s') at time zone %[2]s) as period_end", start, zone, unit)
}

func zoneOf(q metrics.Query) string {
	if q.Zone == "" {
		return "UTC"
	}
	return q.Zone
}
