package metrics

import "slices"

var providerSplits = Dataset{
	Name: "provider_splits",
	Lead: []string{"namespace", "workload", "team", "used_cost", "unused_cost", "currency", "provider_split_cost",
		"effective_cost", "pods", "cluster"},
	Doc: "Cost that the provider's own split of its machines gives pods (AWS: split cost allocation), in runs and " +
		"outside them, next to the ledger's cost of the same pods; whole lives, one row per currency. Evidence only, never " +
		"added to the ledger's own allocation.",
	Columns: sourced("charge_splits, workloads, postings, owners", []Column{
		attr("cluster", Text, "Cluster."),
		attr("namespace", Text, "Namespace."),
		attr("workload", Text, "Name of the pod's controller."),
		attr("workload_kind", Text, "Kind of the pod's controller."),
		attr("workload_class", Text, "Class of the workload.").values("run", "service", "interactive", "system"),
		attr("run", Text, "Run; NULL for pods outside runs."),
		attr("team", Text, "Team, or `unowned`."),
		{Name: "pods", Kind: Count, Doc: "Pods in the provider's split.", Formula: CountOf("pod_id")},
		moneyColumn("used_cost", "Cost of their use, by the provider; NULL if it gives none.", Sum("used_cost")),
		moneyColumn("unused_cost", "Their share of the unused cost, by the provider.", Sum("unused_cost")),
		moneyColumn("provider_split_cost", "Both together.", Sum("provider_split_cost")),
		moneyColumn("effective_cost", "The ledger's cost of the same pods.",
			Sum("effective_cost")).caveat("NULL for pods that held no GPU."),
		leastSettled(),
		currency(),
	}...),
	Offers: slices.DeleteFunc(slices.Clone(OwnerKeys), func(k string) bool { return k == "team" }),
	RowKey: []string{"cluster", "namespace", "workload", "workload_kind", "workload_class", "run", "team", "currency"},
	Order:  []Order{{Column: "provider_split_cost", Desc: true}, {Column: "workload"}},
}
