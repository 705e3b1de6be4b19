package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Busy hours are the held GPU-hours of costs, by holder and hour of the week, billed or not, read both from the
// ledger and from roll-ups.
func TestBusyHoursAreTheHeldHoursOfCosts(t *testing.T) {
	s := storetest.SmallLedger(t)
	month := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	check := func() {
		t.Helper()
		rows := storetest.Table(t, s, "busy_hours", month)
		if len(rows) != 2 {
			t.Fatalf("%d rows: %v", len(rows), rows)
		}
		// Monday 2 November 2026, 10:00 and 11:00
		storetest.Wants(t, rows[0], map[string]string{"cluster": "prod", "team": "research", "workload_class": "run",
			"hour_of_week": "10", "gpu_hours": "4", "used_gpu_hours": "2", "held_idle_gpu_hours": "0"})
		storetest.Wants(t, rows[1], map[string]string{"hour_of_week": "11", "gpu_hours": "1", "used_gpu_hours": "1"})
		o := month
		o.GroupBy = "model"
		rows = storetest.Table(t, s, "busy_hours", o)
		storetest.Wants(t, storetest.RowWith(t, rows, "model", "llama"),
			map[string]string{"gpu_hours": storetest.Asked(t, s, "costs", "gpu_hours", month)})
	}
	check()
	storetest.RollNovember(t, s)
	// the day is not marked, so only the roll-up is read
	storetest.Run(t, s.Pool, `update usage set gpu_hours = gpu_hours * 2`)
	if got := storetest.Asked(t, s, "busy_hours", "gpu_hours", month); got != "5" {
		t.Errorf("%s GPU-hours, and 5 were added up", got)
	}
}
