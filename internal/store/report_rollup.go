package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpuledger/metrics"
)

// rollupPlan says what a report of costs is read from: the roll-up of a grain
// for what is as new as the ledger, the ledger itself for all else.
type rollupPlan struct {
	grain  grain
	pieces []piece
}

// grainOf finds the first grain that answers q, if any does. What was said
// earlier or closed is told by its own tables.
func grainOf(q metrics.Query) (grain, bool) {
	if !q.Dataset.Grouped || q.AsOf != 0 || !q.Statement.IsZero() {
		return grain{}, false
	}
	i := slices.IndexFunc(grains, func(g grain) bool {
		for _, k := range costKeys(q) {
			if !g.has(k) {
				return false
			}
		}
		return q.Granularity != metrics.Hour || g.hours
	})
	if i < 0 {
		return grain{}, false
	}
	return grains[i], true
}

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
func (c *compiler) rolledUp(keys []metrics.Key) string {
	g := c.plan.grain
	raw := []string{"cause", "currency", "state"}
	var cols []string
	var need [joinCount]bool
	kind := c.matches("kind")
	for _, k := range keys {
		expr := "p." + ident(k.Name)
		if slices.Contains(g.columns(), k.Name) {
			raw = append(raw, k.Name)
		} else {
			kc := c.keySQL(k)
			expr = kc.expr
			for _, j := range kc.joins {
				need[j] = true
				raw = append(raw, joinNeeds[j]...)
			}
		}
		kind = kind && k.Name != "kind"
		if k.Name != "cause" && k.Name != "state" {
			cols = append(cols, expr+" as "+ident(k.Name))
		}
	}
	cols = append(cols, "p.cause", c.currency(), "p.state")
	if kind {
		raw = append(raw, "kind")
		cols = append(cols, "p.kind")
	}
	slices.Sort(raw)
	raw = slices.Compact(raw)
	for _, name := range c.sums() {
		cols = append(cols, c.converted(name))
	}
	if bucket := c.bucket(); bucket != "" {
		cols = append(cols, bucket+" as period_start")
	}
	rows := c.rollupRows(raw)
	if c.q.Currency != "" {
		rows = "select p.*, " + serviceDay + " as service_day\nfrom (\n" + rows + "\n) p"
	}
	return "select " + strings.Join(cols, ", ") + "\nfrom (\n" + rows + "\n) p" + c.joins(need) + c.exchange()
}

// rollupRows are the rows of the plan's grain with the keys that are asked for,
// each at the start of what it adds up.
func (c *compiler) rollupRows(keys []string) string {
	var parts []string
	for _, p := range c.plan.pieces {
		text := map[source]string{
			fromMonths: "select r.month as hour, :keys, :sums from rollup_months r where r.tenant_id = @tenant and r.grain = :grain and r.month >= :from and r.month < :to:period",
			fromDays:   "select r.day as hour, :keys, :sums from rollup_days r :groups where r.tenant_id = @tenant and r.grain = :grain and r.day >= :from and r.day < :to:period",
			fromHours:  "select r.hour, :keys, :sums from rollup_hours r :groups where r.tenant_id = @tenant and r.grain = :grain and r.hour >= :from and r.hour < :to:period",
		}[p.from]
		if text == "" {
			continue
		}
		names, join := "g.", fmt.Sprintf("join rollup_groups g on g.tenant_id = @tenant and g.grain = %d and g.group_id = r.group_id", c.plan.grain.number)
		if p.from == fromMonths {
			names, join = "r.", ""
		}
		period := ""
		if c.q.BillingPeriod != "" {
			period = " and " + names + "billing_period = @billing_period"
		}
		filled := strings.NewReplacer(":keys", listed(names, keys), ":sums", listed("r.", c.sums()), ":grain", strconv.Itoa(c.plan.grain.number),
			":from", c.instant(p.span.From, "-infinity"), ":to", c.instant(p.span.To, "infinity"), ":period", period, ":groups", join).Replace(text)
		parts = append(parts, c.expand(filled))
	}
	return strings.Join(parts, "\nunion all\n")
}

// sums are the sums that the columns of the answer are made of.
func (c *compiler) sums() []string {
	used := map[string]bool{}
	var look func(f metrics.Formula)
	look = func(f metrics.Formula) {
		if used[f.Field] = true; f.Field == metrics.Basis {
			used[string(c.q.Basis)] = true
		}
		for _, part := range []*metrics.Formula{f.Num, f.Den} {
			if part != nil {
				look(*part)
			}
		}
	}
	for _, col := range c.q.Columns() {
		look(col.Formula)
	}
	return slices.DeleteFunc(slices.Clone(factSums), func(name string) bool { return !used[name] })
}
