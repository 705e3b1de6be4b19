package metrics

import "slices"

var requests = Dataset{
	Name:   "requests",
	InPart: true,
	Doc: "What GPU pods ask for of CPU and memory against what they used in the newest four weeks, by root owner: too " +
		"much asked for leaves GPUs that nobody can hold. " +
		"From cAdvisor's series of containers.",
	Columns: sourced("request_use, counter_hours, workload_facts, workloads", slices.Concat([]Column{
		attr("cluster", Text, "Cluster."),
		attr("namespace", Text, "Namespace."),
		attr("workload_kind", Text, "Kind of the root owner."),
		attr("workload", Text, "Name of the root owner."),
		attr("team", Text, "Team of the owner."),
		{
			Name: "pods", Kind: Count, Doc: "Pods at the newest instant that any held.",
			Formula: Field("pods"), Groups: new(Sum("pods")),
		},
		attr("days", Count, "Days with samples.").beside(),
		attr("enough_data", Bool, "14 days with samples or more: below, nothing is suggested."),
	}, []Column{
		{
			Name: "cpu_requested", Kind: Quantity, Unit: "cores",
			Doc: "Asked for by each pod; NULL where it asks for none.", Formula: Field("cpu_requested"),
		},
		{
			Name: "cpu_p95", Kind: Quantity, Unit: "cores", Doc: "95th percentile of what a pod used, all containers together.",
			Formula: Field("cpu_p95"), Caveats: []string{"From sketches: within 0.8 %. CPU is the mean between two samples."},
		},
		{Name: "cpu_p99", Kind: Quantity, Unit: "cores", Doc: "99th percentile of it.", Formula: Field("cpu_p99")},
		{
			Name: "cpu_suggested", Kind: Quantity, Unit: "cores",
			Doc: "P99 + 20 %, rounded up to a thousandth; NULL under 14 days.", Formula: Field("cpu_suggested"),
		},
		{
			Name: "cpu_saving", Kind: Quantity, Unit: "cores",
			Doc:     "(Requested − suggested) × pods; negative: more should be asked for.",
			Formula: Field("cpu_saving"), Groups: new(Sum("cpu_saving")),
		},
		{
			Name: "memory_requested_gib", Kind: Quantity, Unit: "GiB",
			Doc: "Asked for by each pod.", Formula: Field("memory_requested_gib"),
		},
		{
			Name: "memory_p95_gib", Kind: Quantity, Unit: "GiB",
			Doc: "95th percentile of the working set of a pod.", Formula: Field("memory_p95_gib"),
		},
		{
			Name: "memory_p99_gib", Kind: Quantity, Unit: "GiB", Doc: "99th percentile of it.", Formula: Field("memory_p99_gib"),
		},
		{
			Name: "memory_suggested_gib", Kind: Quantity, Unit: "GiB",
			Doc: "P99 + 20 %, rounded up to a MiB; NULL under 14 days.", Formula: Field("memory_suggested_gib"),
		},
		{
			Name: "memory_saving_gib", Kind: Quantity, Unit: "GiB", Doc: "(Requested − suggested) × pods.",
			Formula: Field("memory_saving_gib"), Groups: new(Sum("memory_saving_gib")),
		},
	})...),
	Offers: slices.DeleteFunc(slices.Clone(OwnerKeys), func(k string) bool { return k == "team" }),
	RowKey: []string{"cluster", "namespace", "workload_kind", "workload"},
	Order:  []Order{{Column: "cpu_saving", Desc: true}, {Column: "cluster"}, {Column: "namespace"}, {Column: "workload"}},
}
