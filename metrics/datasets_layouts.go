package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

// wholeDays is the caveat of data that is kept by day.
const wholeDays = "Of the UTC days that begin in the window."

var cardSlices = Dataset{
	Name: "slices",
	Lead: []string{"gpu_model", "profile", "device_uuid", "held_hours", Basis, "currency", "stranded_cost",
		"valid_from", "slice_id", "node"},
	InPart: true,
	Doc: "The slices of MIG cards: a row per card, machine, layout, slice and currency, and one without a slice " +
		"for the rest of the card.",
	Columns: sourced("star.layout_days, star.slice_days, nodes, owners", slices.Concat(
		[]Column{
			attr("device_uuid", Text, "UUID of the card."),
			attr("gpu_model", Text, "GPU model of its machine."),
			attr("profile", Text, "MIG profile; NULL for the rest of the card."),
			attr("slice_id", Count, "MIG instance; NULL for the rest of the card: the part outside its instances, or all of a "+
				"card without instances."),
			attr("valid_from", Time, "Start of this layout."),
			attr("valid_to", Time, "End of this layout; while it lasts, the end of the stored data.").caveat("Covers the " +
				"whole layout, also outside the window."),
			{
				Name: "weight", Kind: Ratio,
				Doc: "Share of the card that the slice, or the rest, stands for: its dominant share unless the policy says " +
					"otherwise, divided by the sum of all shares if that exceeds 1.", Formula: Field("weight"),
			},
			hoursOf("held_hours", "Time in which the slice was held; NULL for the rest of a card with instances.",
				Sum("held_hours")).caveat(wholeDays),
			moneyColumn("effective_cost", docEffective,
				Sum("effective_cost")).caveat("The rows of a card add up to its cost: free, stranded and idle time is in them. " +
				wholeDays),
			{Name: "fragmentation_index", Kind: Ratio,
				Doc: "Of the layout: 1 − compute slices of the largest profile that could still be placed ÷ compute slices in no " +
					"instance; 0 when there are none. In groups weighted by time.",
				Formula: Field("fragmentation_index"), Groups: quotient("fragmented_hours", "card_hours")},
			{
				Name: "dead_compute", Kind: Ratio,
				Doc: "Share of the card's compute slices that no further profile could take, for the layout. In groups weighted " +
					"by time.", Formula: Field("dead_compute"), Groups: quotient("dead_compute_hours", "card_hours"),
			},
			{
				Name: "dead_memory", Kind: Ratio,
				Doc: "Share of the card's memory slices that no further profile could take, for the layout. In groups weighted " +
					"by time.", Formula: Field("dead_memory"), Groups: quotient("dead_memory_hours", "card_hours"),
			},
			causeCost("stranded_cost", ledger.Stranded).caveat("Part of effective_cost."),
			causeCost("free_cost", ledger.Free).caveat("Part of effective_cost."),
			causeCost("held_idle_cost", ledger.HeldIdle).caveat("Part of effective_cost."),
			moneyColumn("billed_cost", docBilled, Sum("billed_cost")),
			moneyColumn("list_cost", docList, Sum("list_cost")),
			moneyColumn("contracted_cost", docContracted, Sum("contracted_cost")),
			gpuHours("capacity_gpu_hours", "All GPU-hours of the slice or rest, held or not.", Sum("capacity_gpu_hours")),
		},
		summedQuantities(),
		[]Column{
			attr("cluster", Text, "Cluster."),
			attr("node", Text, "Machine."),
			attr("slot", Count, "Slot of the machine."),
			attr("placement", Text, "Whether the places of the instances on the card are known, or the best valid ones "+
				"assumed; NULL without instances.").values("known", "assumed"),
			leastSettled(),
			currency(),
		},
	)...),
	Windowed: true,
	Offers: append([]string{"device", "mig_profile"},
		slices.DeleteFunc(slices.Clone(deviceKeys), func(k string) bool {
			return k == "cluster" || k == "node" || k == "mig_profile"
		})...),
	RowKey: []string{"device_uuid", "node", "slot", "valid_from", "slice_id", "currency"},
	Order:  []Order{{Column: "device_uuid"}, {Column: "valid_from"}, {Column: "slice_id"}},
}

var cardLayouts = Dataset{
	Name: "layouts",
	Lead: []string{"device_uuid", "gpu_model", "profiles", Basis, "currency", "stranded_cost", "packing_efficiency",
		"valid_from", "node"},
	Doc: "Layouts of MIG cards over time, with their use and cost: a row per card, machine, layout and currency.",
	Columns: sourced("star.layout_days, star.slice_days, nodes, owners", slices.Concat(
		[]Column{
			attr("device_uuid", Text, "UUID of the card."),
			attr("gpu_model", Text, "GPU model of its machine."),
			attr("cluster", Text, "Cluster."),
			attr("node", Text, "Machine."),
			attr("slot", Count, "Slot of the machine."),
			attr("valid_from", Time, "Start of this layout."),
			attr("valid_to", Time, "End of this layout; while it lasts, the end of the stored data."),
			attr("profiles", Text, "Profiles of its instances; empty for a card without any."),
			attr("instances", Count, "Number of instances."),
			attr("placement", Text, "Whether the places of the instances on the card are known, or the best valid ones "+
				"assumed; NULL without instances.").values("known", "assumed"),
			hoursOf("card_hours", "Time of the card, in the window.", Sum("card_hours")).caveat(wholeDays),
		},
		summedQuantities(),
		[]Column{
			{Name: "packing_efficiency", Kind: Ratio, Doc: "Held GPU-hours of slices ÷ hours of cards while they had instances.",
				Formula: RatioOf(Sum("instance_gpu_hours"), Sum("instance_hours")),
				Caveats: []string{"NULL for a card without instances."}},
			{
				Name: "placeable_share", Kind: Ratio,
				Doc:     "Share of the card outside its instances on which a profile could still be placed.",
				Formula: Field("free_share"),
			},
			{
				Name: "stranded_share", Kind: Ratio,
				Doc: "Share of the card outside its instances that no profile could use.", Formula: Field("stranded_share"),
			},
			{Name: "fragmentation_index", Kind: Ratio,
				Doc: "1 − compute slices of the largest profile that could still be placed ÷ compute slices in no instance; 0 " +
					"when there are none. In groups weighted by time.",
				Formula: Field("fragmentation_index"), Groups: quotient("fragmented_hours", "card_hours")},
			{
				Name: "dead_compute", Kind: Ratio,
				Doc:     "Share of the card's compute slices that no further profile could take. In groups weighted by time.",
				Formula: Field("dead_compute"), Groups: quotient("dead_compute_hours", "card_hours"),
			},
			{
				Name: "dead_memory", Kind: Ratio,
				Doc:     "Share of the card's memory slices that no further profile could take. In groups weighted by time.",
				Formula: Field("dead_memory"), Groups: quotient("dead_memory_hours", "card_hours"),
			},
		},
		summedCosts(),
		[]Column{
			causeCost("held_idle_cost", ledger.HeldIdle),
			causeCost("free_cost", ledger.Free),
			causeCost("stranded_cost", ledger.Stranded),
			leastSettled(),
			currency(),
		},
	)...),
	Windowed: true,
	Offers:   cardSlices.Offers,
	RowKey:   []string{"device_uuid", "node", "slot", "valid_from", "currency"},
	Order:    []Order{{Column: "device_uuid"}, {Column: "valid_from"}},
}

var packing = Dataset{
	Name: "packing",
	Lead: []string{"cluster", "gpu_model", "cards", "fewest_cards", "saving", "currency", "stranded_cost",
		"packing_efficiency"},
	Doc: "How well the GPUs of a model in a cluster are packed, and the fewest cards in MIG mode that would have been " +
		"enough: a row per cluster, GPU model and currency.",
	Columns: sourced("star.packing_days, star.layout_days, star.slice_days, nodes", slices.Concat(
		[]Column{
			{
				Name: "period_start", Kind: Time,
				Doc:     "Start of the period: of the bucket, else of the window, else of all stored time.",
				Formula: Field("period_start"), Caveats: []string{wholeDays},
			},
			attr("cluster", Text, "Cluster."),
			attr("gpu_model", Text, "GPU model of its machines."),
			{Name: "cards", Kind: Count, Doc: "Cards that had MIG instances.", Formula: CountOf("cards_used")},
			hoursOf("card_hours", "Time of cards while they had instances.", Sum("card_hours")),
			gpuHours("gpu_hours", "GPU-hours held of their instances.", Sum("gpu_hours")),
			{
				Name: "packing_efficiency", Kind: Ratio, Doc: "Held GPU-hours of slices ÷ hours of cards while they had instances.",
				Formula: *quotient("gpu_hours", "card_hours"),
			},
			{
				Name: "fragmentation_index", Kind: Ratio,
				Doc: "1 − compute slices of the largest profile that could still be placed ÷ compute slices in no instance, " +
					"weighted by time.", Formula: *quotient("fragmented_hours", "card_hours"),
			},
			{
				Name: "dead_compute", Kind: Ratio,
				Doc:     "Share of compute slices that no further profile could take, weighted by time.",
				Formula: *quotient("dead_compute_hours", "card_hours"),
			},
			{
				Name: "dead_memory", Kind: Ratio,
				Doc:     "Share of memory slices that no further profile could take, weighted by time.",
				Formula: *quotient("dead_memory_hours", "card_hours"),
			},
			Column{
				Name: "fgd_rate", Kind: Ratio,
				Doc: "Share of free GPU parts that a task like those of the day could not use where they are (FGD), at " +
					"full hours.",
				Formula: *quotient("stuck_ppm", "free_ppm"),
			}.
				caveat("Covers all GPUs of the model, in MIG mode or not. CPU and memory count as enough. NULL if nothing was " +
					"free."),
			gpuHours("stranded_gpu_hours", "GPU-hours that no profile could use.", Sum("stranded_gpu_hours")),
			causeFree("stranded_cost", "Effective cost of capacity that no profile could use."),
			Column{
				Name: "fewest_cards", Kind: Count,
				Doc:     "The fewest cards for the slices of each profile that were held at once, on the day that needs most.",
				Formula: Formula{Op: OpMax, Field: "fewest"}, Groups: &Formula{Op: OpField, Field: "fewest"},
			}.
				caveat("Each day on its own, under valid placements: cards are repartitioned between days if that helps, but not " +
					"within a day."),
			{Name: "card_days", Kind: Count, Doc: "Cards that had instances, summed over days.", Formula: Sum("cards")},
			{
				Name: "fewest_card_days", Kind: Count,
				Doc: "The fewest cards of each day, summed over days.", Formula: Sum("fewest"),
			},
			{
				Name: "exact", Kind: Text,
				Doc:    "Whether fewer cards are proven impossible on every day; no: the search ended at its bound.",
				Values: []string{"yes", "no"}, Formula: Formula{Op: OpMin, Field: "exact"},
			},
			causeFree("saving", "Cost of the cards beyond the fewest: cost of the cards × share of them that is not needed, "+
				"day by day.").
				caveat("Releasing them saves this only if demand is known beforehand and machines end with their cards: it is " +
					"not a promise."),
		},
		summedCosts(),
		[]Column{leastSettled(), currency()},
	)...),
	Windowed: true,
	Stepped:  true,
	Totals:   true,
	RowKey:   []string{"period_start", "cluster", "gpu_model", "currency"},
	Order:    []Order{{Column: "period_start"}, {Column: "cluster"}, {Column: "gpu_model"}},
}

var betterLayouts = Dataset{
	Name: "better_layouts",
	Lead: []string{"day", "gpu_model", "action", "current_profiles", "proposed_profiles", "card", "node", "cluster",
		"device_uuid"},
	Doc: "Layouts that would hold the same slices on fewer cards: a row per card that had MIG instances, if cards are " +
		"released. As of the newest day of the window with such cards.",
	Columns: sourced("shown_layouts, star.packing_days, nodes", []Column{
		attr("day", Time, "UTC day of the proposal."),
		attr("cluster", Text, "Cluster."),
		attr("gpu_model", Text, "GPU model."),
		attr("card", Count, "Number of the card in the proposal."),
		attr("node", Text, "Machine."),
		attr("slot", Count, "Slot of the machine."),
		attr("device_uuid", Text, "UUID of the card."),
		attr("action", Text, "What to do with the card.").values("keep", "repartition", "release"),
		attr("current_profiles", Text, "Its instances at the end of the day."),
		attr("proposed_profiles", Text, "Instances that it would need for its part of the demand; NULL if it is released.").
			caveat("Demand is the most instances of each profile that were held at one instant of any of the 28 days up to " +
				"that day, together on the fewest cards. The rest of the card stays free. A proposal stays until it no longer " +
				"holds the demand, a card that it needs is gone, or another proposal releases 5 % more cards."),
		attr("placement", Text, "The proposed profiles with the first memory slice of each."),
	}...),
	Windowed: true,
	RowKey:   []string{"day", "cluster", "gpu_model", "card"},
	Order:    []Order{{Column: "day"}, {Column: "cluster"}, {Column: "gpu_model"}, {Column: "card"}},
	Aliases:  map[string]string{"device": "device_uuid"},
}

// quotient divides the sums of two fields.
func quotient(num, den string) *Formula {
	f := RatioOf(Sum(num), Sum(den))
	return &f
}

func hoursOf(name, doc string, f Formula) Column {
	return Column{Name: name, Kind: Ratio, Unit: "hours", Doc: doc, Formula: f}
}

// causeFree is a sum of money whose base relation has already selected the cause.
func causeFree(name, doc string) Column { return moneyColumn(name, doc, Sum(name)) }
