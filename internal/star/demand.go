package star

// demandKeys identify a root workload on one kind of slice, machine and owner.
var demandKeys = always(keys(
	own("cluster", Text, "Cluster."), own("namespace", Text, "Namespace."),
	own("kind", Text, "Kind of the root workload."), own("name", Text, "Name of the root workload."),
	own("gpu_model", Text, "GPU model of the machines. Empty: unknown."),
	own("mig_profile", Text, "Profile of the slices. Empty: whole cards."),
	own("price_class", Text, "Price class of the machines."),
	own("instance_type", Text, "Instance type of the machines."), owner,
	own("class", Text, "Class of the work."), own("run_kind", Text, "Kind of the run. Empty: none.")))

// aboutSlices are further facts of the slices that the demand is for.
var aboutSlices = always(keys(
	own("service", Text, "Service that the workload serves. Empty: none."),
	own("device_model", Text, "GPU model as the exporter names it."),
	own("region", Text, "Region of the machines."), own("provider", Text, "Provider of the machines.")))

// Demand is the cards and slices that workloads need.
var Demand = Fact{
	Name: "demand",
	Doc:  "Cards and slices that root workloads held and needed (docs/figures.md, 19.1, 19.2).",
	Made: "internal/analysis, AddDemand, 1",
	Keys: keys(demandKeys, aboutSlices),
	Measures: measures(
		[]Measure{
			{
				Name: "slices", Type: Integer, Merge: Most,
				Doc: "Most slices that one of its workloads held in one hour.", Always: true,
			},
		},
		quantities("gpu_hours"),
		sums("h", map[string]string{"hours": "Hours with telemetry of slices that it shared with no one."}, "hours"),
		[]Measure{
			{
				Name: "activity_bins", Type: Numbers, Merge: Counts,
				Doc: "Activity in those hours, in ppm, as counts per bin: (bin + 1) << 40 | count, ascending.",
			},
			{Name: "memory_bins", Type: Numbers, Merge: Counts, Doc: "Used memory, in bytes, as counts per bin."},
			{
				Name: "slice_memory", Type: Integer, Merge: Most,
				Doc: "Memory of a slice by its telemetry, in bytes. 0: not measured.", Always: true,
			},
			{
				Name: "held_hours", Type: Integer, Merge: Bits,
				Doc: "Bit h is set if anything was held in hour h of the day.", Always: true,
			},
		}),
	Rollups: []Rollup{
		{Name: "demand", Doc: "A workload's day.", Keys: Names(keys(demandKeys, aboutSlices)), Steps: []Step{Days}},
	},
	Org:   []string{"owner_id"},
	Place: []string{"cluster"},
	Reads: []string{"recommendations"},
}

// DemandCost is the cost of that demand.
var DemandCost = Fact{
	Name: "demand_cost",
	Doc:  "Cost of the cards and slices that root workloads held.",
	Rows: "report.demand_costs",
	Keys: keys(demandKeys, always(keys(currency))),
	Measures: measures([]Measure{{Name: "state", Type: Text, Merge: Most,
		Doc: "Least settled state: final, open or provisional.", Always: true}}, money("effective_cost")),
	Rollups: []Rollup{
		{Name: "demand_cost", Doc: "A workload's day.", Keys: and(Names(demandKeys), "currency"), Steps: []Step{Days}},
	},
	Org:   []string{"owner_id"},
	Place: []string{"cluster"},
	Reads: []string{"recommendations"},
}
