package star

// Layout is how MIG cards were cut: a row is a stretch of a day, and all that it says of
// the card tells it apart.
var Layout = Fact{
	Name: "layout",
	Doc:  "How MIG cards were cut (docs/figures.md, 17.4).",
	Made: madeLayouts,
	Kept: true,
	Keys: always(keys(deviceKeys,
		own("number", Integer, "Number of the stretch on the slot's day, from 0."),
		own("device", Text, "UUID of the card."), own("model", Text, "Its model, as its exporter names it."),
		own("from_at", Time, "Start of the stretch."), own("to_at", Time, "Its end."),
		own("slice_ids", Numbers, "Ids of its instances. None: a card without instances."),
		own("profiles", Texts, "Their profiles."),
		own("weights", Numbers, "What each is of the card, in parts of denominator."),
		own("denominator", Integer, "Parts of the card."),
		own("free", Integer, "Parts of it that another instance fits in."),
		own("stranded", Integer, "Parts of it that no instance fits in."),
		own("held_seconds", Numbers, "How long each instance was held; last of the card without instances."),
		own("assumed", Bool, "The placement is not known."),
		own("compute", Integer, "Compute slices of the card."), own("memory", Integer, "Memory slices of the card."),
		own("free_compute", Integer, "Compute slices that are free."),
		own("largest", Integer, "Compute slices of the largest instance that fits."),
		own("dead_compute", Integer, "Free compute slices that no instance can have."),
		own("dead_memory", Integer, "Free memory slices that no instance can have."),
		own("fragmentation_ppm", Integer, "Index of fragmentation, in ppm."))),
	Rollups: []Rollup{
		{Name: "layout", Doc: "A stretch of a card.", Keys: and(layoutNames, "held_seconds"), Steps: []Step{Days}},
		{Name: "layout_seen", Doc: "A stretch of a card, without how long anybody held what.", Keys: layoutNames,
			Measures: []string{}, Steps: []Step{Days}},
	},
	Org:   []string{Nobody},
	Place: []string{"node_id"},
	Reads: []string{"layouts", "slices", "packing"},
}

// madeLayouts makes all facts of cards.
const madeLayouts = "internal/analysis, LayoutDay, 1"

var layoutNames = []string{"node_id", "slot", "number", "device", "model", "from_at", "to_at", "slice_ids", "profiles",
	"weights", "denominator", "free", "stranded", "assumed", "compute", "memory", "free_compute", "largest",
	"dead_compute", "dead_memory", "fragmentation_ppm"}

// Slice is what slices of cards, and the rest of cards, were used for and cost.
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
		{Name: "slice", Doc: "What a holder had of a slice.", Steps: []Step{Days},
			Keys: and(sliceNames, "slice_id", "owner_id", "workload_class", "namespace", "cause", "state", "currency")},
		{Name: "slice_seen", Doc: "In which currencies cards are paid.", Keys: and(sliceNames, "currency"),
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
		own("fewest", Integer, "How few would have done."),
		own("exact", Bool, "No fewer do, which is proven."),
		own("stuck_ppm", Integer, "FGD: what was free and of no use to what ran, in ppm of a GPU, added up over the hours."),
		own("free_ppm", Integer, "What was free, likewise."))),
	Rollups: []Rollup{{Name: "packing", Doc: "The GPUs of a model.", Steps: []Step{Days},
		Keys: and(Names(groupKeys), "cards", "fewest", "exact", "stuck_ppm", "free_ppm")}},
	Closed:   packedTogether,
	Anywhere: packedTogether,
	Reads:    []string{"packing", "better_layouts"},
}

// PackingCard is the better layout of each of these cards on that day alone.
var PackingCard = Fact{
	Name: "packing_card",
	Doc:  "The layouts of cards with which the fewest would have done on a day (docs/figures.md, 17.7).",
	Made: madeLayouts,
	Keys: always(keys(groupKeys, own("card", Integer, "Number of the card, from 1."), deviceKeys,
		own("device", Text, "UUID of the card."), own("had", Texts, "Profiles of its last layout of the day."),
		own("profiles", Texts, "Those that it would have. None: it is released."),
		own("starts", Numbers, "The memory slices where they would start."))),
	Rollups: []Rollup{{Name: "packing_card", Doc: "A card.", Steps: []Step{Days},
		Keys: and(Names(groupKeys), "card", "node_id", "slot", "device", "had", "profiles", "starts")}},
	Closed:   packedTogether,
	Anywhere: packedTogether,
	Reads:    []string{"better_layouts"},
}

const packedTogether = "it packs what everybody held"

var groupKeys = keys(own("cluster", Text, "Cluster. Empty: unknown."),
	own("model", Text, "GPU model of the machines. Empty: unknown."))
