package metrics

var samples = Dataset{
	Name: "samples",
	Lead: []string{"hour", "node", "signal", "avg", "p95", "max", "device", "minutes", "gpu_model", "cluster"},
	Doc: "Summary of one signal of a device or slice in an hour, from its minute values. Kept for ever, even after the " +
		"minutes are deleted.",
	Columns: sourced("sample_summaries", []Column{
		attr("hour", Time, "Start of the hour."),
		attr("cluster", Text, "Cluster."),
		attr("node", Text, "Machine, as its exporter names it."),
		attr("device", Text, "UUID of the device; host/… is the machine itself."),
		attr("slice", Count, "MIG instance; NULL for the whole device."),
		attr("mig_profile", Text, "MIG profile; NULL for the whole device."),
		attr("gpu_model", Text, "Model of the device."),
		attr("signal", Text, "Signal; its name ends with its unit: ppm = millionths of 1, mw = milliwatts, mc = "+
			"millidegrees Celsius, b = bytes, mj = millijoules, bps = bytes per second."),
		attr("minutes", Count, "Minutes of the hour with a value: missing ones are unknown, never zero."),
		attr("avg", Ratio, "Mean of the minute values.").caveat("It has no meaning for counters (energy) and sticky codes " +
			"(xid, throttle_reasons)."),
		attr("min", Count, "Smallest minute value."),
		attr("max", Count, "Largest minute value."),
		attr("p50", Count, "Median of the minute values, by nearest rank: a value that was measured."),
		attr("p95", Count, "95th percentile of the minute values, by nearest rank."),
	}...),
	RowKey: []string{"hour", "cluster", "node", "device", "slice", "mig_profile", "signal"},
	Order: []Order{
		{Column: "hour"}, {Column: "cluster"}, {Column: "node"}, {Column: "device"}, {Column: "slice"}, {Column: "signal"},
	},
	Windowed: true,
}
