package star

// serviceNames are the keys of services; placeNames are the places of their replicas. Lists of bounds are keys, since
// only histograms with the same bounds add up.
var (
	serviceNames = []string{"service", "model", "server", "tenant", "cluster", "namespace", "currency", "state",
		"split_basis",
		"counts_tokens", "counts_requests", "team", "project", "business_unit", "environment", "cost_center", "stage",
		"model_version", "workload_kind", "workload_class", "latency_bounds", "ttft_bounds", "queue_bounds"}
	servedByOwner = []string{
		"service", "model", "cluster", "currency", "state", "model_version", "workload_class", "owner_id",
	}
	servedMeasures = []string{"effective_cost", "billed_cost", "list_cost", "contracted_cost",
		"requests", "prompt_tokens", "generation_tokens", "first_hour", "last_hour"}
	placeNames = []string{"region", "zone", "instance_type", "gpu_model", "pricing"}
)

// Serving is the requests, tokens and cost of services. Pages about services read few rows; pages about places and
// replicas read more.
var Serving = Fact{
	Name: "serving",
	Doc:  "Requests, tokens and cost of services, added up over replicas (docs/figures.md, section 16).",
	Rows: "report.served",
	Keys: keys(always(texts("service")), texts("model"), own("server", Text, "Server whose counters were read. Null: no "+
		"counters."),
		own("tenant", Text, "Tenant that was served, if counters name one."),
		texts("cluster", "namespace"), currency, always(texts("state")),
		always(own("split_basis", Text, "How cost is divided between input and output: measured, weighted or stated.")),
		always(own("counts_tokens", Bool, "Tokens of the service and model are counted on the day.")),
		always(own("counts_requests", Bool, "Requests of the service and model are counted on the day.")),
		texts("team", "project", "business_unit", "environment", "cost_center", "stage", "model_version", "workload_kind",
			"workload_class"),
		bounds("latency"), bounds("ttft"), bounds("queue"),
		texts(placeNames...), always(own("workload_id", ID, "Workload.")), always(texts("pod")),
		own("owner_id", ID, "Owner of the workload. Null: unknown.")),
	Measures: measures(
		[]Measure{{Name: "replicas", Type: Numbers, Merge: Union, Doc: "Hashes of the names of replicas.", Always: true}},
		money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		sums("currency", map[string]string{
			"used_cost":       "Effective cost of cause used.",
			"held_idle_cost":  "Effective cost of cause held_idle.",
			"overhead_cost":   "Effective cost of cause overhead.",
			"lost_cost":       "Effective cost of cause lost.",
			"unobserved_cost": "Effective cost of cause unobserved.",
			"host_cost":       "Effective cost of cause host.",
			"metered_cost":    "Effective cost of cause metered.",
			"input_cost":      "Effective cost of reading prompts.",
			"output_cost":     "Effective cost of generating.",
		}, "used_cost", "held_idle_cost", "overhead_cost", "lost_cost",
			"unobserved_cost", "host_cost", "metered_cost", "input_cost", "output_cost"),
		quantities("gpu_hours"),
		sums("GPU-h", map[string]string{"used_gpu_hours": "Held GPU time with cause used."}, "used_gpu_hours"),
		quantities("active_gpu_hours"),
		sums("h", map[string]string{"replica_hours": "Hours that replicas held."}, "replica_hours"),
		sums("min", map[string]string{
			"held_minutes": "Minutes that replicas held.",
			"seen_minutes": "Held minutes with a counter sample.",
		}, "held_minutes", "seen_minutes"),
		[]Measure{{Name: "activity_bins", Type: Numbers, Merge: Counts,
			Doc: "Minutes of their cards and slices per bin of activity in ppm (internal/sketch): (bin + 1) << 40 | count, " +
				"ascending."}},
		sums("", map[string]string{
			"requests":             "Requests that finished with an answer.",
			"failed_requests":      "Requests that did not finish with an answer.",
			"inferences":           "Elements of batches if the server counts them, else requests.",
			"prompt_tokens":        "Tokens of prompts, cached ones included.",
			"cached_prompt_tokens": "Prompt tokens that a cache had.",
			"generation_tokens":    "Tokens generated.",
		}, "requests", "failed_requests", "inferences", "prompt_tokens", "cached_prompt_tokens", "generation_tokens"),
		sums("ms", map[string]string{"prefill_ms": "Time of prefill.", "decode_ms": "Time of decode."}, "prefill_ms",
			"decode_ms"),
		timed("latency"), timed("ttft"), timed("queue"), hours()),
	Rollups: []Rollup{
		{Name: "serving", Doc: "A service.", Keys: serviceNames, Any: []string{"owner_id"}, Steps: []Step{Days, Months}},
		{
			Name: "serving_place", Doc: "A service in one place.",
			Keys: and(serviceNames, placeNames...), Any: []string{"owner_id"}, Steps: []Step{Days, Months},
		},
		{Name: "serving_owner", Doc: "An owner's service and the model that answered.", Keys: servedByOwner,
			Measures: servedMeasures, Steps: []Step{Days, Months}},
		{
			Name: "serving_replica", Doc: "A replica.",
			Keys: and(and(serviceNames, placeNames...), "workload_id", "pod", "owner_id"), Steps: []Step{Days},
		},
	},
	Org:   []string{"owner_id"},
	Place: []string{"cluster"},
	Reads: []string{"inference", "models"},
}

// bounds is the key of the bounds of a histogram.
func bounds(of string) []Key {
	return own(of+"_bounds", Numbers,
		"Upper bounds of the buckets of "+of+"_counts in nanoseconds, ascending. The last one is the largest bigint.")
}

// timed are the sums and the histogram of a measured time.
func timed(what string) []Measure {
	return append(sums("", map[string]string{
		what + "_ms":      "Sum of the measured times, in milliseconds.",
		what + "_samples": "Number of measured times.",
	}, what+"_ms", what+"_samples"),
		Measure{
			Name: what + "_counts", Type: Numbers, Merge: Buckets,
			Doc: "Number of measured times up to each of " + what + "_bounds.",
		})
}
