package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

var runs = Dataset{
	Name: "runs",
	Lead: []string{"name", "team", "status", Basis, "currency", "runs", "completed_runs", "cost_per_completed_run",
		"gpu_hours", "lost_cost", "attempts", "started_at", "state", "project", "cluster", "run_id"},
	InPart: true,
	Doc: "One training, fine-tuning, evaluation or batch run over its whole life and all its attempts, for the " +
		"runs that overlap the window; one row per currency.",
	Columns: sourced("postings, usage, runs, attempts, owners", slices.Concat(
		[]Column{
			attr("run_id", Text, "Run."),
			attr("group_id", Text, "Pipeline, sweep or array."),
			attr("cluster", Text, "Cluster."),
			attr("namespace", Text, "Namespace."),
			attr("name", Text, "Name of the root owner."),
			attr("kind", Text, "`stage` label, else training for training kinds, else batch.").
				values("training", "fine_tuning", "evaluation", "inference", "batch"),
			attr("team", Text, "Team, or `unowned`."),
			attr("project", Text, "Project."),
			attr("model", Text, "Model."),
			attr("experiment", Text, "Experiment."),
			attr("status", Text, "The owner's condition, else the last attempt's outcome.").
				values("queued", "running", "succeeded", "failed", "cancelled", "unknown"),
			attr("started_at", Time, "First hold; NULL while queued."),
			attr("ended_at", Time, "End of the last attempt; NULL while running."),
			attr("attempts", Count, "Most attempts of any one task; in groups the sum.").ofGroups(Sum("attempts_once")),
			attr("preemptions", Count, "Attempts that ended preempted or evicted.").ofGroups(Sum("preemptions_once")),
			attr("gpus", Count, "Most slots that one attempt held at once; NULL while queued."),
		},
		summedQuantities(),
		runMoney(),
		[]Column{
			grossSpot("pricing"),
			attr("queue_wait_seconds", Duration,
				"Creation to first hold; in groups the mean of runs with a known wait.").unit("seconds").
				ofGroups(RatioOf(Sum("queue_wait_once"), CountOf("waited"))),
			moneyColumn("budget", "Limit of the run by its label `max-cost-per-run`; in groups the sum.",
				Field("budget")).ofGroups(Sum("budget_once")),
			Column{Name: "budget_ratio", Kind: Ratio, Doc: "Basis cost over budget.",
				Formula: RatioOf(Sum(Basis), Field("budget")),
				Caveats: []string{"The label names no currency: it is read in the currency of the row."}}.
				ofGroups(RatioOf(Sum(Basis, Where("has_budget", "true")), Sum("budget_once"))),
			energy(),
			{Name: "co2e_kg", Kind: Quantity, Unit: "kg", Doc: "Emissions.", Formula: Formula{Op: OpUnknown},
				Caveats: []string{"Always NULL: no carbon data is imported yet."}},
			worstQuality(),
			leastSettled(),
			currency(),
			moneyColumn("provider_split_cost",
				"Cost that the provider's own split of its machines gives the run's pods, used and unused; NULL if it gives none.",
				Field("provider_split_cost")).
				caveat("Evidence only, never added to the ledger's own allocation."),
		},
		[]Column{
			attr("time_to_train_seconds", Duration,
				"Creation to end of a completed run, its queue wait included; in groups the mean.").unit("seconds").
				ofGroups(RatioOf(Sum("train_seconds_once"),
					CountOf("trained"))).caveat("NULL for runs that are not completed, and if the creation is unknown."),
			attr("checkpoints", Count,
				"Different instants of checkpoints inside its attempts; NULL if it has none.").from("checkpoints, attempts, " +
				"segments").ofGroups(Sum("checkpoints_once")),
		},
		restartCosts(),
		spotFigures(),
		unitCosts(),
		budgetFigures(),
		heldActivity("Over its whole life; a run with cost in two currencies has it in the rows of each."),
		countsOfRuns(),
	)...),
	Windowed: true,
	Offers:   runKeys,
	Labelled: true,
	RowKey:   []string{"run_id", "currency"},
	Order:    []Order{{Column: Basis, Desc: true}},
	Aliases:  map[string]string{"run": "run_id", "group": "group_id"},
}

// runMoney is the cost of runs and groups: by cause, and the part inside the window.
func runMoney() []Column {
	return []Column{
		gpuHours("lost_gpu_hours", "GPU-hours with cause `lost`.", SumOrZero("gpu_hours", Causes(ledger.Lost))),
		moneyColumn("effective_cost", "Used + held idle + overhead + lost + unobserved + host + metered.",
			Sum("effective_cost")).
			caveat("Before sharing: idle capacity of others is not included."),
		moneyColumn("billed_cost", docBilled, Sum("billed_cost")),
		moneyColumn("list_cost", docList, Sum("list_cost")),
		moneyColumn("contracted_cost", docContracted, Sum("contracted_cost")),
		causeCost("used_cost", ledger.Used),
		causeCost("held_idle_cost", ledger.HeldIdle),
		causeCost("overhead_cost", ledger.Overhead),
		causeCost("lost_cost", ledger.Lost).caveat("An upper bound if the loss has no checkpoint to count from; " +
			"lost_cost_min is the lower bound."),
		moneyColumn("lost_cost_min", "Lost cost that a checkpoint proves; losses of basis `none` count 0.",
			SumOrZero("effective_cost", Causes(ledger.Lost),
				Where("loss_basis", string(ledger.LossCheckpoint), string(ledger.LossResume)))),
		mayBeLost(),
		causeCost("unobserved_cost", ledger.Unobserved),
		causeCost("host_cost", ledger.Host),
		causeCost("metered_cost", ledger.Metered),
		moneyColumn("window_effective_cost", "The part of effective_cost inside [from, to).",
			SumOrZero("effective_cost", Causes(runCauses...), Where("in_window", "true"))),
	}
}

// mayBeLost is the cost of work that was perhaps not kept: its end was not seen.
func mayBeLost() Column {
	return moneyColumn("may_be_lost_cost",
		"The most that may be lost in attempts with an unknown end: the loss is between 0 and this. The cost stays in its "+
			"causes and is not in lost_cost.",
		SumOrZero("may_be_lost", Causes(ledger.Used, ledger.HeldIdle, ledger.Overhead, ledger.Unobserved))).
		caveat("From the last checkpoint, else from the start of the attempt; after a checkpoint by its part of the " +
			"attempt's time.")
}

func causeCost(name string, cause ledger.Cause) Column {
	return moneyColumn(name, "Effective cost with cause `"+string(cause)+"`.", SumOrZero("effective_cost", Causes(cause)))
}

var attempts = Dataset{
	Name: "attempts",
	Lead: []string{"run_id", "attempt", "outcome", Basis, "currency", "tries", "lost_cost", "started_at", "reason",
		"pricing", "gpus", "gpu_hours", "state"},
	InPart: true,
	Doc: "One attempt of a run (of one of its tasks, if it is not a gang), for the attempts that overlap the window; " +
		"one row per currency.",
	Columns: sourced("attempts, postings, usage", slices.Concat(
		[]Column{
			attr("run_id", Text, "Run."),
			attr("attempt", Count, "Number within its run and task, from 1."),
			attr("task", Text, "Task (index); NULL for gangs."),
			attr("started_at", Time, "First hold."),
			attr("ended_at", Time, "End; NULL while running."),
			attr("outcome", Text, "How it ended.").values(outcomeNames...),
			attr("reason", Text, "Why: spot_interruption, scheduler, OOMKilled …"),
			attr("pricing", Text, "Price class of most of its time.").values(priceClasses...),
			attr("nodes", Count, "Nodes it held."),
			attr("gpus", Count, "Most slots held at once; in groups the most of any attempt.").ofGroups(Formula{Op: OpMax,
				Field: "gpus"}),
		},
		summedQuantities()[:1],
		[]Column{
			moneyColumn("effective_cost", docEffective, Sum("effective_cost")),
			causeCost("lost_cost", ledger.Lost),
			mayBeLost(),
			attr("lost_seconds", Duration,
				"From the point the loss counts from to the end; of members that were lost alone, the longest. 0 if nothing was "+
					"lost.").unit("seconds").ofGroups(Sum("lost_seconds_once")),
			attr("loss_basis", Text, "What the loss counts from; resume is the position from which the next attempt continued. "+
				"NULL if nothing was lost.").
				values(string(ledger.LossCheckpoint), string(ledger.LossResume), string(ledger.LossNone)),
			attr("last_checkpoint_at", Time, "Last checkpoint inside the attempt."),
			moneyColumn("billed_cost", docBilled, Sum("billed_cost")),
			moneyColumn("list_cost", docList, Sum("list_cost")),
			moneyColumn("contracted_cost", docContracted, Sum("contracted_cost")),
			worstQuality(),
			leastSettled(),
			currency(),
			attr("attempt_id", ID, "Attempt."),
		},
		attemptFigures(),
		slices.Concat([]Column{grossSpot("price_class")}, netSpot("price_class")),
		heldActivity("Over its whole life; an attempt with cost in two currencies has it in the rows of each."),
	)...),
	Windowed: true,
	Offers: slices.Concat([]string{"cluster", "namespace", "group", "team", "project", "model", "experiment"},
		runKeys[:len(runKeys)-2]),
	Labelled: true,
	RowKey:   []string{"run_id", "task", "attempt", "currency"},
	Order:    []Order{{Column: "run_id"}, {Column: "task"}, {Column: "attempt"}},
	Aliases:  map[string]string{"run": "run_id"},
}
