package part

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
)

// TestM02NoPartLeavesItsLine: the parts of a line have its sign and are never more than the line. The halves of
// amortisation pairs have both signs, and sum to zero.
func TestM02NoPartLeavesItsLine(t *testing.T) {
	tier.Check(t, 1000, func(t *rapid.T) {
		nodes, bill := drawFleet(t), drawBill(t)
		parts, _ := cutBill(t, NewFleet(nodes, everyKey), bill, bill)
		for _, ch := range bill {
			pairs := map[period.Second]money.Amount{}
			for i := range parts[ch.ID] {
				p := &parts[ch.ID][i]
				if p.PostingKind == ledger.Amortise {
					pairs[p.Hour] = pairs[p.Hour].Add(*p.Effective)
					continue
				}
				for _, m := range ledger.Metrics {
					share, line := p.Get(m), ch.Get(m)
					if share == nil || share.IsZero() {
						continue
					}
					if share.Sign() != line.Sign() || share.Cmp(*line)*line.Sign() > 0 {
						t.Fatalf("%s, %s: part %s of a line of %s", ch.Kind, m, share, line)
					}
				}
			}
			for hour, sum := range pairs {
				if !sum.IsZero() {
					t.Fatalf("pairs of %s at %s add up to %s", ch.Kind, hour, sum)
				}
			}
		}
	})
}

// TestCutAndAddOfALine: a line that the bill has as two is cut like one, within less than three units of 1e-12 a place
// and metric: one rounding of the whole and one of each half. Negations, prepaid, invoice-wide and unplaced lines are
// left out: they take from one another in turn.
func TestCutAndAddOfALine(t *testing.T) {
	type place struct {
		kind ledger.PartKind
		node ledger.ID
		hour period.Second
	}
	add := func(sums map[place]*ledger.Costs, parts []ledger.Part, negative bool) {
		for i := range parts {
			p := &parts[i]
			at := place{p.Kind, p.NodeID, p.Hour}
			if sums[at] == nil {
				sums[at] = &ledger.Costs{}
			}
			for _, m := range ledger.Metrics {
				a := p.Get(m)
				if a == nil {
					continue
				}
				v := *a
				if negative {
					v = a.Neg()
				}
				if old := sums[at].Get(m); old != nil {
					v = old.Add(v)
				}
				sums[at].Set(m, &v)
			}
		}
	}
	limit := big.NewRat(3, money.UnitsPerOne)
	tier.Check(t, 1000, func(t *rapid.T) {
		nodes := drawFleet(t)
		ch := drawBill(t)[0]
		ch.Kind = rapid.SampledFrom([]ledger.LineKind{
			ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineOther,
		}).Draw(t, "cut kind")
		f := NewFleet(nodes, everyKey)
		whole, _ := cutBill(t, f, []*ledger.Charge{ch}, []*ledger.Charge{ch})
		one, two := *ch, *ch
		two.ID = ledger.ID{200}
		two.InstanceSeconds = nil
		dust := map[ledger.Metric]bool{}
		for _, m := range ledger.Metrics {
			if a := ch.Get(m); a != nil {
				first := money.FromUnits(rapid.Int64Range(-1e15, 1e15).Draw(t, "first"))
				rest := a.Sub(first)
				one.Set(m, &first)
				two.Set(m, &rest)
				_, exact := a.Units()
				dust[m] = !exact // goes whole to the largest share, which may be another one
			}
		}
		halves := []*ledger.Charge{&one, &two}
		cut, _ := cutBill(t, f, halves, halves)
		off := map[place]*ledger.Costs{}
		add(off, whole[ch.ID], true)
		add(off, cut[one.ID], false)
		add(off, cut[two.ID], false)
		for at, costs := range off {
			for _, m := range ledger.Metrics {
				if a := costs.Get(m); a != nil && !dust[m] && new(big.Rat).Abs(a.Rat()).Cmp(limit) >= 0 {
					t.Fatalf("%v, %s: off by %s", at, m, a)
				}
			}
		}
	})
}
