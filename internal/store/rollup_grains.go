package store

import (
	"slices"
	"strings"

	"gpuledger/metrics"
)

// grain is a set of keys that the ledger is added up by. A question is answered
// from the first grain that has all of its keys: the fewer keys, the fewer rows.
type grain struct {
	number int
	keys   []string
	hours  bool   // kept by hour, too
	many   string // the key with far more values than a page shows, if any; indexed
}

// everyGrain are the columns that all grains have.
var everyGrain = []string{"billing_period", "cause", "kind", "currency", "state"}

// ownerID is a key of one grain only: it leads to every owner dimension and
// label.
const ownerID = "owner_id"

// grains from the fewest keys to the most. Numbers are stored. What is as many
// as machines, pods or tags is in none, so that a day of 10,000 GPUs stays some
// thousand rows; the first three are few enough for hours. Runs have a grain of
// their own.
var grains = []grain{
	{1, nil, true, ""},
	{2, []string{"provider", "billing_account", "account", "region", "cluster", "instance_type", "gpu_model", "pricing"}, true, ""},
	{3, []string{"cluster", "business_unit", "team", "project", "stage", "environment", "cost_center", "queue", "workload_class"}, true, ""},
	{4, []string{"cluster", "gpu_model", "namespace", "workload_kind", "workload_class", "service", "team", "model"}, false, ""},
	{5, []string{"provider", "billing_account", "account", "region", "zone", "cluster", "instance_type", "gpu_model", "mig_profile", "pricing", "commitment",
		"service_name", "charge_category", "namespace", "workload_kind", "workload_class", "service",
		"business_unit", "team", "project", "model", "stage", "environment", "cost_center", "queue", "quality", ownerID}, false, ""},
	{6, []string{"cluster", "team", "workload_class", "run"}, false, "run"},
}

// stagedColumns are what a day is added up by first: the columns of all grains.
var stagedColumns = func() []string {
	var all []string
	for _, g := range grains {
		for _, c := range g.columns() {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}()

// columns are all columns of the grain's groups.
func (g grain) columns() []string { return append(slices.Clone(everyGrain), g.keys...) }

// has reports whether the grain knows a key: as a column, or through the owner
// or the tenant.
func (g grain) has(k metrics.Key) bool {
	if slices.Contains(everyGrain, k.Name) || slices.Contains(g.keys, k.Name) || k.On == metrics.OnTenant {
		return true
	}
	return k.On == metrics.OnOwner && slices.Contains(g.keys, ownerID)
}

// listed are columns of a relation, as SQL.
func listed(relation string, columns []string) string {
	terms := make([]string, len(columns))
	for i, c := range columns {
		terms[i] = relation + ident(c)
	}
	return strings.Join(terms, ", ")
}
