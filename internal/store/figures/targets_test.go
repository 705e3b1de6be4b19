package figures_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// TestTargetsHaveStatusAndSince judges stored days.
func TestTargetsHaveStatusAndSince(t *testing.T) {
	s := storetest.SmallLedger(t)
	for day, idle := range []string{"5", "15", "30", "30"} {
		storetest.Run(t, s.Pool, `insert into star.target_days (tenant_id, at, target, subject, unit, currency, numerator,
			  denominator)
			values (1, timestamptz '2026-10-01T00:00:00Z' + make_interval(days => $1), 'idle_share', '', '', '',
			    $2::text::numeric, 100)`, day, idle)
	}
	storetest.Run(t, s.Pool, `insert into star.target_days (tenant_id, at, target, subject, unit, currency, numerator,
		  denominator) values
		(1, '2026-10-01T00:00:00Z', 'unit_cost', 'm', '1M tokens', 'USD', 10, 10),
		(1, '2026-10-02T00:00:00Z', 'unit_cost', 'm', '1M tokens', 'USD', 30, 20)`)
	rows := storetest.Table(t, s, "targets", metrics.Options{Filter: "target = idle_share", Order: "day"})
	for i, want := range [][2]string{
		{"good", "2026-10-01T00:00:00Z"}, {"watch", "2026-10-02T00:00:00Z"},
		{"act", "2026-10-03T00:00:00Z"}, {"act", "2026-10-03T00:00:00Z"},
	} {
		storetest.Wants(t, rows[i], map[string]string{"status": want[0], "since": want[1]})
	}
	rows = storetest.Table(t, s, "targets", metrics.Options{Filter: "target = unit_cost", Order: "day"})
	storetest.Wants(t, rows[0], map[string]string{"value": "1", "before": "", "status": "unknown"})
	storetest.Wants(t, rows[1], map[string]string{
		"value": "1.5", "before": "1", "change": "0.5", "status": "act", "currency": "USD", "subject": "m",
	})
	// A window does not shorten a row of days.
	rows = storetest.Table(t, s, "targets", metrics.Options{
		Filter: "target = idle_share", From: "2026-10-04", To: "2026-10-05",
	})
	storetest.Wants(t, rows[0], map[string]string{"status": "act", "since": "2026-10-03T00:00:00Z"})
}

// TestTargetsFollowTheLedger computes a day twice, with equal results.
func TestTargetsFollowTheLedger(t *testing.T) {
	s := storetest.SmallLedger(t)
	rollUp(t, s, storetest.AdviceDay.Time())
	sums := storetest.Table(t, s, "costs", metrics.Options{From: "2026-11-02", To: "2026-11-03", GroupBy: "cause"})
	if len(sums) == 0 {
		t.Fatal("the ledger has no hours on the day")
	}
	rows := storetest.Table(t, s, "targets", metrics.Options{From: "2026-11-02", To: "2026-11-03"})
	if len(rows) == 0 {
		t.Error("nothing is judged")
	}
	rollUp(t, s, storetest.AdviceDay.Time())
	if again := storetest.Table(t, s, "targets",
		metrics.Options{From: "2026-11-02", To: "2026-11-03"}); len(again) != len(rows) {
		t.Errorf("again %d rows for %d", len(again), len(rows))
	}
}
