package costs

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/views"
)

func instant(s string) period.Second {
	t, err := metrics.Parse("costs", metrics.Options{From: s})
	if err != nil {
		panic(err)
	}
	return t.Window.From
}

func TestFirstStepsCountWhatWasPublished(t *testing.T) {
	imports := []books.Import{
		{Source: ledger.SourceOf("aws-cur"), State: "published", Accepted: 400},
		{Source: ledger.SourceOf("aws-cur"), State: "published", Accepted: 20},
		{Source: ledger.SourceOf("aws-cur"), State: "unchanged", Accepted: 400},
		{Source: ledger.SourceOf("openmetrics"), State: "refused", Accepted: 9},
	}
	f := firstRun(imports, false)
	if f.Done != "1 of 4 done" || f.Steps[0].Detail != "420 rows accepted in 2 imports" || f.Steps[1].Done ||
		f.Steps[3].Detail != "Ready to run" {
		t.Errorf("%+v", f)
	}
	if f = firstRun(imports, true); f.Done != "2 of 4 done" || !f.Steps[3].Done {
		t.Errorf("%+v", f)
	}
}

func TestAttentionNamesARunOnce(t *testing.T) {
	run := func(id, lost, least, cost string) work.Run {
		return work.Run{
			ID: id, Name: id, Currency: "USD", Attempts: 2, Cost: usd(cost),
			Lost: money.MustParse(lost), LostMin: money.MustParse(least),
		}
	}
	p := &page.Context{Currency: "USD", Scope: page.Scope{Basis: "effective"}}
	alerts := func(runs ...work.Run) []views.Alert {
		var o views.Overview
		attention(p, &o, overviewFacts{runs: runs}, &sums{})
		return o.Attention.Alerts
	}
	if got := alerts(run("a", "30", "0", "100"), run("b", "20", "20", "90")); len(got) != 1 ||
		got[0].Detail != "most in a: up to $30.00 of its $100.00" {
		t.Errorf("the run that lost most must be listed once: %+v", got)
	}
	if got := alerts(run("a", "30", "0", "100"), run("b", "40", "40", "90")); len(got) != 2 ||
		got[1].What != "b lost $40.00" {
		t.Errorf("%+v", got)
	}
}

// A currency without cost is named with the reason; the page shows no other one in its place.
func TestACurrencyWithoutCostIsSaid(t *testing.T) {
	stored := period.Interval{From: instant("2026-11-01"), To: instant("2026-12-01")}
	p := &page.Context{Extent: metrics.Extent{Stored: stored}, Scope: page.Scope{Span: stored, Currency: "CHF"}}
	for currency, want := range map[string]string{
		"CHF": "No cost in CHF in 1 – 30 Nov 2026: no bill is in CHF, or no exchange rate to it is stored.",
		"EUR": "No GPU spend, 1 – 30 Nov 2026.", // fees alone
	} {
		var o views.Overview
		c := &cube{Currency: currency, Currencies: []string{"USD", "EUR"}}
		if !partly(p, &o, c, c.total(), overviewFacts{}) || o.Sentence != want || o.Nothing == nil {
			t.Errorf("%s: %q, %+v", currency, o.Sentence, o.Nothing)
		}
	}
}
