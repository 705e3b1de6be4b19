package star

// Use is the CPU and memory that pods used.
var Use = Fact{
	Name: "use",
	Doc:  "CPU and memory that pods used (docs/figures.md, 22.3).",
	Made: "internal/store/figures, makeUse, 1",
	Keys: keys(always(own("cluster", Text, "Cluster.")), always(own("namespace", Text, "Namespace.")),
		always(own("pod", Text, "Pod."))),
	Measures: []Measure{
		usedMinutes("cpu_bins", "thousandths of a core"),
		usedMinutes("memory_bins", "bytes"),
	},
	Rollups: []Rollup{
		{Name: "use", Doc: "A pod's day.", Keys: []string{"cluster", "namespace", "pod"}, Steps: []Step{Days}},
	},
	Closed:   "scoped users read it by root owner, in `requests`",
	Anywhere: "scoped users read it by root owner, in `requests`",
	Reads:    []string{"requests"},
}

func usedMinutes(name, unit string) Measure {
	return Measure{Name: name, Type: Numbers, Merge: Counts,
		Doc: "Minutes per bin of values (internal/sketch), over all containers, in " +
			unit + ": (bin + 1) << 40 | count, ascending. Null: not measured."}
}
