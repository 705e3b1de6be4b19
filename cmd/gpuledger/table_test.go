package main

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
)

// A table keeps its columns: the cleaning of text does not touch the tabs between them, and a value makes none.
func TestTablesHaveTheirColumns(t *testing.T) {
	cost := func(now, then string) metrics.TrialCost {
		before, after := money.MustParse(now), money.MustParse(then)
		c := metrics.TrialCost{Now: &before, Then: &after}
		c.Differ()
		return c
	}
	trial := trialText(&metrics.Trial{Version: "v2", Days: 3, Rows: []metrics.TrialRow{
		{Team: "fm", Cause: ledger.Free, Currency: "USD", Effective: cost("740.85", "753.21"), GPUHours: cost("20", "21")},
		{Team: "a\tb", Cause: ledger.Free, Currency: "USD", Effective: cost("1", "2")},
	}})
	list := columns([]string{"NAME", "ERROR", "NEXT"}, 2, func(i int) []string {
		return [][]string{{"x", "a\nb", "now"}, {"longer", "c\td", "later"}}[i]
	})
	for text, rows := range map[string][][]string{
		trial: {{"fm", "free", "740.85", "753.21", "12.36", "20.0", "21.0", "1.0"}, {`a\u0009b`, "free", "1.00", "2.00"}},
		list:  {{"x", `a\u000ab`, "now"}, {"longer", `c\u0009d`, "later"}},
	} {
		lines := strings.Split(text, "\n")
		for i, row := range rows {
			for _, cell := range row {
				if !strings.Contains(strings.ReplaceAll("  "+lines[i+1], "\u00a0", " "), " "+cell) {
					t.Errorf("%q is missing in %q", cell, lines[i+1])
				}
			}
		}
		if strings.Count(text, `\u0009`) != 1 {
			t.Errorf("tabs are shown:\n%s", text)
		}
	}
}
