package store

// modelTable is what models cost, by owner, run and service.
var modelTable = dayTable{
	name: "model",
	keys: []string{"owner_id", "run_id", "workload_class", "service", "currency"},
	sums: append(append([]daySum{{"state", "max(r.state)"}}, plainSums("effective_cost", "billed_cost", "list_cost", "contracted_cost", "gpu_hours", "active_gpu_hours")...),
		daySum{"first_hour", "min(r.first_hour)"}, daySum{"last_hour", "max(r.last_hour)"}),
	rows: "report.model_costs",
}
