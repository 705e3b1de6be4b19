package report

import (
	"slices"
	"strings"

	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// spotFigures are the sums of money of spot, as a row of report.spot_money has
// them.
var spotFigures = []string{"effective_cost", "on_demand_equivalent", "gross_saving", "unknown_cost", "lost_cost", "dead_cost", "instance_hours", "known_hours"}

// spotGroupSQL is what each group key of dataset spot is, of a row i of its
// items with its owner o.
var spotGroupSQL = map[string]string{
	"instance_type":  "i.instance_type",
	"zone":           "i.zone",
	"region":         "i.region",
	"cluster":        "i.cluster",
	"hour":           "i.hour_of_day",
	"team":           "nullif(o.team, '')",
	"kind":           "i.kind",
	"workload_class": "i.workload_class",
}

// spotGroupKeys are the group keys that an answer can have rows of; none where
// the question names keys of its own.
func spotGroupKeys(q metrics.Query) []string {
	named := func(k metrics.Key) bool { return k.Name == "group_key" || k.Name == "group_value" }
	if q.Regrouped() && !slices.ContainsFunc(q.GroupBy, named) {
		return nil
	}
	col, _ := q.Dataset.Column("group_key")
	shown := slices.DeleteFunc(slices.Clone(col.Values), func(key string) bool { return excludes(q.Filter, "group_key", key) })
	if len(shown) == 0 {
		return col.Values // the filter leaves none of their rows
	}
	return shown
}

// excludes reports whether a filter says that a column has not a value.
func excludes(e metrics.Expr, column, value string) bool {
	switch e := e.(type) {
	case metrics.And:
		return excludes(e.Left, column, value) || excludes(e.Right, column, value)
	case metrics.Or:
		return excludes(e.Left, column, value) && excludes(e.Right, column, value)
	case metrics.Compare:
		return e.Key == column && (e.Op == metrics.Equal || e.Op == metrics.In) && !slices.Contains(e.Values, value)
	}
	return false
}

// spotGroups is what @spot_groups stands for: a row per group key, or one row
// where the question names keys of its own.
func (c Compiler) spotGroups() string {
	var rows []string
	for _, key := range spotGroupKeys(c.Q) {
		rows = append(rows, "('"+key+"', "+spotGroupSQL[key]+")")
	}
	if len(rows) == 0 {
		return "(null::text, null::text)"
	}
	return strings.Join(rows, ", ")
}

// spotPostings is what @spot_sums stands for: money of spot from postings, none
// where days say it all.
func (c Compiler) spotPostings() string {
	text := c.eachFacts(func(c Compiler) string { return c.Expand(pg.Statement("report.spot_sums")) })
	if text == "" {
		text = pg.Statement("report.spot_none")
	}
	return text
}

// spotRows are the postings of spot by what they are about: one by one, where nothing
// says which facts they are of.
func (c Compiler) spotRows() string {
	if c.facts == "" {
		c = c.from("report.behind")
	}
	return c.Expand(pg.Statement("report.spot_rows"))
}

// spotNodes are the spot machines of days that were added up.
func (c Compiler) spotNodes() string {
	return unionAll(c.addedRows(&star.Spot, star.Spot.Rollup("spot_node"), "select r.node_id, r.currency"))
}

// spotDays is what @spot_days stands for: money of days that were added up, and
// that by hour of the day where the answer has such rows.
func (c Compiler) spotDays() string {
	texts := c.addedRows(&star.Spot, star.Spot.Rollup("spot"), "select 'days', r.part, null::uuid, r.cluster, null, r.region, r.zone, r.instance_type, r.gpu_model, r.namespace, r.workload_class, r.workload_kind, r.kind, null, r.owner_id, "+
		"r.state, r.currency, null, r.first_hour, r.last_hour, "+star.Listed("r.", spotFigures))
	if slices.Contains(spotGroupKeys(c.Q), "hour") {
		byHour := "spot_hour"
		if c.inPart {
			byHour = "spot_hour_owner"
		}
		texts = append(texts, c.addedRows(&star.Spot, star.Spot.Rollup(byHour), "select 'hours', r.part, null::uuid, null, null, null, null, null, null, null, null, null, null, null, null::uuid, "+
			"r.state, r.currency, r.hour_of_day, r.first_hour, r.last_hour, "+star.Listed("r.", spotFigures))...)
	}
	return unionAll(texts)
}

// unionAll goes on with more rows.
func unionAll(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString("\nunion all\n" + text)
	}
	return b.String()
}

// spotMissing are the keys of q that days which were added up do not know:
// machines and runs, and by hour of the day all keys.
func spotMissing(q metrics.Query) (names []string) {
	byHour, known := slices.Contains(spotGroupKeys(q), "hour"), star.Spot.Rollup("spot")
	for _, k := range costKeys(q) {
		whole := k.Name == "group_key" || k.Name == "group_value" || k.Name == "state" || k.Name == "currency"
		if !whole && (byHour || !known.Has(k.Name) && !slices.Contains(metrics.OwnerKeys, k.Name)) {
			names = append(names, k.Name)
		}
	}
	return names
}
