package main

import (
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// The summary shows row counts that add up, the days, the ignored rows by reason, and the totals
// of all accounts.
func TestSummaryOfAnImportAddsUp(t *testing.T) {
	amount := func(text string) money.Amount {
		a, err := money.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	total := func(account string, metric ledger.Metric, cost, currency string) ingest.ControlTotal {
		return ingest.ControlTotal{
			Account: account, BillingPeriod: "2026-11", Metric: metric,
			SourceTotal: amount(cost), Currency: currency, Charges: 2,
		}
	}
	sum := &ingest.Summary{Source: "aws-cur", State: ingest.ImportPublished, Files: 1, RowsRead: 35, Accepted: 6,
		Rejected: 1, Ignored: 28, Seconds: 0.25,
		Days: "2026-11-02 to 2026-11-03", RejectedByReason: map[string]int64{"not a number": 1},
		IgnoredByReason: map[string]int64{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7},
		ControlTotals: []ingest.ControlTotal{total("1", ledger.BilledCost, "10.5", "USD"),
			total("2", ledger.BilledCost, "0.25", "USD"),
			total("3", ledger.BilledCost, "7", "EUR"), total("1", ledger.EffectiveCost, "9", "USD")}}
	const want = `aws-cur: published. 1 file, 35 rows read = 6 accepted + 1 rejected + 28 ignored, in 0.2 s
  days (UTC): 2026-11-02 to 2026-11-03
  rejected 1: not a number
  ignored 7: g
  ignored 6: f
  ignored 5: e
  ignored 4: d
  ignored 3: c
  ignored 3: for 2 other reasons
  account 1, 2026-11: billed_cost 10.5 USD over 2 charges
  account 2, 2026-11: billed_cost 0.25 USD over 2 charges
  account 3, 2026-11: billed_cost 7 EUR over 2 charges
  account 1, 2026-11: effective_cost 9 USD over 2 charges
  total: billed_cost 7 EUR, billed_cost 10.75 USD, effective_cost 9 USD
`
	if got := importText(sum); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	lines := strings.SplitAfter(want, "\n")
	brief := strings.Join(lines[:9], "") + "  deliveries: 1, control totals: 4. gpuledger report reconciliation lists them\n" +
		lines[13]
	sum.Deliveries = make([]ingest.PublishedDelivery, 1)
	if got := importBrief(sum); got != brief {
		t.Errorf("in brief\n%s\nwant\n%s", got, brief)
	}
	if nextAfter(sum) == "" {
		t.Error("no word of the next command")
	}
	for _, state := range []ingest.ImportState{ingest.ImportRefused, ingest.ImportUnchanged, ingest.ImportOlder} {
		if next := nextAfter(&ingest.Summary{State: state}); next != "" {
			t.Errorf("%s: %s", state, next)
		}
	}
}
