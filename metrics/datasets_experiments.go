package metrics

import "slices"

var experiments = Dataset{
	Name: "experiments",
	Lead: []string{"experiment", "metric", "value", "successful", Basis, "currency", "runs", "gpu_hours",
		"cost_per_experiment"},
	InPart: true,
	Doc: "Result of one metric of an experiment on one dataset, and the experiment's cost: all runs that have its name " +
		"or that a result names, over their whole lives, for runs that overlap the window; one row per currency. An " +
		"experiment without results is a row without a metric.",
	Columns: sourced("experiment_results, runs, owners, postings, usage", slices.Concat(
		[]Column{
			attr("experiment", Text, "Experiment, as imported or as the owner label says."),
			attr("metric", Text, "Measured metric; NULL without results."),
			{Name: "value", Kind: Quantity, Unit: "unit of the metric", Doc: "The newest result.", Formula: Field("value")},
			{
				Name: "baseline", Kind: Quantity, Unit: "unit of the metric",
				Doc: "Value before the experiment.", Formula: Field("baseline"),
			},
			{
				Name: "threshold", Kind: Quantity, Unit: "unit of the metric",
				Doc: "Value that makes it a success; without a threshold, the baseline does.", Formula: Field("threshold"),
			},
			attr("direction", Text, "Which values are good: higher or lower ones.").values("higher", "lower"),
			attr("successful", Bool, "The value reaches the threshold, else the baseline; NULL with neither."),
			attr("result_run", Text, "Run that the result names."),
			attr("at", Time, "When it was measured."),
			attr("result_model_version", Text, "Version of the model that the result names."),
			attr("result_dataset", Text, "Dataset that the result names; results on another one have a separate row."),
			{
				Name: "dataset_size", Kind: Quantity, Unit: "dataset_unit",
				Doc: "Size of that dataset, as the result states it.", Formula: Field("dataset_size"),
			},
			attr("dataset_unit", Text, "Unit of dataset_size, such as tokens."),
			{Name: "runs", Kind: Count, Doc: "Runs of the experiment.", Formula: CountOf("run_id")},
			{
				Name: "completed_runs", Kind: Count, Doc: "Of those, completed.",
				Formula: CountOf("run_id", Where("status", "succeeded")),
			},
			onceInGroups(gpuHours("gpu_hours", "GPU-hours held by its runs.", Sum("gpu_hours"))),
			onceInGroups(moneyColumn("effective_cost", "Cost of the experiment: "+docEffective, Sum("effective_cost"))),
			onceInGroups(moneyColumn("billed_cost", docBilled, Sum("billed_cost"))),
			onceInGroups(moneyColumn("list_cost", docList, Sum("list_cost"))),
			onceInGroups(moneyColumn("contracted_cost", docContracted, Sum("contracted_cost"))),
			leastSettled(),
			currency(),
		},
		experimentCounts(),
	)...),
	Windowed: true,
	Offers: []string{
		"team", "business_unit", "project", "model", "model_version", "stage", "environment",
		"cost_center", "dataset", "user", "priority", "queue", "cluster", "namespace", "group",
	},
	RowKey: []string{"experiment", "metric", "result_dataset", "currency"},
	Order:  []Order{{Column: Basis, Desc: true}},
}

// onceInGroups counts an experiment with several metrics once in groups: at its first metric by name.
func onceInGroups(c Column) Column {
	return c.ofGroups(Sum(c.Name +
		"_once")).caveat("Rows of several metrics or datasets of one experiment repeat it; groups count it once, at the " +
		"first metric and dataset by name.")
}

func experimentCounts() []Column {
	const twice = "An experiment with cost in two currencies counts once in the rows of each."
	successful := CountOf("experiment", Where("successful", "true"))
	cols := []Column{
		{Name: "experiments", Kind: Count, Doc: "Experiments.", Formula: CountOf("experiment"), Caveats: []string{twice}},
		{
			Name: "successful_experiments", Kind: Count, Doc: "Of those, with a metric that succeeded.",
			Formula: successful, Caveats: []string{twice},
		},
		{Name: "cost_per_experiment", Kind: Ratio, Unit: "currency per experiment",
			Doc:     "Effective cost of an experiment on average.",
			Formula: RatioOf(Sum("effective_cost_once"), CountOf("experiment"))},
		{Name: "cost_per_successful_experiment", Kind: Ratio, Unit: "currency per experiment",
			Doc:     "Effective cost of all experiments per successful one, failed ones included.",
			Formula: RatioOf(Sum("effective_cost_once"), successful),
			Caveats: []string{"NULL without a successful experiment."}},
	}
	for i := range cols {
		cols[i].OnlyGroups = true
	}
	return cols
}
