package report_test

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// TestReadingSaysWhy: which roll-up answers, which do not, and why.
func TestReadingSaysWhy(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "delete from dirty")
	for _, d := range storetest.November(true) {
		if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{d.Day}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask := func(dataset string, o metrics.Options) *metrics.Reading {
		t.Helper()
		q, err := metrics.Parse(dataset, o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Reading(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	says := func(r *metrics.Reading, words ...string) {
		t.Helper()
		text := r.Text()
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("nothing says %q in\n%s", w, text)
			}
		}
	}
	whole := metrics.Options{From: "2026-11-01", To: "2026-12-01", GroupBy: "team"}
	r := ask("costs", whole)
	says(r, "2026-11-01T00:00Z to 2026-12-01T00:00Z: months",
		"- cost_total (billing_period, cause, kind, currency, state): does not have team",
		"+ cost_team (", "the smallest that has all keys", "a smaller one answers")
	if r.Rows["cost_team_months"] == 0 || r.Rows["postings_202611"] != 0 ||
		!strings.Contains(r.Statement, "cost_team_months") {
		t.Errorf("%v", r.Rows)
	}
	if r := ask("models", metrics.Options{From: whole.From, To: whole.To}); r.Rows["postings_202611"] != 0 {
		t.Errorf("models read %v", r.Rows)
	} else {
		says(r, ": months", "+ model (")
	}
	by := whole
	by.GroupBy = "pod"
	says(ask("costs", by), ": ledger",
		"cost_run (billing_period, cause, kind, currency, state, cluster, gpu_model, pricing, team, workload_class, run): "+
			"does not have pod")
	by.GroupBy, by.Granularity = "service", "hour"
	says(ask("costs", by), ": ledger", "cost_work (", "is not kept by hour")
	cut := whole
	cut.From, cut.GroupBy = "2026-11-02T01:00", "service"
	says(ask("costs", cut), "cut by the window, and this roll-up is not kept by hour: 1 day")
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, '2026-11-02', 'ledger'), (1, "+
		"'2026-11-05', 'ledger')")
	says(ask("costs", whole), "2026-11-02T00:00Z to 2026-11-03T00:00Z: ledger",
		"no current roll-up: 2026-11-02",
		"2026-11-05T00:00Z to 2026-11-06T00:00Z: nothing", "2026-11-06T00:00Z to 2026-12-01T00:00Z: days")
	says(ask("spot", metrics.Options{From: "2026-11-01", To: "2026-12-01", GroupBy: "run"}), "- spot (",
		"does not have run")
	says(ask("idle_hours", metrics.Options{From: "2026-11-01", To: "2026-11-05"}), ": days", "+ idle (")
	says(ask("runs", metrics.Options{}), "+ run (")
	says(ask("imports", metrics.Options{}), "its own tables: it has no roll-up")
	// Reading works for every dataset.
	for _, d := range metrics.Datasets {
		ask(d.Name, metrics.Options{})
	}
}
