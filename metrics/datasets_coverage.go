package metrics

var coverage = Dataset{
	Name: "coverage",
	Doc:  "What of the fleet's capacity was billed, seen and known: one hour (or day, week, month), cluster and instance type.",
	Columns: sourced("usage, parts, nodes", []Column{
		{Name: "period_start", Kind: Time, Doc: "Start of the period.", Formula: Field("period_start")},
		attr("cluster", Text, "Cluster; NULL for machines that only the bill knows."),
		attr("instance_type", Text, "Instance type; NULL where nothing names it."),
		attr("nodes", Count, "Machines."),
		attr("nodes_without_bill", Count, "Of those, machines that no line bills in the period."),
		attr("nodes_without_telemetry", Count, "Of those, machines of whose GPUs no sample is known in the period."),
		gpuHours("capacity_gpu_hours", "GPU-hours of the machines: of each hour the billed or the observed, whichever is more.", Field("capacity_gpu_hours")),
		gpuHours("billed_gpu_hours", "Of those, billed.", Field("billed_gpu_hours")),
		gpuHours("surplus_gpu_hours", "GPU-hours observed beyond what the hour's lines bill: the denominator is the larger, so shares stay whole.", Field("surplus_gpu_hours")),
		gpuHours("unbilled_gpu_hours", "GPU-hours of machine hours that no line bills.", Field("unbilled_gpu_hours")),
		gpuHours("known_gpu_hours", "GPU-hours whose activity is known.", Field("known_gpu_hours")),
		gpuHours("held_gpu_hours", "GPU-hours held by somebody.", Field("held_gpu_hours")),
		gpuHours("unobserved_gpu_hours", "GPU-hours with cause `unobserved`.", Field("unobserved_gpu_hours")),
		gpuHours("measured_gpu_hours", "GPU-hours of quality measured.", Field("measured_gpu_hours")),
		gpuHours("estimated_gpu_hours", "GPU-hours of quality estimated.", Field("estimated_gpu_hours")),
		gpuHours("assumed_gpu_hours", "GPU-hours of quality assumed.", Field("assumed_gpu_hours")),
	}...),
	Windowed: true,
	Stepped:  true,
	RowKey:   []string{"period_start", "cluster", "instance_type"},
	Order:    []Order{{Column: "period_start"}, {Column: "cluster"}, {Column: "instance_type"}},
}
