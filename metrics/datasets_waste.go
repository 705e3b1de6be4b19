package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

var waste = Dataset{
	Name: "waste",
	Lead: []string{"subject", "kind", Basis, "currency", "findings", "idle_cost", "team", "open", "from", "evidence",
		"action", "finding_id"},
	InPart: true,
	Doc: "One finding: time that was paid for and did not work (idle kinds, which never overlap), or worked badly " +
		"(risks: `overlaps` is true, and their cost is never added to that of idle ones). Findings that overlap the window " +
		"are shown whole; one row per currency.",
	Columns: sourced("findings, finding_costs, recommendations, nodes, workloads, owners", slices.Concat(
		[]Column{
			attr("finding_id", ID, "Finding; stays the same while an open one grows."),
			attr("kind", Text, "Kind of finding."),
			attr("label", Text, "The kind in words."),
			attr("subject", Text, "Subject: pod, workload, run, device, machine, or cluster and instance type."),
			attr("from", Time, "Start."),
			attr("to", Time, "End so far."),
			attr("open", Bool, "Whether it lasts to the end of the stored data."),
			{Name: "hours", Kind: Quantity, Unit: "hours", Doc: "From start to end.", Formula: Sum("hours")},
			{Name: "hours_met", Kind: Quantity, Unit: "hours",
				Doc: "Hours from start to end that met the criterion on any GPU or pod: several at once count once. NULL for " +
					"findings from before this column existed.", Formula: Sum("hours_met")},
			gpuHours("gpu_hours", "GPU-hours that it covers; NULL if it covers none.", Sum("gpu_hours")),
			moneyColumn("effective_cost", "Effective cost of the time that it covers, host not included.",
				Sum("effective_cost")).
				caveat("Idle kinds add up; risks overlap with them and with each other: sum one or the other (idle_cost has " +
					"the idle ones)."),
			moneyColumn("idle_cost", "effective_cost of idle kinds, which adds up.", SumOrZero("idle_cost")),
			moneyColumn("cost_per_month", "effective_cost as a rate: per 730 hours of its interval.", Sum("cost_per_month")).
				caveat("NULL for a finding shorter than 7 days, which is too short for a monthly rate. In groups: only findings " +
					"of 7 days or more."),
			attr("evidence", Text, "The numbers that met the criterion, next to their thresholds."),
			attr("evidence_json", Text, "The evidence for programs: name, unit, value, bound, threshold, and its wording."),
			attr("meaning", Text, "What the kind means."),
			attr("action", Text, "What to do about it."),
			attr("recommendation_id", ID,
				"The recommendation about the same subject that follows from it. NULL if there is no such recommendation: the "+
					"finding is over and came once, or its kind is covered by advice on size, layout and commitments, or needs a "+
					"person."),
			attr("overlaps", Bool, "Whether it is a risk, whose cost is also counted elsewhere."),
			attr("cluster", Text, "Cluster."),
			attr("node", Text, "Machine; NULL if there were several."),
			attr("device", Text, "GPU UUID; NULL if there were several."),
			attr("namespace", Text, "Namespace of the holder."),
			attr("workload_kind", Text, "Kind of the root owner."),
			attr("workload", Text, "Name of the root owner."),
			attr("pod", Text, "Pod; NULL if there were several."),
			attr("service", Text, "Inference deployment."),
			attr("run_id", Text, "Run."),
			attr("team", Text, "Team of the holder, else of the machine."),
			attr("first_seen", Time, "End of the stored data when it was first found."),
			attr("last_seen", Time, "End of the stored data when it was last checked."),
			worstQuality(),
			leastSettled(),
			currency(),
			{
				Name: "findings", Kind: Count, Doc: "Findings.", Formula: Field("finding_id"),
				Groups: new(CountOf("finding_id")), OnlyGroups: true,
			},
		},
	)...),
	Offers: []string{"region", "zone", "instance_type", "gpu_model", "mig_profile", "workload_class", "business_unit",
		"project", "model", "model_version", "stage", "environment",
		"cost_center", "experiment", "dataset", "user", "priority", "queue"},
	Windowed: true,
	RowKey:   []string{"finding_id", "currency"},
	Order:    []Order{{Column: Basis, Desc: true}},
	Aliases:  map[string]string{"run": "run_id"},
}

// IdleCauses are the causes in the idle share (docs/figures.md 18.4).
var IdleCauses = []ledger.Cause{ledger.HeldIdle, ledger.Free, ledger.Stranded, ledger.Unavailable}

// unseenCapacity is capacity that was neither held nor observed; the idle share leaves it out (docs/figures.md 18.4).
var unseenCapacity = LessOf(Sum("capacity_gpu_hours", Causes(ledger.Unobserved)),
	Sum("gpu_hours", Causes(ledger.Unobserved)))

var idleHours = Dataset{
	Name: "idle_hours",
	Lead: []string{"cluster", "instance_type", "hour_of_week", "idle_share", "free_share", "idle_gpu_hours",
		"capacity_gpu_hours"},
	InPart: true,
	Doc:    "Use of capacity by hour of the week, cluster and instance type: shows free hours that come back every week.",
	Columns: sourced("usage, nodes", []Column{
		attr("cluster", Text, "Cluster."),
		attr("instance_type", Text, "Instance type."),
		attr("hour_of_week", Count, "Hour of the week (UTC), 0 is Monday 00:00, 167 Sunday 23:00."),
		gpuHours("capacity_gpu_hours", "All GPU-hours, held or not.", Sum("capacity_gpu_hours")),
		gpuHours("free_gpu_hours", "GPU-hours with cause `free`.", SumOrZero("free_gpu_hours")),
		gpuHours("held_idle_gpu_hours", "GPU-hours with cause `held_idle`.", SumOrZero("held_idle_gpu_hours")),
		gpuHours("idle_gpu_hours", "GPU-hours held idle, free, stranded or unavailable.", SumOrZero("idle_gpu_hours")),
		gpuHours("observed_gpu_hours",
			"GPU-hours that were held or observed: all but those of cause `unobserved` without a holder.",
			SumOrZero("observed_gpu_hours")),
		{
			Name: "free_share", Kind: Ratio, Doc: "Free part of the observed capacity.",
			Formula: RatioOf(SumOrZero("free_gpu_hours"), Sum("observed_gpu_hours")),
		},
		{Name: "idle_share", Kind: Ratio, Doc: "Idle part of the observed capacity: held idle, free, stranded, unavailable.",
			Formula: RatioOf(SumOrZero("idle_gpu_hours"), Sum("observed_gpu_hours")), Target: &IdleTarget},
	}...),
	Offers:   []string{"region", "gpu_model"},
	Windowed: true,
	RowKey:   []string{"cluster", "instance_type", "hour_of_week"},
	Order:    []Order{{Column: "cluster"}, {Column: "instance_type"}, {Column: "hour_of_week"}},
}
