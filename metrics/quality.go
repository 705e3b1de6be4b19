package metrics

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// QualityParts is the share at which a quality affects the whole figure: one part in QualityParts of its absolute cost.
const QualityParts = 100

// WorstQuality is OpWorstQuality for sums of |cost| by quality, for rows that are added up already; empty without any.
// SQL implements the same rule; a test compares both.
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
