package star

// WorkloadSignal is the activity of cards while workloads held them.
var WorkloadSignal = Fact{
	Name: "workload_signal",
	Doc: "Activity in the minutes in which workloads held cards or slices, as counts per bin (docs/figures.md, " +
		"17.8).",
	Made:     "internal/analysis, HolderSignals, 1",
	Kept:     true,
	Keys:     keys(always(own("workload_id", ID, "Workload.")), always(owner), always(own("node_id", ID, "Machine."))),
	Measures: heldActivity,
	Rollups: []Rollup{
		{
			Name: "workload_signal", Doc: "A workload.",
			Keys: []string{"workload_id", "owner_id", "node_id"}, Steps: []Step{Days, Months},
		},
	},
	Org:   []string{"owner_id"},
	Place: []string{"node_id"},
	Reads: []string{"workloads"},
}

// RunSignal is the activity of cards while attempts of runs held them.
var RunSignal = Fact{
	Name: "run_signal",
	Doc: "Activity in the minutes in which attempts of runs held cards or slices, as counts per bin " +
		"(docs/figures.md, 17.8).",
	Made: "internal/analysis, HolderSignals, 1",
	Kept: true,
	Keys: keys(always(own("run_id", Text, "Run.")), own("attempt_id", ID, "Attempt. Null: outside the run's "+
		"attempts.")),
	Measures: heldActivity,
	Rollups: []Rollup{
		{
			Name: "run_signal", Doc: "An attempt.", Keys: []string{"run_id", "attempt_id"},
			Steps: []Step{Days, Months}, Many: "run_id",
		},
	},
	Org:   []string{"run_id"},
	Place: []string{"run_id"},
	Reads: []string{"runs", "attempts"},
}

var heldActivity = []Measure{{Name: "activity_bins", Type: Numbers, Merge: Counts, Always: true,
	Doc: "Minutes of each card or slice per bin of activity in ppm (internal/sketch): (bin + 1) << 40 | count, " +
		"ascending."}}
