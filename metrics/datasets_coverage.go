package metrics

var coverage = Dataset{
	Name: "coverage",
	Lead: []string{"cluster", "instance_type", "nodes", "capacity_gpu_hours", "billed_gpu_hours", "unbilled_gpu_hours",
		"would_cost", "would_cost_currency", "held_gpu_hours"},
	Doc: "Billed, observed and known parts of the fleet's capacity: one hour (or day, week, month), cluster and " +
		"instance type.",
	Columns: sourced("usage, parts, nodes", []Column{
		{Name: "period_start", Kind: Time, Doc: "Start of the period.", Formula: Field("period_start")},
		attr("cluster", Text, "Cluster; NULL for machines that only the bill knows."),
		attr("instance_type", Text, "Instance type; NULL if unknown."),
		attr("nodes", Count, "Machines."),
		attr("nodes_without_bill", Count, "Of those, machines that no line bills in the period."),
		attr("nodes_without_telemetry", Count, "Of those, machines without a GPU sample in the period."),
		gpuHours("capacity_gpu_hours",
			"GPU-hours of the machines: billed or observed in each hour, whichever is more.",
			Field("capacity_gpu_hours")),
		gpuHours("billed_gpu_hours", "Of those, billed.", Field("billed_gpu_hours")),
		gpuHours("surplus_gpu_hours",
			"GPU-hours observed beyond the lines that bill the hour. Capacity is the larger of both, so that no share exceeds "+
				"1.",
			Field("surplus_gpu_hours")),
		gpuHours("unbilled_gpu_hours", "GPU-hours of machine hours that no line bills.", Field("unbilled_gpu_hours")),
		gpuHours("may_be_billed_gpu_hours",
			"Of those, GPU-hours of machines of unknown account that a bill of the book may have under another name.",
			Field("may_be_billed_gpu_hours")),
		moneyColumn("would_cost",
			"Cost of these hours at the prices for hours without a bill; it is in no total. NULL without a price, or with "+
				"several currencies.", Field("would_cost")),
		attr("would_cost_currency", Text, "Currency of would_cost; NULL if there is none, or more than one."),
		gpuHours("known_gpu_hours", "GPU-hours whose activity is known.", Field("known_gpu_hours")),
		gpuHours("held_gpu_hours", "Held GPU-hours.", Field("held_gpu_hours")),
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
