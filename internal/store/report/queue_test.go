package report_test

import (
	"fmt"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestQueueRanksWaits(t *testing.T) {
	s := storetest.SmallLedger(t)
	for i := range 20 {
		storetest.Waited(t, s, fmt.Sprint("pod-", i), `{"nvidia_com_gpu": 2}`, i+1, "")
	}
	// requests no GPU
	storetest.Waited(t, s, "cpu", `{"cpu": 4000}`, 5, "")
	// still waits: 26 h
	storetest.Waited(t, s, "pending", `{"nvidia_com_gpu": 8}`, -1, "")
	// never held
	storetest.Waited(t, s, "gave-up", `{"nvidia_com_mig_3g_20gb": 7}`, -1, "deleted_at = '2026-11-02T12:00:00Z'")
	storetest.Waited(t, s, "parts", `{"gpu_fraction_ppm": 250000, "gpu_fraction_devices": 2}`, -1, "namespace = 'parts'")
	// the number of GPUs is unknown
	storetest.Waited(t, s, "memory", `{"gpu_memory_mib": 4096, "cpu": 1000}`, -1, "namespace = 'memory'")
	storetest.Waited(t, s, "cores", `{"nvidia_com_gpu": 2, "nvidia_com_gpucores": 30, "nvidia_com_gpumem": 3000}`, -1,
		"namespace = 'cores'")
	by := map[string]map[string]string{}
	for _, r := range storetest.Table(t, s, "queue", metrics.Options{GroupBy: "namespace"}) {
		by[r["namespace"]] = r
	}
	storetest.Wants(t, by["parts"], map[string]string{
		"workloads": "1", "waiting": "1", "requested_gpus": "0.5", "waiting_gpus": "0.5", "pending_gpu_hours": "13",
	})
	storetest.Wants(t, by["memory"], map[string]string{
		"workloads": "1", "waiting": "1", "requested_gpus": "", "waiting_gpus": "", "pending_gpu_hours": "",
	})
	storetest.Wants(t, by["cores"], map[string]string{
		"workloads": "1", "requested_gpus": "0.6", "pending_gpu_hours": "15.6",
	})
	storetest.Run(t, s.Pool, "delete from workload_facts where uid in ('parts', 'memory', 'cores')")
	for _, r := range storetest.Table(t, s, "queue", metrics.Options{}) {
		by[r["team"]+" "+r["workload_class"]] = r
	}
	storetest.Wants(t, by["research run"],
		map[string]string{"workloads": "20", "wait_p50_seconds": "600", "wait_p95_seconds": "1140",
			"wait_p99_seconds": "1200", "wait_max_seconds": "1200",
			"wait_mean_seconds": "630", "waiting": "0", "never_started": "0", "starved": "0",
			"requested_gpus": "40", "pending_gpu_hours": "7", "gpu_model": "H100", "gang_wait_cost": "0"})
	storetest.Wants(t, by["vision "],
		map[string]string{"workloads": "2", "waiting": "1", "never_started": "1", "starved": "1", "waiting_gpus": "8",
			"requested_gpus":   "11",
			"wait_max_seconds": "93600", "wait_p50_seconds": "7200", "pending_gpu_hours": "214", "gpu_model": ""})
	all := storetest.Table(t, s, "queue", metrics.Options{GroupBy: "cluster"})
	if len(all) != 1 {
		t.Fatalf("%d rows: %v", len(all), all)
	}
	storetest.Wants(t, all[0], map[string]string{
		"workloads": "22", "wait_p50_seconds": "660", "wait_p95_seconds": "7200",
		"wait_p99_seconds": "93600", "pending_gpu_hours": "221",
	})
	if rows := storetest.Table(t, s, "queue", metrics.Options{From: "2026-11-02T10:01"}); len(rows) != 0 {
		t.Errorf("created before the window: %v", rows)
	}
}

func TestQueueOfNobody(t *testing.T) {
	s := storetest.SmallLedger(t)
	if rows := storetest.Table(t, s, "queue", metrics.Options{}); len(rows) != 0 {
		t.Errorf("nobody waited: %v", rows)
	}
	if rows := storetest.Table(t, s, "fair_share", metrics.Options{}); len(rows) != 0 {
		t.Errorf("no quotas: %v", rows)
	}
	storetest.Waited(t, s, "unknown", `{"nvidia_com_gpu": 1}`, 3, "created_at = null")
	if rows := storetest.Table(t, s, "queue", metrics.Options{}); len(rows) != 0 {
		t.Errorf("nobody knows since when: %v", rows)
	}
}

// The cost of gangs while they waited is in the row of their team, in its currency.
func TestQueueHasTheCostOfWaitingGangs(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.Run(t, s.Pool, `insert into segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight) select 1,
		attempt_id, $1, started_at, ended_at, 1000000 from attempts where attempt = 2`, storetest.ID("workload", "1"))
	storetest.Run(t, s.Pool, `update attempts set gang_complete_at = '2026-11-02T10:37:30Z' where attempt = 2`)
	storetest.Run(t, s.Pool, `update spans set workload_id = $1, node_id = $2, slot = 1 where cause = 'overhead'`,
		storetest.ID("workload", "1"), storetest.ID("instance", "i-1"))
	storetest.Run(t, s.Pool, `update postings set cause = 'overhead' where attempt_id = $1`, storetest.ID("attempt", "2"))
	storetest.Waited(t, s, "pod", `{"nvidia_com_gpu": 1}`, 1, "")
	rows := storetest.Table(t, s, "queue", metrics.Options{Filter: "team = research"})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"workloads": "1", "gang_wait_cost": "4.09625", "currency": "USD", "wait_p50_seconds": "60",
	})
}

// The cost of gangs is read from the days of attempts, whose lives the window may cut, but from the ledger if a day
// has changed.
func TestQueueReadsGangsFromTheirDays(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update attempts set gang_complete_at = '2026-11-02T10:37:30Z' where attempt = 2`)
	storetest.Run(t, s.Pool, "select ensure_month('spans', '2026-11-02')")
	storetest.Run(t, s.Pool, `update postings set cause = 'overhead' where attempt_id = $1`, storetest.ID("attempt", "2"))
	storetest.Run(t, s.Pool, `insert into spans (tenant_id, node_id, day, slot, workload_id, run_id, attempt_id, cause,
		  from_at, to_at)
		select distinct 1, node_id, '2026-11-02'::timestamptz, slot, workload_id, run_id, attempt_id, 'overhead',
		  '2026-11-02T10:30:00Z'::timestamptz, '2026-11-02T10:45:00Z'::timestamptz
		from postings where attempt_id = $1`, storetest.ID("attempt", "2"))
	month := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	part := metrics.Options{From: "2026-11-02T09:00", To: "2026-11-02T23:00"}
	truth := storetest.Asked(t, s, "queue", "gang_wait_cost", month)
	if truth == "0" {
		t.Fatal("nobody waits for a gang")
	}
	storetest.RollNovember(t, s)
	if got := storetest.Asked(t, s, "queue", "gang_wait_cost", month); got != truth {
		t.Errorf("%s of days, want %s", got, truth)
	}
	// makes the two sources distinguishable
	storetest.Run(t, s.Pool, "update star.gang_months set effective_cost = effective_cost + 1000")
	want := money.MustParse(truth).Add(money.MustParse("1000")).String()
	for _, o := range []metrics.Options{month, part} {
		if got := storetest.Asked(t, s, "queue", "gang_wait_cost", o); got != want {
			t.Errorf("%+v: %s, want %s", o, got, want)
		}
	}
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, '2026-11-02', 'ledger')")
	if got := storetest.Asked(t, s, "queue", "gang_wait_cost", month); got != truth {
		t.Errorf("%s of a day that changed, want %s", got, truth)
	}
}

func TestFairShareComparesHeldWithGranted(t *testing.T) {
	s := storetest.SmallLedger(t)
	for name, quota := range map[string]string{"gpus": "4", "tighter": "2", "other": "6"} {
		ns := map[string]string{"other": "web"}[name]
		if ns == "" {
			ns = "ml"
		}
		storetest.Run(t, s.Pool, `insert into objects (tenant_id, cluster, kind, namespace, name, created_at, attrs)
			values (1, 'prod', 'ResourceQuota', $1, $2, '2026-11-01',
			    jsonb_build_object('quota/nvidia_com_gpu', $3::text, 'used/nvidia_com_gpu', '1'))`, ns, name, quota)
	}
	rows := storetest.Table(t, s, "fair_share", metrics.Options{Order: "namespace"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"namespace": "ml", "resource": "nvidia_com_gpu", "quota": "2", "quota_hours": "4",
		"held_hours": "5", "fair_share": "1.25", "quota_share": "0.25", "held_share": "1",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"namespace": "web", "quota": "6", "held_hours": "0", "fair_share": "0", "held_share": "0",
	})
	storetest.Wants(t, storetest.Table(t, s, "fair_share", metrics.Options{GroupBy: "cluster"})[0],
		map[string]string{"quota_hours": "16", "held_hours": "5", "fair_share": "0.3125"})
}
