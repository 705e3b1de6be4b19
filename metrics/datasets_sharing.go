package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

// ownKinds are the kinds of an owner's postings before sharing.
var ownKinds = []string{string(ledger.Direct), string(ledger.Amortise), string(ledger.Adjustment)}

var chargeback = Dataset{
	Name: "chargeback",
	Lead: []string{Basis, "currency", "own_effective_cost", "shared_in_effective_cost", "shared_out_effective_cost",
		"gpu_hours", "state"},
	InPart: true,
	Doc: "What each team pays, per period, group and currency: its own cost, the cost that sharing passes on to others " +
		"and the cost it receives, and the result.",
	Grouped:  true,
	Windowed: true,
	Shared:   true,
	Pairs:    true,
	GroupBy:  []string{"team"},
	Columns: sourced("postings, shares, usage", slices.Concat(
		[]Column{
			{
				Name: "period_start", Kind: Time,
				Doc:     wholePeriod,
				Formula: Field("period_start"),
			},
			{Name: "period_end", Kind: Time, Doc: "End of the period, exclusive.", Formula: Field("period_end")},
		},
		// the group keys follow here
		[]Column{
			currency().caveat("Usage that no bill and no rate covers is in a separate row, with NULL currency and NULL cost."),
		},
		afterSharing(),
		sides("own", "before sharing", ownKinds...),
		sides("shared_out", "that sharing passes on to others, as a negative amount", string(ledger.SharedOut)),
		sides("shared_in", "that sharing receives from others", string(ledger.SharedIn)),
		[]Column{stageCost("non_gpu_effective_cost", "Part of effective_cost outside the GPU fleet: cause non_gpu.",
			ledger.NonGPU)},
		summedQuantities(),
		[]Column{leastSettled()},
	)...),
	RowKey: []string{"period_start", "currency"}, // and the group keys
	Order:  []Order{{Column: "period_start"}, {Column: Basis, Desc: true}},
}

// afterSharing are the four costs with the amounts passed on and received.
func afterSharing() []Column {
	cols := summedCosts()
	for i := range cols {
		cols[i].Doc = "Cost after sharing: own, plus received, minus passed on. " + cols[i].Doc
	}
	return cols
}

// sides are the four costs of some kinds of postings.
func sides(prefix, what string, kinds ...string) []Column {
	cols := fourCosts()
	for i := range cols {
		cols[i].Formula = SumOrZero(cols[i].Name, Where("kind", kinds...))
		cols[i].Doc = "Cost " + what + ". " + cols[i].Doc
		cols[i].Name = prefix + "_" + cols[i].Name
	}
	return cols
}
