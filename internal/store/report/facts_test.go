package report_test

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Hours of the week are read from roll-ups of days and months, except days that have changed since or that the window
// cuts.
func TestIdleHoursAreReadFromTheirDays(t *testing.T) {
	s := storetest.SmallLedger(t)
	const column = "capacity_gpu_hours"
	month := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	day := metrics.Options{From: "2026-11-02", To: "2026-11-03"}
	part := metrics.Options{From: "2026-11-02T07:00", To: "2026-11-02T23:00"}
	truth := storetest.Asked(t, s, "idle_hours", column, month)
	storetest.RollNovember(t, s)
	for _, o := range []metrics.Options{month, day, part} {
		if got := storetest.Asked(t, s, "idle_hours", column, o); got != truth || truth == "0" {
			t.Errorf("%+v: %s GPU-hours; want %s", o, got, truth)
		}
	}
	// makes the three sources distinguishable
	storetest.Run(t, s.Pool, "update star.idle_days set capacity_gpu_hours = capacity_gpu_hours + 1000 where "+
		"free_gpu_hours > 0")
	storetest.Run(t, s.Pool, "update star.idle_months set capacity_gpu_hours = capacity_gpu_hours + 2000 where "+
		"free_gpu_hours > 0")
	says := func(when string, o metrics.Options, more string) {
		t.Helper()
		want := money.MustParse(truth).Add(money.MustParse(more)).String()
		if got := storetest.Asked(t, s, "idle_hours", column, o); got != want {
			t.Errorf("%s: %s GPU-hours; want %s", when, got, want)
		}
	}
	says("a month", month, "2000")
	says("a day", day, "1000")
	says("a part of a day", part, "0")
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, '2026-11-02', 'ledger')")
	says("a day that changed", day, "0")
	says("its month", month, "0")
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{storetest.Second("2026-11-02T00")}); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.Run(t, s.Pool, "delete from dirty")
	says("added up again", day, "0")
	says("and its month with it", month, "0")
	if storetest.Count(t, s, "select count(*) from rolled_months") == 0 {
		t.Error("the month is read from its days")
	}

	// If no day has changed, no rows are written; a missing month is built from all its days.
	if _, n, err := s.RollUpDays(t.Context(), "costs", []period.Second{storetest.Second("2026-11-02T00")}); err != nil ||
		n != 0 {
		t.Errorf("%d rows of a day that did not change, %v", n, err)
	}
	storetest.Run(t, s.Pool, "update star.idle_months set capacity_gpu_hours = capacity_gpu_hours + 2000 where "+
		"free_gpu_hours > 0")
	storetest.Run(t, s.Pool, "delete from rolled_months")
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	says("the month made anew", month, "0")
}

// Coverage reads the same roll-ups as costs.
func TestOwnerCoverageReadsRollUps(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.RollNovember(t, s)
	for _, o := range []metrics.Options{
		{}, {GroupBy: "key,region,cause", Filter: "team = research or zone = ''"}, {GroupBy: "user"},
	} {
		o.From, o.To = "2026-11-01", "2026-12-01"
		q, err := metrics.Parse("owner_coverage", o)
		if err != nil {
			t.Fatal(err)
		}
		reads, err := s.Reads(t.Context(), q)
		if err != nil || reads["cost_owner_months"] == 0 || reads["postings_202611"] != 0 {
			t.Errorf("%+v reads %v, %v", o, reads, err)
		}
	}
}

// A dataset without a statement has the columns that its fact's keys lead to: the owner's and the machine's.
func TestFactRowsHaveTheColumnsOfTheirKeys(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "update owners set model = 'm'")
	storetest.Run(t, s.Pool, "update nodes set zone = 'z'")
	for _, c := range []struct {
		fact        *star.Fact
		like, where string
	}{
		{&star.Model, "models", "team <> '' and model = 'm'"},
		{&star.Covered, "coverage", "node = 'node-1' and cluster <> '' and zone = 'z' and period_start = '2026-11-02'"},
		{&star.Device, "coverage", "gpu_model <> '' and zone = 'z' and period_start = '2026-11-02'"},
	} {
		rows := report.DatasetRows(c.fact, c.like)
		all := storetest.Count(t, s, "select count(*) from ("+rows+") r")
		if n := storetest.Count(t, s, "select count(*) from ("+rows+") r where "+c.where); n == 0 || n != all {
			t.Errorf("%s: %d of %d rows with %s", c.fact.Name, n, all, c.where)
		}
	}
}
