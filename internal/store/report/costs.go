package report

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Columns of the fact row that a join needs.
var joinNeeds = [joinCount][]string{
	joinOwner:    {"owner_id"},
	joinNode:     {"node_id"},
	joinWorkload: {"workload_id"},
	joinRun:      {"run_id"},
	joinAttempt:  {"attempt_id"},
	joinPart:     {"hour", "part_id"},
	joinRate:     {"rate_id"},
}

// factSums are added up in the first step of costs: the measures of the cost fact.
var factSums = func() (names []string) {
	for _, m := range star.Cost.Measures {
		names = append(names, m.Name)
	}
	return names
}()

// costsBase is the base relation of costs, in two steps. Facts are first added up by their own columns that the keys
// need, which the server can do in parallel and in a small hash table; only the few results are then joined to the
// tables that name those columns. Keys of the charge are the exception: parts are nearly as many as facts, so these
// keys are joined before facts are added up. With a plan, its rolled-up stretches come from roll-ups.
func (c Compiler) costsBase() string {
	keys := costKeys(c.Q)
	var need [joinCount]bool
	first := firstStep{raw: []string{"cause", "currency"}}
	var cols []string
	for _, k := range keys {
		kc := c.keySQL(k)
		if slices.Contains(kc.joins, joinPart) {
			for _, j := range kc.joins {
				first.need[j] = true
			}
			first.named = append(first.named, kc.expr+" as "+ident(k.Name))
			first.raw = append(first.raw, ident(k.Name))
			cols = append(cols, "p."+ident(k.Name))
			continue
		}
		for _, j := range kc.joins {
			need[j] = true
			first.raw = append(first.raw, joinNeeds[j]...)
		}
		first.raw = append(first.raw, kc.own...)
		if k.Name != "cause" && k.Name != "state" {
			cols = append(cols, kc.expr+" as "+ident(k.Name))
		}
	}
	cols = append(cols, "p.cause", c.currency(), "p.state")
	slices.Sort(first.raw)
	first.raw = slices.Compact(first.raw)
	for _, name := range c.sums() {
		cols = append(cols, c.converted(name))
	}
	if c.Q.Granularity != metrics.Total {
		cols = append(cols, "p.period_start")
	}
	var text []string
	if facts := c.eachFacts(func(c Compiler) string { return c.factSums(first) }); facts != "" {
		text = append(text, "select "+strings.Join(cols, ", ")+"\nfrom (\n"+facts+"\n) p"+c.joins(need)+c.exchange())
	}
	if c.Plan != nil {
		text = append(text, c.rolledUp(keys))
	}
	return strings.Join(text, "\nunion all\n")
}

// costKeys are the keys that a report of costs is grouped and filtered by, and those that select what its columns add
// up: facts are never added up over any of them.
func costKeys(q metrics.Query) []metrics.Key {
	var keys []metrics.Key
	add := func(k metrics.Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range q.GroupBy {
		add(k)
	}
	for _, name := range metrics.FilterKeys(q.Filter) {
		if k, ok := metrics.LookupKey(name); ok {
			add(k)
		}
	}
	for _, col := range q.Columns() {
		for _, name := range col.Formula.Tests() {
			if k, ok := metrics.LookupKey(name); ok {
				add(k)
			}
		}
	}
	return keys
}

// rolledUp is the base relation of costs from roll-ups, with the columns of the one from the ledger. Its rows are few
// enough to be added up in one step.
func (c Compiler) rolledUp(keys []metrics.Key) string {
	rollup := c.costs().choose(c.Q, c.sees)[0]
	var cols []string
	var need [joinCount]bool
	for _, k := range keys {
		expr := "p." + ident(k.Name)
		if !rollup.Has(k.Name) {
			kc := c.keySQL(k)
			expr = kc.expr
			for _, j := range kc.joins {
				need[j] = true
			}
		}
		if k.Name != "cause" && k.Name != "state" {
			cols = append(cols, expr+" as "+ident(k.Name))
		}
	}
	cols = append(cols, "p.cause", c.currency(), "p.state")
	for _, name := range c.sums() {
		cols = append(cols, c.converted(name))
	}
	if bucket := c.bucket(); bucket != "" {
		cols = append(cols, bucket+" as period_start")
	}
	rows := c.rollupRows()
	if c.Q.Currency != "" {
		rows = "select p.*, " + serviceDay + " as service_day\nfrom (\n" + rows + "\n) p"
	}
	return "select " + strings.Join(cols, ", ") + "\nfrom (\n" + rows + "\n) p" + c.joins(need) + c.exchange()
}

// rollupRows are the rows of the roll-up, each at the start of the time that it adds up.
func (c Compiler) rollupRows() string {
	rd := c.costs()
	rd.added = true
	return c.rows(rd)
}

// costs is what a report of costs reads of the cost fact.
func (c Compiler) costs() read {
	rd := baseOf(c.Q.Dataset).reads[0]
	rd.sums = c.sums()
	return rd
}

// sums are the sums that the columns of the answer need.
func (c Compiler) sums() []string {
	used := func(name string) bool {
		return slices.ContainsFunc(c.Q.Columns(), func(col metrics.Column) bool {
			return col.Formula.Reads(name) || name == string(c.Q.Basis) && col.Formula.Reads(metrics.Basis)
		})
	}
	return slices.DeleteFunc(slices.Clone(factSums), func(name string) bool { return !used(name) })
}

// joins is the text of the joins that are needed.
func (c Compiler) joins(need [joinCount]bool) string {
	var b strings.Builder
	for j, on := range need {
		if on {
			b.WriteString("\n" + c.Expand(joinSQL[j]))
		}
	}
	return b.String()
}

// firstStep is the grouping of facts in the first step: their own columns, and keys of the charge, which are joined
// before.
type firstStep struct {
	raw   []string        // columns of p, and names in named
	named []string        // expressions with names
	need  [joinCount]bool // joins that named needs
}

// factSums adds up one half of the facts.
func (c Compiler) factSums(first firstStep) string {
	var cols, group []string
	for _, name := range first.raw {
		cols = append(cols, "p."+name)
		group = append(group, "p."+name)
	}
	if bucket := c.bucket(); bucket != "" {
		cols = append(cols, bucket+" as period_start")
		if bucket != "p.hour" || !slices.Contains(first.raw, "hour") {
			group = append(group, bucket)
		}
	}
	if c.Q.Currency != "" {
		cols = append(cols, serviceDay+" as service_day")
		group = append(group, serviceDay)
	}
	if !slices.Contains(first.raw, "state") {
		cols = append(cols, pg.LeastSettledSQL("p")+" as state")
	}
	for _, name := range c.sums() {
		cols = append(cols, fmt.Sprintf("sum(p.%[1]s) as %[1]s", name))
	}
	text := "select " + strings.Join(cols, ", ") + "\nfrom (" + c.named(first) + ") p"
	if c.Q.BillingPeriod != "" {
		text += c.Expand("\nwhere p.billing_period = @billing_period")
	}
	return text + "\ngroup by " + strings.Join(group, ", ")
}

// named is one half of the facts with the keys of the charge. The offset 0 hides their expressions from the planner,
// which would otherwise expect as many groups as the product of all values and sort every fact. Views do without it,
// so that conditions on them reach the facts, and so do queries that filter by a column of the fact, such as run.
func (c Compiler) named(first firstStep) string {
	if len(first.named) == 0 {
		return c.Expand("@facts")
	}
	text := "select p.*, " + strings.Join(first.named, ", ") + "\nfrom (" + c.Expand("@facts") + ") p"
	text += c.joins(first.need)
	if c.arguments == nil ||
		slices.ContainsFunc(metrics.FilterKeys(c.Q.Filter), func(name string) bool { return keyColumns[name].own != nil }) {
		return text
	}
	return text + "\noffset 0"
}

// bucket is the start of a fact's period; empty for totals.
func (c Compiler) bucket() string {
	switch c.Q.Granularity {
	case metrics.Hour:
		return "p.hour"
	case metrics.Day, metrics.Week:
		if c.zone() == "UTC" { // fixed length; 2001-01-01 was a Monday
			return fmt.Sprintf("date_bin('%s', p.hour, '2001-01-01 00:00:00+00'::timestamptz)", c.step())
		}
		fallthrough
	case metrics.Month:
		return fmt.Sprintf("date_trunc('%s', p.hour, %s)", c.Q.Granularity, c.value(c.zone(), "text"))
	}
	return ""
}

// periodColumn is period_start or period_end of a row of costs.
func (c Compiler) periodColumn(name string) string {
	if c.Q.Granularity == metrics.Total {
		return "(select b." + name + " from (" + c.Expand(pg.Statement("report.bounds")) + ") b)"
	}
	const start = `f."period_start"`
	if name == "period_start" {
		return start
	}
	if c.Q.Granularity == metrics.Hour || c.zone() == "UTC" && c.Q.Granularity != metrics.Month {
		return fmt.Sprintf("%s + interval '%s'", start, c.step())
	}
	zone := c.value(c.zone(), "text")
	return fmt.Sprintf("((%s at time zone %s) + interval '1 %s') at time zone %s", start, zone, c.Q.Granularity, zone)
}

// step is the length of an hour, day or week of UTC.
func (c Compiler) step() string {
	return map[metrics.Granularity]string{metrics.Hour: "1 hour", metrics.Day: "24 hours",
		metrics.Week: "168 hours"}[c.Q.Granularity]
}

func (c Compiler) zone() string {
	if c.Q.Zone == "" {
		return "UTC"
	}
	return c.Q.Zone
}
