package star

// Layout is the partitioning of MIG cards. A row is a stretch of a day; all its values are keys.
var Layout = Fact{
	Name: "layout",
	Doc:  "How MIG cards were partitioned (docs/figures.md, 17.4).",
	Made: madeLayouts,
	Kept: true,
	Keys: always(keys(deviceKeys,
		own("number", Integer, "Number of the stretch within the slot's day, from 0."),
		own("device", Text, "UUID of the card."), own("model", Text, "Model of the card, as its exporter names it."),
		own("from_at", Time, "Start of the stretch."), own("to_at", Time, "End of the stretch."),
		own("slice_ids", Numbers, "Ids of the card's instances. Empty: a card without instances."),
		own("profiles", Texts, "Profiles of the instances."),
		own("weights", Numbers, "Weight of each instance, in parts of denominator."),
		own("denominator", Integer, "Parts that make up the card."),
		own("free", Integer, "Parts that another instance fits in."),
		own("stranded", Integer, "Parts that no instance fits in."),
		own("held_seconds", Numbers, "Seconds that each instance was held. For a card without instances: seconds that the "+
			"card was held."),
		own("assumed", Bool, "The placement is assumed, not known."),
		own("compute", Integer, "Compute slices of the card."), own("memory", Integer, "Memory slices of the card."),
		own("free_compute", Integer, "Compute slices that are free."),
		own("largest", Integer, "Compute slices of the largest instance that fits."),
		own("dead_compute", Integer, "Free compute slices that no instance can use."),
		own("dead_memory", Integer, "Free memory slices that no instance can use."),
		own("fragmentation_ppm", Integer, "Index of fragmentation, in ppm."))),
	Rollups: []Rollup{
		{Name: "layout", Doc: "A stretch of a card.", Keys: and(layoutNames, "held_seconds"), Steps: []Step{Days}},
		{Name: "layout_seen", Doc: "A stretch of a card, without its held time.", Keys: layoutNames,
			Measures: []string{}, Steps: []Step{Days}},
	},
	Org:   []string{Nobody},
	Place: []string{"node_id"},
	Reads: []string{"layouts", "slices", "packing"},
}

// madeLayouts is the code that builds all facts of MIG cards.
const madeLayouts = "internal/analysis, LayoutDay, 1"

var layoutNames = []string{"node_id", "slot", "number", "device", "model", "from_at", "to_at", "slice_ids", "profiles",
	"weights", "denominator", "free", "stranded", "assumed", "compute", "memory", "free_compute", "largest",
	"dead_compute", "dead_memory", "fragmentation_ppm"}

// Slice is the use and cost of the slices of cards and of the rest of each card.
var Slice = Fact{
	Name: "slice",
	Doc:  "Cost and GPU time of slices of MIG cards (docs/figures.md, 17.5).",
	Made: madeLayouts,
	Keys: keys(deviceKeys, always(own("number", Integer, "Number of the card's stretch on the day.")),
		own("slice_id", Integer, "Id of the instance. Null: the rest of the card."), always(owner),
		texts("workload_class", "namespace"), always(texts("cause", "state")), currency),
	Measures: measures(money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		quantities("gpu_hours", "capacity_gpu_hours", "active_gpu_hours"), energy),
	Rollups: []Rollup{
		{Name: "slice", Doc: "A holder's part of a slice.", Steps: []Step{Days},
			Keys: and(sliceNames, "slice_id", "owner_id", "workload_class", "namespace", "cause", "state", "currency")},
		{Name: "slice_seen", Doc: "The currencies in which cards are paid.", Keys: and(sliceNames, "currency"),
			Measures: []string{}, Steps: []Step{Days}},
	},
	Org:   []string{"owner_id"},
	Place: []string{"node_id"},
	Reads: []string{"layouts", "slices", "packing"},
}

var sliceNames = []string{"node_id", "slot", "number"}

// Packing is how well the GPUs of a model were packed on a day.
var Packing = Fact{
	Name: "packing",
	Doc:  "How the GPUs of a model in a cluster were packed on a day (docs/figures.md, 17.6).",
	Made: madeLayouts,
	Keys: always(keys(groupKeys,
		own("cards", Integer, "Cards in MIG mode that had instances."),
		own("fewest", Integer, "Fewest cards that would have been enough."),
		own("exact", Bool, "The fewest is proven. False: the search ended at its bound."),
		own("stuck_ppm", Integer, "FGD: free GPU parts that the day's tasks could not use, in ppm of a GPU, summed over the "+
			"hours."),
		own("free_ppm", Integer, "Free GPU parts, in ppm of a GPU, summed over the hours."))),
	Rollups: []Rollup{{Name: "packing", Doc: "The GPUs of a model.", Steps: []Step{Days},
		Keys: and(Names(groupKeys), "cards", "fewest", "exact", "stuck_ppm", "free_ppm")}},
	Closed:   packedTogether,
	Anywhere: packedTogether,
	Reads:    []string{"packing", "better_layouts"},
}

// PackingCard is the better layout of each card in Packing, for that day alone.
var PackingCard = Fact{
	Name: "packing_card",
	Doc:  "Card layouts with which the fewest cards would have been enough on a day (docs/figures.md, 17.7).",
	Made: madeLayouts,
	Keys: always(keys(groupKeys, own("card", Integer, "Number of the card, from 1."), deviceKeys,
		own("device", Text, "UUID of the card."), own("had", Texts, "Profiles of its last layout of the day."),
		own("profiles", Texts, "Profiles that the card would have. Empty: the card is released."),
		own("starts", Numbers, "First memory slice of each of these profiles."))),
	Rollups: []Rollup{{Name: "packing_card", Doc: "A card.", Steps: []Step{Days},
		Keys: and(Names(groupKeys), "card", "node_id", "slot", "device", "had", "profiles", "starts")}},
	Closed:   packedTogether,
	Anywhere: packedTogether,
	Reads:    []string{"better_layouts"},
}

const packedTogether = "it packs the slices of all holders together"

var groupKeys = keys(own("cluster", Text, "Cluster. Empty: unknown."),
	own("model", Text, "GPU model of the machines. Empty: unknown."))
