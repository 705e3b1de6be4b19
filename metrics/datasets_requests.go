package metrics

import "slices"

var requests = Dataset{
	Name: "requests",
	Lead: []string{"namespace", "workload", "team", "cpu_requested", "cpu_p95", "cpu_saving", "memory_requested_gib",
		"memory_saving_gib", "pods", "days"},
	InPart: true,
	Doc: "CPU and memory requests of GPU pods against their use in the newest four weeks, by root owner: requests that " +
		"are too large leave GPUs that no pod can hold. From cAdvisor's series of containers.",
	Columns: sourced("request_use, counter_hours, workload_facts, workloads", slices.Concat([]Column{
		attr("cluster", Text, "Cluster."),
		attr("namespace", Text, "Namespace."),
		attr("workload_kind", Text, "Kind of the root owner."),
		attr("workload", Text, "Name of the root owner."),
		attr("team", Text, "Team of the owner."),
		{
			Name: "pods", Kind: Count, Doc: "Pods at the newest instant at which any held GPUs.",
			Formula: Field("pods"), Groups: new(Sum("pods")),
		},
		attr("days", Count, "Days with samples.").ungrouped(),
		attr("enough_data", Bool, "Whether there are 14 days with samples or more. With fewer, nothing is suggested."),
	}, []Column{
		{
			Name: "cpu_requested", Kind: Quantity, Unit: "cores",
			Doc: "Request of each pod; NULL without a request.", Formula: Field("cpu_requested"),
		},
		{
			Name: "cpu_p95", Kind: Quantity, Unit: "cores", Doc: "95th percentile of a pod's CPU use, all containers together.",
			Formula: Field("cpu_p95"), Caveats: []string{"From sketches: within 0.8 %. CPU is the mean between two samples."},
		},
		{Name: "cpu_p99", Kind: Quantity, Unit: "cores", Doc: "99th percentile of the CPU use.", Formula: Field("cpu_p99")},
		{
			Name: "cpu_suggested", Kind: Quantity, Unit: "cores",
			Doc: "P99 + 20 %, rounded up to a thousandth; NULL under 14 days.", Formula: Field("cpu_suggested"),
		},
		{
			Name: "cpu_saving", Kind: Quantity, Unit: "cores",
			Doc:     "(Requested − suggested) × pods; negative: the request is too small.",
			Formula: Field("cpu_saving"), Groups: new(Sum("cpu_saving")),
		},
		{
			Name: "memory_requested_gib", Kind: Quantity, Unit: "GiB",
			Doc: "Request of each pod.", Formula: Field("memory_requested_gib"),
		},
		{
			Name: "memory_p95_gib", Kind: Quantity, Unit: "GiB",
			Doc: "95th percentile of the working set of a pod.", Formula: Field("memory_p95_gib"),
		},
		{
			Name: "memory_p99_gib", Kind: Quantity, Unit: "GiB",
			Doc: "99th percentile of the working set.", Formula: Field("memory_p99_gib"),
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
