package star

import "slices"

// everyKey are the keys that all roll-ups of costs have.
var everyKey = []string{"billing_period", "cause", "kind", "currency", "state"}

// Cost is all cost, by all keys except those with as many values as machines, pods or tags: a day of 10,000 GPUs stays
// at some thousand rows. The first roll-up that has the keys of a query answers it. Only the small roll-ups have hours;
// runs have a separate roll-up.
var Cost = Fact{
	Name: "cost",
	Doc:  "Cost and GPU time of postings, and GPU time without a bill, by owner, place, work, price and cause.",
	Rows: "report.cost_rows",
	Keys: keys(texts("billing_period"), always(texts("cause", "kind")), currency, always(texts("state")),
		texts("provider", "billing_account", "account", "region", "zone", "cluster", "instance_type", "gpu_model",
			"mig_profile", "pricing", "commitment",
			"service_name", "charge_category", "namespace", "workload_kind", "workload_class", "service",
			"business_unit", "team", "project", "model", "stage", "environment",
			"cost_center", "queue", "quality"), always(owner), texts("run")),
	Measures: measures(money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		quantities("gpu_hours", "capacity_gpu_hours", "active_gpu_hours"), energy),
	Rollups: []Rollup{
		{Name: "cost_total", Doc: "Costs by cause alone.", Keys: everyKey, Steps: []Step{Hours, Days, Months}},
		{Name: "cost_place", Doc: "Costs by place and price.", Steps: []Step{Hours, Days, Months},
			Keys: and(everyKey, "provider", "billing_account", "account", "region", "cluster", "instance_type", "gpu_model",
				"pricing")},
		{Name: "cost_team", Doc: "Costs by team and its organisation.", Steps: []Step{Hours, Days, Months}, Often: "team",
			Keys: and(everyKey, "cluster", "business_unit", "team", "project", "stage", "environment", "cost_center", "queue",
				"workload_class"), Any: []string{"owner_id"}},
		{Name: "cost_work", Doc: "Costs by workload, service and model.", Steps: []Step{Days, Months}, Often: "team",
			Keys: and(everyKey, "cluster", "gpu_model", "namespace", "workload_kind", "workload_class", "service", "team",
				"model")},
		{Name: "cost_owner", Doc: "Costs by all keys but the run.", Steps: []Step{Days, Months}, Often: "team",
			Keys: and(everyKey, "provider", "billing_account", "account", "region", "zone", "cluster", "instance_type",
				"gpu_model", "mig_profile", "pricing", "commitment",
				"service_name", "charge_category", "namespace", "workload_kind", "workload_class", "service",
				"business_unit", "team", "project", "model", "stage",
				"environment", "cost_center", "queue", "quality", "owner_id")},
		{Name: "cost_run", Doc: "Costs by run.", Steps: []Step{Days, Months}, Many: "run", Often: "team",
			Keys: and(everyKey, "cluster", "gpu_model", "pricing", "team", "workload_class", "run")},
	},
	Org:   ofOwners,
	Place: []string{"cluster"},
	Reads: []string{"costs", "chargeback", "owner_coverage"},
	Every: true,
}

var energy = sums("kWh", map[string]string{"energy_kwh": "Energy use that devices reported."}, "energy_kwh")

func and(list []string, more ...string) []string { return append(slices.Clone(list), more...) }
