package store

import (
	"slices"

	"gpuledger/metrics"
)

// spotGroupSQL is what each group key of dataset spot is, of a row i of its
// items with its node n, owner o and run r.
var spotGroupSQL = map[string]string{
	"instance_type":  "nullif(n.instance_type, '')",
	"zone":           "nullif(n.zone, '')",
	"region":         "nullif(n.region, '')",
	"cluster":        "nullif(n.cluster, '')",
	"hour":           "to_char(i.hour at time zone 'UTC', 'HH24')",
	"team":           "nullif(o.team, '')",
	"kind":           "nullif(r.kind, '')",
	"workload_class": "nullif(i.class, '')",
}

// spotGroups is what @spot_groups stands for: a row per group key, or one row
// where the question names keys of its own.
func (c *compiler) spotGroups() string {
	named := func(k metrics.Key) bool { return k.Name == "group_key" || k.Name == "group_value" }
	if c.q.Regrouped() && !slices.ContainsFunc(c.q.GroupBy, named) {
		return "(null::text, null::text)"
	}
	col, _ := c.q.Dataset.Column("group_key")
	text := ""
	for _, key := range col.Values {
		if text != "" {
			text += ", "
		}
		text += "('" + key + "', " + spotGroupSQL[key] + ")"
	}
	return text
}
