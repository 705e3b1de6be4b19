package star

// Spot is the cost of spot machines and of work lost to interruptions: by all keys but the machine, the run and
// the hour of the day; by that hour, alone and by owner; and the currencies in which machines are paid.
var Spot = Fact{
	Name: "spot",
	Doc:  "Cost and savings of spot machines, and cost lost to interruptions.",
	Rows: "report.spot_posted",
	Keys: keys(always(own("part", Text, "Those of spent, destroyed and dead that apply, separated by blanks.")),
		texts("cluster", "region", "zone", "instance_type", "gpu_model", "namespace", "workload_class", "workload_kind"),
		own("kind", Text, "Kind of the run: experiment, pretraining and so on."),
		always(owner), always(texts("state")), currency,
		always(own("hour_of_day", Text, "Hour of the day (UTC), 00 to 23.")), always(own("node_id", ID, "Machine.")),
		own("run", Text, "Run. No roll-up has it.")),
	Measures: measures(money("effective_cost"), sums("currency", map[string]string{
		"on_demand_equivalent": "Cost of the same time on demand, as far as a price is known.",
		"gross_saving":         "On-demand price minus cost, if the price is known.",
		"unknown_cost":         "Cost of machines whose on-demand price is not known.",
		"lost_cost":            "Cost lost to interruptions.",
		"dead_cost":            "Cost of attempts that ended without a result.",
	}, "on_demand_equivalent", "gross_saving", "unknown_cost", "lost_cost", "dead_cost"),
		sums("h", map[string]string{
			"instance_hours": "Hours of machines.",
			"known_hours":    "Hours of machines whose on-demand price is known.",
		}, "instance_hours", "known_hours"), hours()),
	Rollups: []Rollup{
		{Name: "spot", Doc: "By place, work and owner.", Steps: []Step{Days, Months},
			Keys: []string{
				"part", "cluster", "region", "zone", "instance_type", "gpu_model", "namespace",
				"workload_class", "workload_kind", "kind", "owner_id", "state", "currency",
			}},
		{
			Name: "spot_hour", Doc: "By hour of the day.",
			Keys: []string{"part", "hour_of_day", "state", "currency"}, Steps: []Step{Days, Months},
		},
		{Name: "spot_hour_owner", Doc: "By hour of the day, cluster and owner, for scoped users.",
			Steps: []Step{Days, Months},
			Keys:  []string{"part", "hour_of_day", "cluster", "owner_id", "state", "currency"}},
		{
			Name: "spot_node", Doc: "Currencies of machines.", Keys: []string{"node_id", "currency"},
			Measures: []string{}, Steps: []Step{Days, Months},
		},
	},
	Org:   []string{"owner_id"},
	Place: []string{"cluster", "node_id"},
	Reads: []string{"spot"},
}
