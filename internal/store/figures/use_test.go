package figures_test

import (
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/figures"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// containers stores an hour of a pod with a sample every ten minutes: CPU at
// half a core in one container and a quarter in the other, 1.5 GiB of memory.
// Rows without a container, and the pause container, count nothing.
func containers(t *testing.T, s *store.Store, pod string, hour time.Time) {
	t.Helper()
	storetest.Run(t, s.Pool, "select ensure_month('counter_hours', $1)", hour)
	counters := map[string]ledger.Minutes{}
	for name, rate := range map[string]int64{
		figures.CPUSeconds + "main": 500, figures.CPUSeconds + "sidecar": 250,
		figures.CPUSeconds + "POD": 900, "container_cpu_seconds": 1650,
	} {
		var m ledger.Minutes
		for i := range 6 {
			minutes.Set(&m, i*10, 0, rate*(hour.Unix()+int64(i)*600-1_700_000_000))
		}
		counters[name] = m
	}
	var m ledger.Minutes
	for i := range 6 {
		minutes.Set(&m, i*10, 0, 3<<29*1000)
	}
	counters[figures.MemoryBytes+"main"] = m
	packed, err := minutes.Encode(nil, counters)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, `insert into counter_hours (tenant_id, cluster, namespace, pod, server, model, engine, hour,
		  vectors) values (1, 'prod', 'ml', $1, 'cadvisor', '', '', $2, $3)`, pod, hour, packed)
}

// rollUp rolls up the day of an instant for all facts.
func rollUp(t *testing.T, s *store.Store, at time.Time) {
	t.Helper()
	if _, _, err := s.RollUpDays(t.Context(), "costs",
		[]period.Second{period.FromTime(at).Floor(period.Day)}); err != nil {
		t.Fatal(err)
	}
}

func TestRequestsAreComparedWithUse(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Waited(t, s, "trainer", `{"nvidia_com_gpu": 1, "cpu": 8000, "memory": 8589934592}`, 0, "")
	first := time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)
	storetest.Run(t, s.Pool, `update workloads set hold_to = '2026-11-16T00:00:00Z' where name = 'trainer'`)
	measure := func(days int) map[string]string {
		for i := range days {
			rollUp(t, s, first.AddDate(0, 0, i))
		}
		if _, err := s.SaveRequests(t.Context()); err != nil {
			t.Fatal(err)
		}
		rows := storetest.Table(t, s, "requests", metrics.Options{})
		if len(rows) != 1 {
			t.Fatalf("%d rows: %v", len(rows), rows)
		}
		return rows[0]
	}
	for i := range 13 {
		containers(t, s, "trainer", first.AddDate(0, 0, i))
	}
	storetest.Wants(t, measure(13),
		map[string]string{"workload": "job", "workload_kind": "Job", "team": "research", "pods": "1", "days": "13",
			"enough_data": "false", "cpu_requested": "8",
			"cpu_suggested": "", "memory_suggested_gib": "", "cpu_saving": "", "memory_requested_gib": "8"})
	containers(t, s, "trainer", first.AddDate(0, 0, 13))
	got := measure(14)
	storetest.Wants(t, got, map[string]string{"days": "14", "enough_data": "true"})
	// 0.75 cores and 1.5 GiB, to the width of a bin, plus a fifth.
	for name, bounds := range map[string][2]string{"cpu_p95": {"0.744", "0.756"}, "cpu_p99": {"0.744", "0.756"},
		"cpu_suggested": {"0.893", "0.908"}, "cpu_saving": {"7.092", "7.107"},
		"memory_p99_gib": {"1.488", "1.512"}, "memory_suggested_gib": {"1.785", "1.816"}} {
		if got[name] < bounds[0] || got[name] > bounds[1] {
			t.Errorf("%s is %s, want %v", name, got[name], bounds)
		}
	}
	storetest.Wants(t, storetest.Table(t, s, "requests", metrics.Options{GroupBy: "team"})[0],
		map[string]string{"pods": "1", "cpu_saving": got["cpu_saving"]})
}

func TestRequestsWithoutUsage(t *testing.T) {
	s := storetest.SmallLedger(t)
	if _, err := s.SaveRequests(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := storetest.Table(t, s, "requests", metrics.Options{}); len(rows) != 0 {
		t.Errorf("without samples: %v", rows)
	}
	containers(t, s, "nobody", time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)) // never held a GPU
	rollUp(t, s, time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
	if n := storetest.Count(t, s, "select count(*) from star.use_days"); n != 1 {
		t.Fatalf("%d pods", n)
	}
	if n, err := s.SaveRequests(t.Context()); err != nil || n != 0 {
		t.Errorf("%d rows, %v", n, err)
	}
}
