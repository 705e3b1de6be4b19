package store

import (
	"slices"
	"testing"

	"gpuledger/metrics"
)

// addUpMarked adds up the days of smallLedger that are marked, as analysis does.
func addUpMarked(t *testing.T, s *Store) {
	t.Helper()
	run(t, s.pool, "delete from stale_days")
	rollNovember(t, s)
}

// Months, days and holders of devices say the same, whatever is asked for.
func TestDevicesAreReadFromMonths(t *testing.T) {
	s := smallLedger(t)
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	addUpMarked(t, s)
	truth := table(t, s, "devices", metrics.Options{From: "2026-11-02", To: "2026-11-03"})
	if len(truth) == 0 || truth[0]["effective_cost"] == "" {
		t.Fatalf("a day says %v", truth)
	}
	for o, want := range map[metrics.Options]string{
		{From: "2026-11-01", To: "2026-12-01"}:                                         "device_months",
		{From: "2026-11-01", To: "2026-12-01", Granularity: "month"}:                   "device_months",
		{From: "2026-11-01", To: "2026-12-01", Granularity: "month", TZ: "Asia/Tokyo"}: "device_days",
		{From: "2026-11-01", To: "2026-12-01", Granularity: "day"}:                     "device_days",
		{From: "2026-11-01T01:00", To: "2026-12-01"}:                                   "device_days",
		{From: "2026-11-01", To: "2026-12-01", Filter: "team != nobody"}:               "device_holder_months",
		{From: "2026-11-01T01:00", To: "2026-12-01", Filter: "namespace != nobody"}:    "device_holder_days",
	} {
		q, err := metrics.Parse("devices", o)
		if err != nil {
			t.Fatal(err)
		}
		reads, err := s.Reads(t.Context(), q)
		if err != nil || reads[want] == 0 {
			t.Errorf("%+v reads %v, not %s: %v", o, reads, want, err)
		}
		rows := table(t, s, "devices", o)
		for i := range rows {
			rows[i]["period_start"] = truth[0]["period_start"]
		}
		if !slices.EqualFunc(rows, truth, equalRows) {
			t.Errorf("%+v: %v, want %v", o, rows, truth)
		}
	}
}

func equalRows(a, b map[string]string) bool {
	for name, v := range a {
		if b[name] != v {
			return false
		}
	}
	return len(a) == len(b)
}
