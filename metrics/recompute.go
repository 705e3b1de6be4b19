package metrics

import (
	"fmt"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Recompute computes the subject's costs from the explanation's parts and weights alone, as docs/recompute.py does
// outside the program. The result has one entry per currency and known metric. It checks an explanation against its own
// figures.
func (e *Explanation) Recompute() (map[string]map[ledger.Metric]money.Amount, error) {
	totals := map[string]map[ledger.Metric]money.Amount{}
	add := func(currency string, m ledger.Metric, a money.Amount) {
		if totals[currency] == nil {
			totals[currency] = map[ledger.Metric]money.Amount{}
		}
		totals[currency][m] = totals[currency][m].Add(a)
	}
	for i := range e.NodeHours {
		n := &e.NodeHours[i]
		weights := make([]*big.Int, len(n.Rows))
		for k := range n.Rows {
			w, ok := new(big.Int).SetString(n.Rows[k].Weight, 10)
			if !ok {
				return nil, fmt.Errorf("weight %q of usage row %s is not an integer", n.Rows[k].Weight, n.Rows[k].UsageID)
			}
			weights[k] = w
		}
		for p := range n.Parts {
			amount := &n.Parts[p].Amount
			for _, m := range ledger.Metrics {
				if amount.Get(m) == nil {
					continue
				}
				a, err := money.Parse(*amount.Get(m))
				if err != nil {
					return nil, fmt.Errorf("part %s: %w", n.Parts[p].PartID, err)
				}
				shares, err := money.Split(a, weights)
				if err != nil {
					return nil, fmt.Errorf("part %s: %w", n.Parts[p].PartID, err)
				}
				for k := range shares {
					if n.Rows[k].Mine {
						add(amount.Currency, m, shares[k])
					}
				}
			}
		}
	}
	for i := range e.Whole {
		amount := &e.Whole[i].Amount
		for _, m := range ledger.Metrics {
			if amount.Get(m) == nil {
				continue
			}
			a, err := money.Parse(*amount.Get(m))
			if err != nil {
				return nil, fmt.Errorf("part %s: %w", e.Whole[i].PartID, err)
			}
			add(amount.Currency, m, a)
		}
	}
	return totals, nil
}
