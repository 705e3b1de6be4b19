package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestGroupsAddUpTheirRuns(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update runs set group_id = 'nightly', created_at = '2026-11-02T09:30:00Z'`)
	rows := storetest.Table(t, s, "groups", metrics.Options{})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	one := storetest.Table(t, s, "runs", metrics.Options{Filter: "run_id = prod/ml/train"})[0]
	storetest.Wants(t, rows[0],
		map[string]string{"group_id": "nightly", "runs": "2", "succeeded": "1", "open": "1", "failed": "0", "attempts": "2",
			"preemptions": "1",
			"team":        "research", "cluster": "prod", "ended_at": "", "currency": "USD"})
	for _, c := range []string{
		"effective_cost", "billed_cost", "list_cost", "gpu_hours", "used_gpu_hours", "lost_gpu_hours",
		"lost_cost", "lost_cost_min", "used_cost", "window_effective_cost", "quality", "state",
	} {
		if rows[0][c] != one[c] {
			t.Errorf("%s is %s, of its only run with cost %s", c, rows[0][c], one[c])
		}
	}
	if rows := storetest.Table(t, s, "groups", metrics.Options{To: "2026-11-02T09:00"}); len(rows) != 0 {
		t.Errorf("a window before it began: %v", rows)
	}
}

// Usage observed beyond the bill is a separate quantity (M14).
func TestCoverageShowsTheSurplus(t *testing.T) {
	s := storetest.SmallLedger(t)
	// a quarter of the hour is billed, 8 GPU-hours were observed
	storetest.Run(t, s.Pool, `update parts set usage_seconds = 900 where kind = 'compute'`)
	rows := storetest.Table(t, s, "coverage", metrics.Options{Granularity: "day"})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"cluster": "prod", "instance_type": "p5.48xlarge", "nodes": "1", "nodes_without_bill": "0",
			"nodes_without_telemetry": "0",
			"capacity_gpu_hours":      "9", "billed_gpu_hours": "2", "surplus_gpu_hours": "6",
			"unbilled_gpu_hours": "1", "held_gpu_hours": "5", "assumed_gpu_hours": "2"})
	if rows := storetest.Table(t, s, "coverage", metrics.Options{}); len(rows) != 2 {
		t.Errorf("by hour: %v", rows)
	}
}

// Rows by other keys add up to the ungrouped ones.
func TestRunsByOtherKeys(t *testing.T) {
	s := storetest.SmallLedger(t)
	all := storetest.Table(t, s, "runs", metrics.Options{GroupBy: "currency"})
	whole := storetest.RowWith(t, all, "currency", "USD")
	one := storetest.Table(t, s, "runs", metrics.Options{Filter: "run_id = prod/ml/train"})[0]
	for _, keys := range []string{"team", "kind,status", "project,model,experiment"} {
		for _, c := range []string{"effective_cost", "billed_cost", "used_cost", "gpu_hours", "lost_gpu_hours"} {
			if got := storetest.SumColumn(t,
				storetest.Table(t, s, "runs", metrics.Options{GroupBy: keys, Filter: "currency = USD"}), c); got != whole[c] {
				t.Errorf("%s by %s adds up to %s; ungrouped %s", c, keys, got, whole[c])
			}
		}
	}
	if whole["effective_cost"] != one["effective_cost"] {
		t.Errorf("all runs cost %s, the only one with cost %s", whole["effective_cost"], one["effective_cost"])
	}
}
