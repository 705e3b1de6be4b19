package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestSpotRowsAreOfEveryGroup(t *testing.T) {
	s := storetest.SpotLedger(t)
	rows := storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key in (instance_type, zone, team)"})
	by := map[string]map[string]string{}
	for _, r := range rows {
		by[r["group_key"]+" "+r["group_value"]+" "+r["currency"]] = r
	}
	machine := map[string]string{"attempts": "2", "interruptions": "1", "effective_cost": "32.77",
		"on_demand_equivalent": "98.32", "gross_savings": "65.55",
		"lost_cost": "8.1925", "net_savings": "57.3575", "net_savings_share": "0.583375711961", "success_rate": "1",
		"on_demand_success_rate": "", "spot_instance_hours": "1", "dead_attempts_cost": "8.1925",
		"dead_attempts_share": "0.25", "recovery_mean_seconds": "600", "recovery_p95_seconds": "600",
		"worst_week_interruptions": "1", "worst_hour_interruptions": "1",
		"pilot_gate": "unknown", "pilot_reasons": "less than a week of data", "alarm": "false", "state": "open",
		"interruption_rate": "1"}
	// The second attempt has no segment, so it is on no machine.
	machine["attempts"] = "1"
	storetest.Wants(t, by["instance_type p5.48xlarge USD"], machine)
	storetest.Wants(t, by["zone us-east-1a USD"], machine)
	storetest.Wants(t, by["team research USD"],
		map[string]string{"interruptions": "1", "effective_cost": "16.385", "lost_cost": "8.1925",
			"spot_instance_hours": "0.5"})
	storetest.Wants(t, by["team unowned USD"],
		map[string]string{"interruptions": "0", "effective_cost": "16.385", "lost_cost": "0", "spot_instance_hours": "0.5",
			"pilot_gate": "unknown"})
	if len(rows) != 4+3 { // and the hour without a bill, which has no currency, in each group
		t.Errorf("%d rows: %v", len(rows), by)
	}
	storetest.Wants(t, by["zone us-east-1a "],
		map[string]string{"effective_cost": "", "on_demand_equivalent": "", "spot_instance_hours": "0.125",
			"interruptions": "0"})
	m := by["zone us-east-1a USD"]
	storetest.Wants(t, m,
		map[string]string{"checkpoint_basis": "assumed", "young_interval_seconds": "697",
			"checkpoint_interval_seconds": "657"}) // of 60 s every 1.125 h
}

// Checkpoint durations come from attempts that report them, once per attempt.
func TestSpotAdvisesByWhatCheckpointsTook(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.Run(t, s.Pool, `insert into checkpoint_facts (tenant_id, cluster, namespace, pod, run, at, step, took) values
		(1, 'prod', 'ml', 'train-0', '', '2026-11-02T10:10:00Z', -1, 90000),
		(1, '', '', '', 'prod/ml/train', '2026-11-02T10:10:00Z', -1, 91001),
		(1, 'prod', 'ml', 'train-0', '', '2026-11-02T10:20:00Z', -1, 0),
		(1, 'prod', 'ml', 'train-0', '', '2026-11-02T10:25:00Z', -1, 30000),
		(1, 'prod', 'ml', 'train-0', '', '2026-11-02T12:30:00Z', -1, 999000)`)
	m := storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type and currency = USD"})[0]
	// (91.001 s + 30 s) ÷ 2, rounded up
	storetest.Wants(t, m,
		map[string]string{"checkpoint_seconds": "61", "checkpoint_basis": "measured", "young_interval_seconds": "702",
			"checkpoint_interval_seconds": "662"})
	m = storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type and currency = USD",
		To: "2026-11-02T10:22"})[0]
	storetest.Wants(t, m, map[string]string{"checkpoint_seconds": "92", "checkpoint_basis": "measured"})
	rows := storetest.Table(t, s, "checkpoints", metrics.Options{Order: "at"})
	storetest.Wants(t, rows[len(rows)-1], map[string]string{"duration_seconds": "999"})
}

// Counted ids come as lists with commas; the id of a run may contain one itself.
func TestSpotCountsRunsWithCommas(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.Run(t, s.Pool, `update runs set run_id = 'prod/ml/a,b' where run_id = 'prod/ml/train'`)
	storetest.Run(t, s.Pool, `update attempts set run_id = 'prod/ml/a,b' where run_id = 'prod/ml/train'`)
	storetest.Interrupt(t, s)
	rows := storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = zone and currency = USD"})
	storetest.Wants(t, rows[0], map[string]string{"ended_runs": "1", "attempts": "1", "success_rate": "1"})
	rows = storetest.Table(t, s, "spot", metrics.Options{GroupBy: "run,node", Filter: "run = 'prod/ml/a,b'"})
	storetest.Wants(t, rows[0], map[string]string{"run": "prod/ml/a,b", "ended_runs": "1", "attempts": "1"})
}

func TestSpotIsGroupedByAnyKeyAndAddsUp(t *testing.T) {
	s := storetest.SpotLedger(t)
	rows := storetest.Table(t, s, "spot", metrics.Options{GroupBy: "cluster", Filter: "team in (research, unowned)"})
	if len(rows) != 2 { // one without a currency
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"cluster": "prod", "effective_cost": "32.77", "interruptions": "1", "attempts": "1",
			"net_savings": "57.3575"})
	if _, there := rows[0]["pilot_gate"]; there {
		t.Error("the gate of other keys' groups is not known")
	}
}

func TestInterruptionsSayWhomTheyHit(t *testing.T) {
	s := storetest.SpotLedger(t)
	rows := storetest.Table(t, s, "interruptions", metrics.Options{})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"at": "2026-11-02T10:30:00Z", "warned_at": "2026-11-02T10:28:00Z", "node": "node-1",
			"run_id": "prod/ml/train", "attempt": "1",
			"team": "research", "kind": "training", "recovery_seconds": "600", "lost_cost": "8.1925", "currency": "USD",
			"zone": "us-east-1a"})
	storetest.Wants(t, storetest.Table(t, s, "interruptions", metrics.Options{GroupBy: "zone"})[0],
		map[string]string{"interruptions": "1", "recovery_mean_seconds": "600", "total_lost_cost": "8.1925"})
	if rows := storetest.Table(t, s, "interruptions", metrics.Options{To: "2026-11-02T10:30"}); len(rows) != 0 {
		t.Errorf("a window before it: %v", rows)
	}
}

// Undefined values are NULL, and without spot machines the answer is empty.
func TestSpotWithoutSpotMachines(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.Run(t, s.Pool, `delete from instance_events`)
	storetest.Interrupt(t, s)
	rows := storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type"})
	storetest.Wants(t, rows[0],
		map[string]string{"interruptions": "0", "interruption_rate": "0", "recovery_mean_seconds": "",
			"recovery_p95_seconds": "", "worst_week_interruptions": "",
			"checkpoint_interval_seconds": "", "young_interval_seconds": "", "pilot_gate": "unknown"})
	storetest.Run(t, s.Pool, `update runs set ended_at = null, status = 'running'`)
	storetest.Wants(t, storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type"})[0],
		map[string]string{"success_rate": "", "ended_runs": "0"})
	storetest.Run(t, s.Pool, `update nodes set instance_type = 'p6.unknown'`)
	storetest.Lists(t, s, 0) // no price for the hour, and no rate
	storetest.Wants(t, storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type"})[0],
		map[string]string{"on_demand_equivalent": "", "gross_savings": "", "net_savings": "", "known_share": "",
			"unknown_cost": "32.77"})
	storetest.Run(t, s.Pool, `update nodes set instance_type = 'p5.48xlarge'`)
	storetest.Run(t, s.Pool,
		`insert into rates (tenant_id, rate_id, instance_type, region, price_class, currency, hourly, source)
		values (1, $1, 'p5.48xlarge', 'us-east-1', 'on_demand', 'USD', 80, 'book')`, storetest.ID("rate", "1"))
	storetest.RateSpot(t, s)
	storetest.Wants(t, storetest.Table(t, s, "spot", metrics.Options{Filter: "group_key = instance_type"})[0],
		map[string]string{"on_demand_equivalent": "80", "gross_savings": "47.23", "net_savings": "39.0375"})
	storetest.Run(t, s.Pool, `update nodes set price_class = 'on_demand'`)
	storetest.Run(t, s.Pool, `update attempts set pricing = 'on_demand', reason = ''`)
	if rows := storetest.Table(t, s, "spot", metrics.Options{}); len(rows) != 0 {
		t.Errorf("without spot: %v", rows)
	}
	if rows := storetest.Table(t, s, "interruptions", metrics.Options{}); len(rows) != 0 {
		t.Errorf("without interruptions: %v", rows)
	}
}
