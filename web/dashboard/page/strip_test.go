package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

func TestLegendNamesACauseOnce(t *testing.T) {
	amounts := map[ledger.Cause]money.Amount{ledger.Used: money.MustParse("60"), ledger.Lost: money.MustParse("40")}
	for _, least := range []string{"0", "10", "40"} {
		named := 0
		for _, g := range CauseStrip("USD", "head", amounts, usd(least)).Segments {
			if g.Named && g.Cause == "lost" {
				named++
			}
		}
		if named != 1 {
			t.Errorf("lost at least %s: %d entries", least, named)
		}
	}
}

func TestStripIsWholeAndOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := map[ledger.Cause]money.Amount{}
		for _, info := range ledger.Causes {
			if units := rapid.Int64Range(-5, 1_000_000).Draw(t, string(info.Cause)); units != 0 {
				amounts[info.Cause] = money.FromUnits(units * 1_000_000_000)
			}
		}
		least := money.FromUnits(rapid.Int64Range(0, 1_000_000).Draw(t, "least") * 1_000_000_000)
		s := CauseStrip("USD", "row", amounts, &least)
		last := -1
		for _, g := range s.Segments {
			order := ledger.Cause(g.Cause).Order()
			if order < last {
				t.Fatalf("%s is after a later cause", g.Cause)
			}
			last = order
		}
		positive := 0
		for _, a := range amounts {
			if a.Sign() > 0 {
				positive++
			}
		}
		if n := len(s.Segments); n < positive || n > positive+1 {
			t.Fatalf("%d segments for %d causes", n, positive)
		}
		if s.Label == "" {
			t.Fatal("the strip has no label")
		}
	})
}

func TestLostIsSplitAtItsLowerBound(t *testing.T) {
	s := CauseStrip("USD", "head",
		map[ledger.Cause]money.Amount{ledger.Used: money.MustParse("60"), ledger.Lost: money.MustParse("40")}, usd("10"))
	var got []string
	for _, g := range s.Segments {
		kind := g.Cause
		if g.Bound {
			kind += " bound"
		}
		got = append(got, kind+" "+g.Grow+" "+g.Amount)
	}
	want := []string{"used g600 $60.00", "lost g100 $10.00 – $40.00", "lost bound g300 $10.00 – $40.00"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func usd(s string) *money.Amount { a := money.MustParse(s); return &a }
