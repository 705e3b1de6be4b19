package report_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// addUpMarked rolls up the marked days of smallLedger, as analysis does.
func addUpMarked(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.RollNovember(t, s)
}

// Months, days and holders of devices agree for any query.
func TestDevicesAreReadFromMonths(t *testing.T) {
	s := storetest.SmallLedger(t)
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	addUpMarked(t, s)
	truth := storetest.Table(t, s, "devices", metrics.Options{From: "2026-11-02", To: "2026-11-03"})
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
		rows := storetest.Table(t, s, "devices", o)
		for i := range rows {
			rows[i]["period_start"] = truth[0]["period_start"]
		}
		if !slices.EqualFunc(rows, truth, equalRows) {
			t.Errorf("%+v: %v, want %v", o, rows, truth)
		}
	}
}

// Holders by kind of machine agree with holders of each device.
func TestHoldersOfDevicesAreReadByKindOfMachine(t *testing.T) {
	s := storetest.SmallLedger(t)
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	addUpMarked(t, s)
	for _, keys := range []string{
		"team", "team,gpu_model", "workload_class,namespace,cluster", "business_unit,currency,mig_profile",
	} {
		coarse := metrics.Options{From: "2026-11-01", To: "2026-12-01", GroupBy: keys}
		fine := coarse
		fine.Filter = "node != nobody"
		for table, o := range map[string]metrics.Options{"device_holder_place_months": coarse, "device_holder_months": fine} {
			q, err := metrics.Parse("devices", o)
			if err != nil {
				t.Fatal(err)
			}
			if reads, err := s.Reads(t.Context(), q); err != nil || reads[table] == 0 {
				t.Errorf("%+v reads %v, not %s: %v", o, reads, table, err)
			}
		}
		rows, truth := storetest.Table(t, s, "devices", coarse), storetest.Table(t, s, "devices", fine)
		if len(truth) == 0 || truth[0]["devices"] == "0" || !slices.EqualFunc(rows, truth, equalRows) {
			t.Errorf("by %s: %v, want %v", keys, rows, truth)
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

// If a card is first seen in a slot, the slot's earlier days get its name, and a late summary belongs to its day:
// both days are rolled up again.
func TestDaysOfDevicesThatAreSeenLater(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "update postings set device = null")
	storetest.Run(t, s.Pool, "update usage set device = null")
	storetest.Run(t, s.Pool, "delete from devices")
	addUpMarked(t, s)
	if name := storetest.Table(t, s, "devices", metrics.Options{})[0]["device"]; name != "node-1#2" {
		t.Fatalf("the slot is called %s", name)
	}
	var m ledger.Minutes
	minutes.Set(&m, 0, 1000, 900_000)
	storetest.PublishTelemetry(t, s, &ledger.Telemetry{Samples: []ledger.SampleHour{{
		Cluster: "prod", Node: "node-1", Device: "GPU-9", Index: 2,
		Model: "NVIDIA H100 80GB HBM3", SliceID: ledger.WholeDevice,
		Hour:    storetest.Second("2026-11-04T10"),
		Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: m}, RowCount: 1,
	}}})
	if n := storetest.Count(t, s, "select count(*) from stale_days where what = 'ledger' and day = '2026-11-02'"); n == 0 {
		t.Error("the days before are not added up again")
	}
	addUpMarked(t, s)
	if name := storetest.Table(t, s, "devices", metrics.Options{})[0]["device"]; name != "GPU-9" {
		t.Errorf("the slot is called %s", name)
	}
	if got := storetest.WrongRollups(t, s); got != nil {
		t.Errorf("fails %v", got)
	}
	storetest.Run(t, s.Pool, "delete from stale_days")
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	if n := storetest.Count(t, s, "select count(*) from stale_days where what = 'ledger' and day = '2026-11-04'"); n == 0 {
		t.Error("the day that is summarised is not added up again")
	}
}

// Counts merged in SQL equal the sketch of all values, for any portions, and for more than 65,535 of a value.
func TestMergedBinsMatchTheSketch(t *testing.T) {
	s := storetest.New(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var want sketch.Sketch
		var rows []string
		for range 1 + rng.IntN(40) {
			values := make([]int64, 1+rng.IntN(300))
			counts := map[int64]int64{}
			for i := range values {
				values[i] = rng.Int64N(1 << rng.IntN(30))
				counts[int64(sketch.BinOf(values[i]))]++
			}
			var bins []string
			for _, bin := range slices.Sorted(maps.Keys(counts)) {
				bins = append(bins, strconv.FormatInt((bin+1)<<40|counts[bin], 10))
			}
			want.AddAll(values)
			rows = append(rows, "('{"+strings.Join(bins, ",")+"}'::bigint[])", "(null)")
		}
		for _, percent := range []int{1, 50, 95, 99, 100} {
			text := fmt.Sprintf(`with parts as (
					select merged_bins(v.bins) as bins from (values %s) v (bins) group by random() < 0.5)
				select bins_percentile(merged_bins(bins), %d)::bigint from parts`, strings.Join(rows, ", "), percent)
			if v, _ := want.Quantile(percent); v != storetest.Count(t, s, text) {
				t.Errorf("percentile %d is %d, want %d", percent, storetest.Count(t, s, text), v)
			}
		}
	}
	const many = " from (select array[8::bigint << 40 | 65535] as b from generate_series(1, 100000)) v"
	for sql, want := range map[string]int64{
		"select bins_percentile(merged_bins(v.b), 50)::bigint" +
			many: 7,
		"select (merged_bins(v.b))[1] - (8::bigint << 40)" +
			many: 6553500000,
		"select coalesce(bins_percentile(merged_bins(null::bigint[]), 50), -1)::bigint": -1,
		"select (merged_set(s) = '{1,3,31,79}')::int::bigint from (values ('{31}'::bigint[]), ('{}'), (null), " +
			"('{79,3}'), ('{1,31}')) v (s)": 1,
		"select (merged_set(s) = '{}')::int::bigint from (values ('{}'::bigint[]), (null)) v (s)": 1,
	} {
		if got := storetest.Count(t, s, sql); got != want {
			t.Errorf("%s: %d, want %d", sql, got, want)
		}
	}
}
