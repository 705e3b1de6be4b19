package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

var groups = Dataset{
	Name: "groups",
	Doc: "One group of runs (pipeline, sweep, array) over its whole life, for the groups that overlap the window; one row per currency. " +
		"Its cost by stage is costs grouped by group and stage.",
	Columns: sourced("runs, attempts, postings, usage, owners", slices.Concat(
		[]Column{
			attr("group_id", Text, "Group: of a workflow, a sweep, an array of jobs, or the label gpuledger.io/group."),
			attr("cluster", Text, "Cluster; NULL where its runs were in several."),
			attr("namespace", Text, "Namespace; NULL where its runs were in several."),
			attr("team", Text, "Team; NULL where its runs were several teams'."),
			attr("runs", Count, "Runs."),
			attr("succeeded", Count, "Of those, succeeded."),
			attr("failed", Count, "Of those, failed."),
			attr("cancelled", Count, "Of those, cancelled."),
			attr("open", Count, "Of those, running or queued."),
			attr("started_at", Time, "First hold of any run; NULL while all are queued."),
			attr("ended_at", Time, "End of the last run; NULL while any is open."),
			attr("attempts", Count, "Attempts of all runs."),
			attr("preemptions", Count, "Of those, ended preempted or evicted."),
		},
		summedQuantities(),
		[]Column{
			gpuHours("lost_gpu_hours", "GPU-hours with cause `lost`.", SumOrZero("gpu_hours", Causes(ledger.Lost))),
			moneyColumn("effective_cost", "Cost of all its runs, as in runs.", Sum("effective_cost", Causes(runCauses...))),
			moneyColumn("billed_cost", docBilled, Sum("billed_cost", Causes(runCauses...))),
			moneyColumn("list_cost", docList, Sum("list_cost", Causes(runCauses...))),
			moneyColumn("contracted_cost", docContracted, Sum("contracted_cost", Causes(runCauses...))),
			causeCost("used_cost", ledger.Used),
			causeCost("held_idle_cost", ledger.HeldIdle),
			causeCost("overhead_cost", ledger.Overhead),
			causeCost("lost_cost", ledger.Lost),
			moneyColumn("lost_cost_min", "Lost cost that a checkpoint proves; losses of basis `none` count 0.",
				SumOrZero("effective_cost", Causes(ledger.Lost), Where("loss_basis", string(ledger.LossCheckpoint), string(ledger.LossResume)))),
			causeCost("unobserved_cost", ledger.Unobserved),
			causeCost("host_cost", ledger.Host),
			causeCost("metered_cost", ledger.Metered),
			moneyColumn("window_effective_cost", "The part of effective_cost inside [from, to).",
				SumOrZero("effective_cost", Causes(runCauses...), Where("in_window", "true"))),
			energy(),
			worstQuality(),
			leastSettled(),
			currency(),
		},
	)...),
	Windowed: true,
	RowKey:   []string{"group_id", "currency"},
	Order:    []Order{{Column: Basis, Desc: true}},
	Aliases:  map[string]string{"group": "group_id"},
}
