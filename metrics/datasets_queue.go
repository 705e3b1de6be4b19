package metrics

import (
	"fmt"
	"slices"
)

// StarvedHours is the wait after which a workload counts as starved (docs/figures.md, 21.2).
const StarvedHours = 24

var queue = Dataset{
	Name: "queue",
	Lead: []string{"queue", "team", "workloads", "waiting", "wait_p95_seconds", "pending_gpu_hours", "starved",
		"gpu_model", "cluster", "wait_p50_seconds"},
	InPart: true,
	Doc: "How long workloads that asked for GPUs waited for them: those created in the window, by cluster, queue, team, " +
		"class and GPU model. Counts, GPU-hours and costs add up; percentiles are computed again over all waits of a group.",
	Columns: sourced("workload_facts, workloads, nodes, owners, attempts, postings, spans", []Column{
		attr("cluster", Text, "Cluster."),
		attr("queue", Text, "Queue; NULL without."),
		attr("team", Text, "Team; for a workload that never held GPUs, from its label, else `unowned`."),
		attr("workload_class", Text, "run, service, interactive or system; NULL for a workload that never held GPUs."),
		attr("gpu_model", Text, "GPU model of the machine it got; NULL for a workload that never held GPUs."),
		{Name: "workloads", Kind: Count, Doc: "Workloads that asked for GPUs, created in the window.",
			Formula: CountOf("workload")},
		{Name: "wait_p50_seconds", Kind: Duration, Unit: "seconds",
			Doc: "Median wait: creation to hold, by nearest rank. A workload that never held GPUs waits until its end, else " +
				"until the end of the stored data.", Formula: RankOf("wait_seconds", 500_000)},
		{Name: "wait_p95_seconds", Kind: Duration, Unit: "seconds", Doc: "95th percentile of the wait.",
			Formula: RankOf("wait_seconds", 950_000)},
		{Name: "wait_p99_seconds", Kind: Duration, Unit: "seconds", Doc: "99th percentile of the wait.",
			Formula: RankOf("wait_seconds", 990_000)},
		{Name: "wait_max_seconds", Kind: Duration, Unit: "seconds", Doc: "Longest wait.",
			Formula: Formula{Op: OpMax, Field: "wait_seconds"}},
		{Name: "wait_seconds", Kind: Duration, Unit: "seconds", Doc: "All waits together.",
			Formula: SumOrZero("wait_seconds")},
		{Name: "wait_mean_seconds", Kind: Ratio, Unit: "seconds", Doc: "Mean wait.",
			Formula: RatioOf(Sum("wait_seconds"), CountOf("workload"))},
		{Name: "waiting", Kind: Count, Doc: "Of the workloads, those that still wait at the end of the stored data.",
			Formula: CountOf("waiting")},
		{Name: "never_started", Kind: Count, Doc: "Of the workloads, those that ended without ever holding GPUs.",
			Formula: CountOf("never_started")},
		{Name: "starved", Kind: Count, Doc: fmt.Sprintf("Of the workloads, those that waited more than %d hours.",
			StarvedHours), Formula: CountOf("starved")},
		{Name: "requested_gpus", Kind: Quantity, Unit: "GPUs",
			Doc:     "Requested GPUs: whole ones, replicas by their share of a card, MIG instances by sevenths.",
			Formula: Sum("gpus")},
		{Name: "waiting_gpus", Kind: Quantity, Unit: "GPUs", Doc: "Of those, the GPUs of workloads that still wait.",
			Formula: Sum("waiting_gpus")},
		gpuHours("pending_gpu_hours", "Wait × requested GPUs.", Sum("pending_gpu_hours")),
		moneyColumn("gang_wait_cost",
			"Cost, while members of their gang were missing, of attempts that began in the window.",
			SumOrZero("gang_wait_cost", Where("gang", "true"))).
			caveat("Part of the cost of runs (cause `overhead`), not added to it."),
		currency(),
	}...),
	Offers: []string{"namespace", "workload_kind", "run", "instance_type", "region", "zone", "business_unit", "project",
		"model", "stage", "environment", "cost_center", "user", "priority"},
	Windowed: true,
	RowKey:   []string{"cluster", "queue", "team", "workload_class", "gpu_model", "currency"},
	Order:    []Order{{Column: "pending_gpu_hours", Desc: true}},
}

var fairShare = Dataset{
	Name: "fair_share",
	Lead: []string{"namespace", "queue", "resource", "quota", "fair_share", "quota_share", "held_share", "cluster"},
	Doc: "One quota of devices, of a namespace (ResourceQuota) or a queue (ClusterQueue), and its use in the window. No " +
		"rows without quotas.",
	Columns: sourced("objects, usage, workloads, owners", []Column{
		attr("cluster", Text, "Cluster."),
		attr("granted_by", Text, "Kind of object that grants it.").values("ResourceQuota", "ClusterQueue"),
		attr("namespace", Text, "Namespace that it is granted to."),
		attr("queue", Text, "Queue that it is granted to.").caveat("A queue's use is that of owners whose queue has this " +
			"name: give ClusterQueues and their LocalQueues the same name."),
		attr("resource", Text, "Granted resource: nvidia_com_gpu, or a MIG profile."),
		{Name: "quota", Kind: Quantity, Unit: "devices",
			Doc: "Devices granted; if a namespace has several quotas, the smallest.", Formula: Field("quota")},
		{Name: "quota_hours", Kind: Quantity, Unit: "device-hours",
			Doc:     "Quota × the hours from the first to the last usage of the cluster in the window; NULL without usage.",
			Formula: Field("quota_hours"), Groups: new(Sum("quota_hours"))},
		{Name: "held_hours", Kind: Quantity, Unit: "device-hours", Doc: "Hours in which they were held.",
			Formula: Field("held_hours"), Groups: new(Sum("held_hours"))},
		{Name: "fair_share", Kind: Ratio, Doc: "Held hours ÷ quota hours: 1 is all of the quota, all the time.",
			Formula: RatioOf(Field("held_hours"), Field("quota_hours")),
			Groups:  new(RatioOf(Sum("held_hours"), Sum("quota_hours")))},
		{Name: "quota_share", Kind: Ratio, Doc: "Part of all quotas of the resource in the cluster.",
			Formula: Field("quota_share")},
		{Name: "held_share", Kind: Ratio, Doc: "Part of the use of all quotas of the resource in the cluster: more than " +
			"quota_share borrows, less lends.",
			Formula: Field("held_share")},
	}...),
	Windowed: true,
	RowKey:   []string{"cluster", "granted_by", "namespace", "queue", "resource"},
	Order:    []Order{{Column: "cluster"}, {Column: "granted_by"}, {Column: "resource"}, {Column: "namespace"}},
}

var busyHours = Dataset{
	Name: "busy_hours",
	Lead: []string{"cluster", "team", "hour_of_week", "gpu_hours", "used_gpu_hours", "held_idle_share",
		"workload_class"},
	InPart: true,
	Doc: "Held GPU-hours by hour of the week, team and class of the work: shows whose work fills the hours in which " +
		"idle_hours has nothing free.",
	Columns: sourced("usage, workloads, owners, nodes", []Column{
		attr("cluster", Text, "Cluster."),
		attr("team", Text, "Team, or `unowned`."),
		attr("workload_class", Text, "run, service, interactive or system; NULL if no workload is known."),
		attr("hour_of_week", Count, "Hour of the week (UTC), 0 is Monday 00:00, 167 Sunday 23:00."),
		gpuHours("gpu_hours", "GPU-hours held.", Sum("gpu_hours")),
		gpuHours("used_gpu_hours", "GPU-hours with cause `used`.", SumOrZero("used_gpu_hours")),
		gpuHours("held_idle_gpu_hours", "GPU-hours with cause `held_idle`.", SumOrZero("held_idle_gpu_hours")),
		ratio("held_idle_share", "Part of the held GPU-hours with cause `held_idle`.",
			SumOrZero("held_idle_gpu_hours"), Sum("gpu_hours")),
	}...),
	Offers:   slices.Concat([]string{"gpu_model"}, OwnerKeys),
	Windowed: true,
	RowKey:   []string{"cluster", "team", "workload_class", "hour_of_week"},
	Order:    []Order{{Column: "cluster"}, {Column: "hour_of_week"}, {Column: "gpu_hours", Desc: true}},
}
