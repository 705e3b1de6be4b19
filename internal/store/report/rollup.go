package report

import (
	"slices"
	"strings"

	"gpuledger/metrics"
)

// costKeys are the keys that a report of costs is grouped and filtered by.
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
	return keys
}

// rolledUp is the base relation of costs from roll-ups, with the columns of
// the one from the ledger; its rows are few enough to be added up once.
func (c Compiler) rolledUp(keys []metrics.Key) string {
	rollup := c.costs().choose(c.Q, c.sees)[0]
	var cols []string
	var need [joinCount]bool
	kind := c.matches("kind")
	for _, k := range keys {
		expr := "p." + ident(k.Name)
		if !rollup.Has(k.Name) {
			kc := c.keySQL(k)
			expr = kc.expr
			for _, j := range kc.joins {
				need[j] = true
			}
		}
		kind = kind && k.Name != "kind"
		if k.Name != "cause" && k.Name != "state" {
			cols = append(cols, expr+" as "+ident(k.Name))
		}
	}
	cols = append(cols, "p.cause", c.currency(), "p.state")
	if kind {
		cols = append(cols, "p.kind")
	}
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

// rollupRows are the rows that were added up, each at the start of what it adds up.
func (c Compiler) rollupRows() string {
	rd := c.costs()
	rd.added = true
	return c.rows(rd)
}

// costs is what is read of costs.
func (c Compiler) costs() read {
	rd := baseOf(c.Q.Dataset).reads[0]
	rd.sums = c.sums()
	return rd
}

// sums are the sums that the columns of the answer are made of.
func (c Compiler) sums() []string {
	used := func(name string) bool {
		return slices.ContainsFunc(c.Q.Columns(), func(col metrics.Column) bool {
			return col.Formula.Reads(name) || name == string(c.Q.Basis) && col.Formula.Reads(metrics.Basis)
		})
	}
	return slices.DeleteFunc(slices.Clone(factSums), func(name string) bool { return !used(name) })
}
