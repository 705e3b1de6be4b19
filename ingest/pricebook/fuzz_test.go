package pricebook

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// FuzzParse: whatever the text, a book is either refused with a reason and a
// line, or its lines add up to its control totals.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add(rack)
	f.Add(plain(", purchase_price: '10', depreciation: units, life_hours: 100, power: {measured: true, fallback_kw: " +
		"1, tariff_per_kwh: '0.1'}"))
	f.Add("rates:\n- &a {hourly: 1}\n- *a\n")
	f.Add("name: b\nfrom: 2026-01-01\nowned:\n- {<<: {name: x}, count: 3, nodes: [a: b]}\n")
	f.Add("owned: !!set {? a}\nname: [a]\nissued_at: {}\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, tally, err := Parse(strings.NewReader(text), "book.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if tally.Refusals() > 0 {
			if len(b.Rates)+len(b.Owned)+len(b.Slots()) > 0 || tally.First[0].Reason == "" {
				t.Fatalf("a refused book has something to say: %+v", b)
			}
			return
		}
		if int64(len(b.Rates)+len(b.Owned)) != b.Entries {
			t.Fatalf("%d entries, %d rates, %d owned, nothing rejected", b.Entries, len(b.Rates), len(b.Owned))
		}
		var lines int64
		for _, e := range b.Owned {
			lines += e.Service.Seconds() / period.Hour * int64(len(e.Machines))
		}
		if slots := b.Slots(); lines < 20_000 && len(slots) < 50 {
			for _, s := range slots {
				var all money.Amount
				nothing := func(string, string, period.Interval) (map[period.Second]ledger.MeasuredEnergy, error) {
					return nil, nil
				}
				if err := s.Write(nothing, func(c []ledger.Charge) error { all = all.Add(sum(c)); return nil }); err != nil {
					t.Fatal(err)
				}
				d, err := s.Finish(nil, 0)
				if err != nil {
					t.Fatal(err)
				}
				var total money.Amount
				for _, c := range d.Totals {
					if c.Metric == ledger.EffectiveCost {
						total = total.Add(c.SourceTotal)
					}
				}
				if total.Cmp(all) != 0 {
					t.Fatalf("%s: control totals %s, lines %s", s.Month, total, all)
				}
			}
		}
	})
}
