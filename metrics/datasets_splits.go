package metrics

import "slices"

var providerSplits = Dataset{
	Name: "provider_splits",
	Doc: "What the provider's own split of its machines gives pods (AWS: split cost allocation), in runs and outside " +
		"them, beside the ledger's cost of the same pods; whole lives, one row per currency. " +
		"Evidence beside the ledger's own allocation, never added to it.",
	Columns: sourced("charge_splits, workloads, postings, owners", []Column{
		attr("cluster", Text, "Cluster."),
		attr("namespace", Text, "Namespace."),
		attr("workload", Text, "Name of what controls the pod."),
		attr("workload_kind", Text, "Its kind."),
		attr("workload_class", Text, "Its class.").values("run", "service", "interactive", "system"),
		attr("run", Text, "Run; NULL of pods outside runs."),
		attr("team", Text, "Team; `unowned` where nothing names one."),
		{Name: "pods", Kind: Count, Doc: "Pods that the provider splits machines for.", Formula: CountOf("pod_id")},
		moneyColumn("used_cost", "What the provider says that they used; NULL where it does not say.", Sum("used_cost")),
		moneyColumn("unused_cost", "Their share of what nobody used, as the provider says.", Sum("unused_cost")),
		moneyColumn("provider_split_cost", "Both together.", Sum("provider_split_cost")),
		moneyColumn("effective_cost", "The ledger's cost of the same pods.",
			Sum("effective_cost")).caveat("NULL of pods that held no GPU."),
		leastSettled(),
		currency(),
	}...),
	Offers: slices.DeleteFunc(slices.Clone(OwnerKeys), func(k string) bool { return k == "team" }),
	RowKey: []string{"cluster", "namespace", "workload", "workload_kind", "workload_class", "run", "team", "currency"},
	Order:  []Order{{Column: "provider_split_cost", Desc: true}, {Column: "workload"}},
}
