package metrics

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// QualityParts says from when on a figure is as unsure as some of it: from one
// part in so many of its cost, whose sign does not matter.
const QualityParts = 100

// WorstQuality is OpWorstQuality of sums of |cost| by quality, for who has added
// up rows already; empty of none. SQL is made of the same rule, and a test holds
// it to this one.
func WorstQuality(cost map[ledger.Quality]money.Amount) ledger.Quality {
	var whole money.Amount
	for _, a := range cost {
		whole = whole.Add(a)
	}
	parts := money.FromUnits(QualityParts * money.UnitsPerOne).Rat()
	for _, q := range []ledger.Quality{ledger.Assumed, ledger.Estimated} {
		if a, ok := cost[q]; ok && a.MulRat(parts).Cmp(whole) >= 0 {
			return q
		}
	}
	if len(cost) == 0 {
		return ""
	}
	return ledger.Measured
}
