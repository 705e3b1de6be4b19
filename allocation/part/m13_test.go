package part

import (
	"math/big"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// TestM13CostMetricsAreNotMixed: a month with a savings plan and a reserved instance. The invoice is Σ billed; the
// amortised view is Σ effective; neither counts a fee twice, and the four measures stay separate on every part.
func TestM13CostMetricsAreNotMixed(t *testing.T) {
	bill, _ := billOf(t, `line          kind      account  machine  hours    billed  effective  commitment
		 covered hour  covered   ml       gpu-1    00-01    60      40         plan
		 negation      negation  payer    -        00-01    -60     0          plan
		 plan fee      fee       payer    -        00-01    50      10         plan
		 upfront       fee       ml       -        00-8760  1000    0          ri
		 hour fee      fee       ml       -        00-02    8       3          ri
		 reserved      covered   ml       gpu-2    00-01    0       5          ri
		 on demand     usage     ml       gpu-1    01-02    55      55         -
		 tax           tax       ml       -        00-01    11      11         -`)
	for _, ch := range bill {
		ch.List, ch.Contracted = ch.Billed, nil
	}
	parts := cutWith(t, financeFleet(), bill...)
	sums := map[ledger.PartKind]map[ledger.Metric]*big.Rat{}
	total := map[ledger.Metric]*big.Rat{}
	for _, ch := range bill {
		addsUp(t, ch, parts[ch.ID])
		for i := range parts[ch.ID] {
			p := &parts[ch.ID][i]
			if p.Contracted != nil {
				t.Errorf("contracted cost appeared on %+v", p)
			}
			for _, m := range ledger.Metrics {
				if a := p.Get(m); a != nil {
					add(sums, p.Kind, m, a)
					if total[m] == nil {
						total[m] = new(big.Rat)
					}
					total[m].Add(total[m], a.Rat())
				}
			}
		}
	}
	for _, c := range []struct {
		kind              ledger.PartKind
		billed, effective string
	}{
		{ledger.PartCompute, "55", "100"},        // 60 − 60 + 0 + 55; 40 + 0 + 5 + 55
		{ledger.PartCommitmentFee, "1058", "0"},  // 50 + 1000 + 8: cash, once
		{ledger.PartCommitmentUnused, "0", "13"}, // 10 + 3: amortised, unused
	} {
		if got := sums[c.kind][ledger.BilledCost].FloatString(0); got != c.billed {
			t.Errorf("%s: billed %s, want %s", c.kind, got, c.billed)
		}
		if got := sums[c.kind][ledger.EffectiveCost].FloatString(0); got != c.effective {
			t.Errorf("%s: effective %s, want %s", c.kind, got, c.effective)
		}
	}
	if got := total[ledger.BilledCost].FloatString(0); got != "1124" {
		t.Errorf("Σ billed is %s, the invoice is 1124", got)
	}
	if got := total[ledger.EffectiveCost].FloatString(0); got != "124" {
		t.Errorf("Σ effective is %s, amortised it is 124", got)
	}
}

func add(sums map[ledger.PartKind]map[ledger.Metric]*big.Rat, kind ledger.PartKind, m ledger.Metric, a *money.Amount) {
	if sums[kind] == nil {
		sums[kind] = map[ledger.Metric]*big.Rat{}
	}
	if sums[kind][m] == nil {
		sums[kind][m] = new(big.Rat)
	}
	sums[kind][m].Add(sums[kind][m], a.Rat())
}
