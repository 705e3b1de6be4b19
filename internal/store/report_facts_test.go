package store

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// rollNovember rolls up a month of smallLedger and its like, and the month itself.
func rollNovember(t *testing.T, s *Store) {
	t.Helper()
	run(t, s.pool, "delete from dirty")
	var days []period.Second
	for _, d := range november(true) {
		days = append(days, d.day)
	}
	for len(days) > 0 {
		done, _, err := s.RollUpDays(t.Context(), "costs", days)
		if err != nil {
			t.Fatal(err)
		}
		days = days[done:]
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// asked is a column of the rows that an answer has, added up.
func asked(t *testing.T, s *Store, dataset, column string, o metrics.Options) string {
	t.Helper()
	return sumColumn(t, table(t, s, dataset, o), column)
}

// Hours of the week are read from days and months that were added up, but days
// that have changed since or that the window cuts.
func TestIdleHoursAreReadFromTheirDays(t *testing.T) {
	s := smallLedger(t)
	const column = "capacity_gpu_hours"
	month := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	day := metrics.Options{From: "2026-11-02", To: "2026-11-03"}
	part := metrics.Options{From: "2026-11-02T07:00", To: "2026-11-02T23:00"}
	truth := asked(t, s, "idle_hours", column, month)
	rollNovember(t, s)
	for _, o := range []metrics.Options{month, day, part} {
		if got := asked(t, s, "idle_hours", column, o); got != truth || truth == "0" {
			t.Errorf("%+v: %s GPU-hours; want %s", o, got, truth)
		}
	}
	run(t, s.pool, "update star.idle_days set free = free + 1000") // to tell the three apart
	run(t, s.pool, "update star.idle_months set free = free + 2000")
	says := func(when string, o metrics.Options, more string) {
		t.Helper()
		want := money.MustParse(truth).Add(money.MustParse(more)).String()
		if got := asked(t, s, "idle_hours", column, o); got != want {
			t.Errorf("%s: %s GPU-hours; want %s", when, got, want)
		}
	}
	says("a month", month, "2000")
	says("a day", day, "1000")
	says("a part of a day", part, "0")
	run(t, s.pool, "insert into stale_days (tenant_id, day, what) values (1, '2026-11-02', 'ledger')")
	says("a day that changed", day, "0")
	says("its month", month, "0")
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{second("2026-11-02T00")}); err != nil {
		t.Fatal(err)
	}
	run(t, s.pool, "delete from stale_days")
	run(t, s.pool, "delete from dirty")
	says("added up again", day, "0")
	if n := count(t, s, "select count(*) from star.idle_months"); n != 0 {
		t.Errorf("%d rows of a month that has changed", n)
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	says("the month, too", month, "0")
}

// Coverage reads what costs are read from.
func TestOwnerCoverageReadsRollUps(t *testing.T) {
	s := smallLedger(t)
	rollNovember(t, s)
	for _, o := range []metrics.Options{{}, {GroupBy: "key,region,cause", Filter: "team = research or zone = ''"}, {GroupBy: "user"}} {
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
