package star

// Run is the cost of run attempts by day, so that the whole life of a run is some rows instead of all its postings
// (docs/figures.md, 15.4).
var Run = Fact{
	Name: "run",
	Doc:  "Cost and GPU time of runs by attempt, cause and price class.",
	Rows: "report.run_halves",
	Keys: keys(always(own("run_id", Text, "Run.")), own("attempt_id", ID, "Attempt. Null: outside the run's attempts."),
		always(texts("cause")), texts("quality"), always(texts("state")), currency,
		own("pricing", Text, "Price class if it was on spot machines. Null: other machines.")),
	Measures: measures(money("effective_cost"),
		sums("currency", map[string]string{"effective_abs": "Sum of the absolute costs; quality is weighed by it."},
			"effective_abs"),
		money("billed_cost", "list_cost", "contracted_cost"),
		sums("currency", map[string]string{
			"on_demand":         "Cost of the same time on demand, as far as a price is known.",
			"spot_saving":       "On-demand price minus cost, for spot machines whose on-demand price is known.",
			"spot_unknown_cost": "Cost of spot machines whose on-demand price is not known.",
		}, "on_demand", "spot_saving", "spot_unknown_cost"),
		sums("GPU-h", map[string]string{"spot_known_hours": "GPU time on spot machines whose on-demand price is known."},
			"spot_known_hours"),
		[]Measure{
			{
				Name: "unpriced", Type: Bool, Merge: Either,
				Doc: "Some of the time has a cost but no on-demand price.", Always: true,
			},
			{Name: "fees", Type: Bool, Merge: Each, Doc: "All of the cost is shares of prepaid fees.", Always: true},
		},
		quantities("gpu_hours", "active_gpu_hours"), energy),
	Rollups: []Rollup{
		{Name: "run", Doc: "Costs of attempts.", Many: "run_id", Steps: []Step{Days, Months},
			Keys: []string{"run_id", "attempt_id", "cause", "quality", "state", "currency", "pricing"}},
		{Name: "run_attempt", Doc: "Total costs of attempts.", Many: "run_id", Steps: []Step{Days, Months},
			Keys: []string{"run_id", "attempt_id", "currency"},
			Measures: []string{
				"effective_cost", "billed_cost", "list_cost", "contracted_cost", "gpu_hours", "active_gpu_hours", "energy_kwh",
			}},
	},
	Org:   []string{"run_id"},
	Place: []string{"run_id"},
	Reads: []string{"runs", "attempts", "groups", "scaling", "experiments", "interruptions"},
}

// Gang is the cost of attempts that waited for their gang.
var Gang = Fact{
	Name:     "gang",
	Doc:      "Cost of attempts while their gangs were incomplete (docs/figures.md, 15.2).",
	Rows:     "report.gang_hours",
	Keys:     keys(always(own("run_id", Text, "Run.")), always(own("attempt_id", ID, "Attempt.")), currency),
	Measures: money("effective_cost"),
	Rollups: []Rollup{
		{
			Name: "gang", Doc: "An attempt's wait.",
			Keys: []string{"run_id", "attempt_id", "currency"}, Steps: []Step{Days, Months},
		},
	},
	Org:   []string{"run_id"},
	Place: []string{"run_id"},
	Reads: []string{"queue", "runs", "attempts"},
}

// Model is the cost of models, by owner, run and service.
var Model = Fact{
	Name: "model",
	Doc:  "Cost and GPU time of owners that have a model, by run and service.",
	Rows: "report.model_costs",
	Keys: keys(always(owner), own("run_id", Text, "Run."), texts("workload_class", "service"), currency),
	Measures: measures([]Measure{{Name: "state", Type: Text, Merge: Most,
		Doc: "Least settled state: final, open or provisional. Null: no money."}},
		money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		quantities("gpu_hours", "active_gpu_hours"), hours()),
	Rollups: []Rollup{
		{
			Name: "model", Doc: "Costs of a model's work.",
			Keys: []string{"owner_id", "run_id", "workload_class", "service", "currency"}, Steps: []Step{Days, Months},
		},
	},
	Org:      []string{"owner_id"},
	Anywhere: "a model is trained and served in any cluster, and its services name none",
	Reads:    []string{"models"},
}
