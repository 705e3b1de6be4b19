package metrics

import "slices"

var models = Dataset{
	Name: "models",
	Lead: []string{"model", Basis, "currency", "training_cost", "serving_cost", "requests",
		"life_cost_per_1k_requests", "life_cost", "state"},
	InPart: true,
	Doc: "Cost of a model over its life, by phase, and the requests and tokens it served: all cost inside the window " +
		"whose owner has the model, and the cost of its answers, whichever owner has the service; one row per currency. " +
		"Cost without a model is in costs grouped by model.",
	Columns: sourced("postings, usage, owners, runs, workloads", slices.Concat(
		[]Column{
			attr("model", Text, "Model of the owner; for answers of services, the model that answered, if an owner has it."),
			moneyColumn("effective_cost", docEffective, Sum("effective_cost", ofOwners)),
			moneyColumn("billed_cost", docBilled, Sum("billed_cost", ofOwners)),
			moneyColumn("list_cost", docList, Sum("list_cost", ofOwners)),
			moneyColumn("contracted_cost", docContracted, Sum("contracted_cost", ofOwners)),
			lifeCost("training_cost", "Basis cost of its training runs.", "training"),
			lifeCost("fine_tuning_cost", "Basis cost of its fine-tuning runs.", "fine_tuning"),
			lifeCost("evaluation_cost", "Basis cost of its evaluation runs.", "evaluation"),
			lifeCost("serving_cost", "Basis cost of services whose owner has the model.", "serving").
				caveat("A service labelled with one model may serve another: answered_cost is by the model that answered."),
			lifeCost("other_cost",
				"Basis cost of the rest: batch runs, notebooks, unheld time of the model's own machines.", "other"),
			lifeCost("answered_cost",
				"Basis cost of services by the model that answered, as in inference; if no owner has that model, by the service "+
					"owner's model.", "answered"),
			moneyColumn("life_cost", "Basis cost of its whole life: with answered_cost in place of serving_cost.",
				SumOrZero(Basis, wholeLife)),
			gpuHours("gpu_hours", "GPU-hours held.", Sum("gpu_hours")),
			gpuHours("active_gpu_hours", "Useful GPU-hours.", Sum("active_gpu_hours")),
			{Name: "runs", Kind: Count, Doc: "Runs.", Formula: CountOf("run_id")},
			{
				Name: "completed_runs", Kind: Count, Doc: "Of those, completed.",
				Formula: CountOf("run_id", Where("status", "succeeded")),
			},
			{
				Name: "training_runs", Kind: Count, Doc: "Of those, training and fine-tuning.",
				Formula: CountOf("run_id", Where("life", "training", "fine_tuning")),
			},
		},
		servedByModel(),
		[]Column{
			{Name: "first_hour", Kind: Time, Doc: "First service hour.", Formula: Formula{Op: OpMin, Field: "first_hour"}},
			{Name: "last_hour", Kind: Time, Doc: "Last service hour.", Formula: Formula{Op: OpMax, Field: "last_hour"}},
			leastSettled(),
			currency(),
		},
	)...),
	Windowed: true,
	Offers: []string{
		"team", "business_unit", "project", "model_version", "stage", "environment",
		"cost_center", "experiment", "dataset", "user", "priority", "queue", "service",
	},
	RowKey: []string{"model", "currency"},
	Order:  []Order{{Column: Basis, Desc: true}},
}

// Phases of a model's life: as owners label them, and with answers in place of serving.
var (
	ofOwners  = Where("life", "training", "fine_tuning", "evaluation", "serving", "other")
	wholeLife = Where("life", "training", "fine_tuning", "evaluation", "answered", "other")
)

func lifeCost(name, doc, life string) Column {
	return moneyColumn(name, doc, SumOrZero(Basis, Where("life", life)))
}

// servedByModel are the requests and tokens that a model answered, and their cost.
func servedByModel() []Column {
	count := func(name, doc string) Column {
		return Column{Name: name, Kind: Count, Doc: doc, Formula: Sum(name)}
	}
	answered := Where("life", "answered")
	return sourced("serving_hours, owners", []Column{
		count("requests", "Requests that its services answered; NULL if not counted."),
		count("prompt_tokens", "Tokens of prompts, cached ones included."),
		count("generation_tokens", "Tokens generated."),
		{Name: "serving_cost_per_1k_requests", Kind: Ratio, Unit: "currency per 1,000 requests",
			Doc:     "answered_cost per thousand requests.",
			Formula: RatioOf(Sum(Basis, answered), Sum("thousand_requests"))},
		{Name: "life_cost_per_1k_requests", Kind: Ratio, Unit: "currency per 1,000 requests",
			Doc:     "life_cost, training included, per thousand requests so far.",
			Formula: RatioOf(Sum(Basis, wholeLife), Sum("thousand_requests"))},
	}...)
}

var scaling = Dataset{
	Name: "scaling",
	Lead: []string{"team", "model", "kind", "gpus", "cost_per_completed_run", "currency", "scaling_efficiency",
		"gpu_hours_per_run", "completed_runs"},
	Doc: "How completed runs of one team, model and kind scale with GPUs: one row per GPU count and currency; the runs' " +
		"whole lives, for runs that overlap the window. Runs are comparable only as far as their labels: a run on more " +
		"GPUs that does more work looks inefficient.",
	Columns: sourced("runs, attempts, postings, usage, owners", []Column{
		attr("team", Text, "Team."),
		attr("model", Text, "Model; NULL if unknown."),
		attr("kind", Text, "Kind of the runs."),
		attr("gpus", Count, "Most slots that one attempt held at once."),
		{Name: "completed_runs", Kind: Count, Doc: "Completed runs.", Formula: CountOf("run_id")},
		gpuHours("gpu_hours", "GPU-hours of their whole lives.", Sum("gpu_hours")),
		moneyColumn("effective_cost", docEffective, Sum("effective_cost")),
		moneyColumn("billed_cost", docBilled, Sum("billed_cost")),
		moneyColumn("list_cost", docList, Sum("list_cost")),
		moneyColumn("contracted_cost", docContracted, Sum("contracted_cost")),
		{
			Name: "cost_per_completed_run", Kind: Ratio, Unit: "currency per run",
			Doc:     "Basis cost of a completed run on average, of those whose cost is known.",
			Formula: RatioOf(Sum(Basis), CountOf("run_id", Known(Basis))),
		},
		{
			Name: "mean_seconds", Kind: Duration, Unit: "seconds",
			Doc: "Mean time from first hold to end.", Formula: RatioOf(Sum("seconds"), CountOf("run_id")),
		},
		{
			Name: "gpu_hours_per_run", Kind: Ratio, Unit: "GPU-hours per run",
			Doc: "GPU-hours of a completed run on average, of all currencies.", Formula: Field("gpu_hours_per_run"),
		},
		attr("smallest_gpus", Count, "The smallest GPU count that completed any of these runs."),
		{Name: "scaling_efficiency", Kind: Ratio,
			Doc: "GPU-hours per completed run at the smallest GPU count ÷ at this one: 1 if twice the GPUs take " +
				"half the time.",
			Formula: Field("scaling_efficiency"),
			Caveats: []string{"Lost and idle time count: it shows the cost of scaling here, not the limit of the code."}},
		leastSettled(),
		currency(),
	}...),
	Windowed: true,
	Offers:   []string{"project"},
	RowKey:   []string{"team", "model", "kind", "gpus", "currency"},
	Order:    []Order{{Column: "team"}, {Column: "model"}, {Column: "kind"}, {Column: "gpus"}},
}

var servedNames = Dataset{
	Name: "served_names",
	Lead: []string{"served_name", "model", "model_version", "joined_by", "first_day", "last_day"},
	Doc: "Names under which models were served, and how each name was joined to its model: one row per name and model. " +
		"A line of served_models in the policy joins names that no rule joins.",
	Columns: sourced("served_names", []Column{
		attr("served_name", Text, "The name that servers count."),
		attr("model", Text, "The model that it is joined to; the name itself if there is none."),
		attr("model_version", Text, "Quantisation in the name, beyond its model; NULL if none."),
		attr("joined_by", Text, "policy: served_models names the model; same: a model has exactly this name; rule: the "+
			"rules leave one model; unknown: they leave no model; ambiguous: they leave several.").
			values("policy", "same", "rule", "unknown", "ambiguous"),
		attr("among", Text, "The models of an ambiguous name; NULL for all others."),
		attr("first_day", Time, "The first day on which it was counted."),
		attr("last_day", Time, "The last such day."),
	}...),
	Windowed: true,
	RowKey:   []string{"served_name", "model", "model_version", "joined_by", "among"},
	Order:    []Order{{Column: "served_name"}, {Column: "model"}},
}
