package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestOwnerCoverageIsPerKey(t *testing.T) {
	s := storetest.SmallLedger(t)
	by := map[string]map[string]string{}
	for _, r := range storetest.Table(t, s, "owner_coverage", metrics.Options{}) {
		by[r["key"]] = r
	}
	if len(by) != len(metrics.OwnerKeys) {
		t.Errorf("%d keys: %v", len(by), by)
	}
	storetest.Wants(t, by["team"],
		map[string]string{"effective_cost": "34", "owned_cost": "16.385", "unowned_cost": "17.615",
			"owned_share": "0.481911764706", "measured_cost": "25.8075",
			"assumed_cost": "8.1925", "estimated_cost": "0", "state": "open", "currency": "USD"})
	storetest.Wants(t, by["cost_center"], map[string]string{"owned_cost": "0", "unowned_cost": "34", "owned_share": "0"})
	rows := storetest.Table(t, s, "owner_coverage", metrics.Options{
		GroupBy: "key,cause", Filter: "key = team and cause = lost",
	})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{"owned_cost": "8.1925", "owned_share": "1"})
	if rows := storetest.Table(t, s, "owner_coverage", metrics.Options{To: "2026-11-01T00:00"}); len(rows) != 0 {
		t.Errorf("nothing was spent: %v", rows)
	}
}

func TestFreshnessIsAgainstTheNewest(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into charge_instances (tenant_id, delivery, instance_key, starts, ends, newest_starts,
		  charge_id, scope, item) values (1, 2, 'i-1', 1793613600, 1793617200, 1793613600, $1, 1, 1)`, storetest.ID("charge", "box"))
	storetest.Run(t, s.Pool, `insert into source_hours values (1, 'prod', 'kubernetes', '2026-11-02T12:00:00Z', 5),
		(1, 'prod', 'exporter', '2026-11-02T12:00:00Z', 1024)`) // minutes 0 and 2
	storetest.Run(t, s.Pool, `insert into instance_events (tenant_id, provider, instance_id, kind, detail, at)
		values (1, 'aws', 'i-1', 'rebalance_recommendation', '', '2026-11-02T09:00:00Z')`)
	by := map[string]map[string]string{}
	for _, r := range storetest.Table(t, s, "freshness", metrics.Options{}) {
		by[r["kind"]] = r
	}
	storetest.Wants(t, by["placements"], map[string]string{
		"scope": "prod", "newest_at": "2026-11-02T12:02:00Z", "behind_seconds": "0",
	})
	storetest.Wants(t, by["bill"], map[string]string{
		"source": "aws-cur", "newest_at": "2026-11-02T11:00:00Z", "behind_seconds": "3720", "end_at": "2026-11-02T12:02:00Z",
	})
	storetest.Wants(t, by["events"], map[string]string{"source": "aws", "behind_seconds": "10920"})
	if rows := storetest.Table(t, storetest.New(t), "freshness", metrics.Options{}); len(rows) != 0 {
		t.Errorf("of nothing: %v", rows)
	}
}
