package work

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/page"
)

func TestNetSpotSaving(t *testing.T) {
	p := &page.Context{Currency: "USD"}
	lost := func(reason string, basis ledger.LossBasis) []attemptRow {
		return []attemptRow{{Reason: reason, Basis: basis, Lost: money.MustParse("9")}}
	}
	for _, test := range []struct {
		net, gross *money.Amount
		attempts   []attemptRow
		text, note string
	}{
		{usd("59.5"), usd("100"), nil, "$59.50", "gross $100.00"},
		{usd("59.5"), nil, nil, "$59.50", ""},
		{usd("-30"), usd("100"), lost("spot_interruption", ledger.LossNone), "−$30.00", "gross $100.00, at least "},
		{usd("59.5"), usd("100"), lost("spot_interruption", ledger.LossCheckpoint), "$59.50", "gross $100.00"},
		{usd("59.5"), usd("100"), lost("scheduler", ledger.LossNone), "$59.50", "gross $100.00"},
		{nil, usd("100"), nil, "n/a", "no on-demand price"},
	} {
		f, ok := netSpot(p, Run{SpotSavings: test.gross, runPace: runPace{NetSpot: test.net}}, test.attempts)
		if !ok || f.Value.Text != test.text || f.Note != test.note {
			t.Errorf("%+v, want %s, %s", f, test.text, test.note)
		}
	}
	if _, ok := netSpot(p, Run{SpotSavings: usd("0"), runPace: runPace{NetSpot: usd("0")}}, nil); ok {
		t.Error("a run without spot has a spot saving")
	}
}

func TestBudgetOfARun(t *testing.T) {
	p := &page.Context{Currency: "USD"}
	p.Scope.Basis = "effective"
	for _, test := range []struct {
		name           string
		run            Run
		text, sub, tag string
		facts          []string // name: value, note
	}{
		{"none", Run{Status: "succeeded"}, "none", "", "", nil},
		{"ended within", Run{Status: "succeeded", Cost: usd("40"), runPace: runPace{Budget: usd("100"), Ratio: usd("0.4")}},
			"40.0 %", "", "",
			[]string{"Budget: 40.0 %, $60.00 left of $100.00"}},
		{
			"all of it", Run{Status: "succeeded", Cost: usd("100"), runPace: runPace{Budget: usd("100"), Ratio: usd("1")}},
			"100.0 %", "", "", []string{"Budget: 100.0 %, $0.00 left of $100.00"},
		},
		{"over", Run{Status: "running", Cost: usd("112"),
			runPace: runPace{Budget: usd("100"), Ratio: usd("1.12"), Burn: usd("2"), RunsOut: 3600, Projected: usd("130")}},
			"112.0 %", "", "over budget",
			[]string{
				"Budget: 112.0 %, $12.00 over $100.00 ", "Burn rate: $2.000/h, in its last 6 hours",
				"Budget runs out: 1 Jan 01:00, it was used up then", "Projected cost: $130.00, if it lasts as long as similar runs",
			}},
		{"running out", Run{Status: "running", Cost: usd("40"),
			runPace: runPace{Budget: usd("100"), Ratio: usd("0.4"), Burn: usd("2"), RunsOut: 3600, Projected: usd("130")}},
			"40.0 %", "runs out 1 Jan 01:00", "",
			[]string{
				"Budget: 40.0 %, $60.00 left of $100.00", "Burn rate: $2.000/h, in its last 6 hours",
				"Budget runs out: 1 Jan 01:00, at this burn rate", "Projected cost: $130.00, if it lasts as long as similar runs ",
			}},
		{"without pace", Run{Status: "running", Cost: usd("40"), runPace: runPace{Burn: usd("2")}}, "none", "", "",
			[]string{
				"Budget: n/a, no label names one", "Burn rate: $2.000/h, in its last 6 hours",
				"Budget runs out: n/a, no budget", "Projected cost: n/a, no similar run completed",
			}},
		{"without cost", Run{Status: "running", runPace: runPace{Budget: usd("100")}}, "n/a", "", "",
			[]string{
				"Budget: n/a, of $100.00", "Burn rate: n/a, no recent cost",
				"Budget runs out: n/a, no burn rate", "Projected cost: n/a, no burn rate",
			}},
	} {
		cell := budgetCell(p, "USD", test.run)
		tag := ""
		if cell.Figure.Tag != nil {
			tag = cell.Figure.Tag.Text
		}
		if cell.Figure.Text != test.text || cell.Sub != test.sub || tag != test.tag ||
			((test.text == "n/a" || test.text == "none") && cell.Figure.Title == "") {
			t.Errorf("%s: cell %+v, tag %q", test.name, cell, tag)
		}
		facts := paceFacts(p, test.run)
		for i, want := range test.facts {
			if i >= len(facts) || facts[i].Name+": "+facts[i].Value.Text+", "+facts[i].Note != want {
				t.Errorf("%s: facts %+v, want %s", test.name, facts, want)
				break
			}
		}
		if n := len(facts); n != len(test.facts)+2 || facts[n-1].Name != "Gang wait" || facts[n-2].Value.Text != "n/a" {
			t.Errorf("%s: %d facts, want the two parts of overhead last, unknown: %+v", test.name, n, facts)
		}
	}
}
