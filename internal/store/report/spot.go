package report

import (
	"slices"
	"strings"

	"gpuledger/metrics"
)

// spotGroupSQL is the SQL of each group key of dataset spot, for a row i of its items with its owner o.
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

// spotGroupKeys are the group keys that an answer can have rows of; empty if the query names its own keys.
func spotGroupKeys(q metrics.Query) []string {
	named := func(k metrics.Key) bool { return k.Name == "group_key" || k.Name == "group_value" }
	if q.Regrouped() && !slices.ContainsFunc(q.GroupBy, named) {
		return nil
	}
	col, _ := q.Dataset.Column("group_key")
	shown := slices.DeleteFunc(slices.Clone(col.Values), func(key string) bool {
		return excludes(q.Filter, "group_key", key)
	})
	if len(shown) == 0 {
		return col.Values // the filter excludes their rows
	}
	return shown
}

// excludes reports whether a filter excludes a value of a column.
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

// spotGroups is the text of @spot_groups: a row per group key, or one row if the query names its own keys.
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
