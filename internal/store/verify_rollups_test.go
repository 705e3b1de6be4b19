package store

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
)

// verify notices what reports would read in place of the ledger and the ledger
// does not say; days that are to be added up again are not read.
func TestVerifyComparesRollUpsWithTheLedger(t *testing.T) {
	s := smallLedger(t)
	run(t, s.pool, "delete from dirty")
	for day := second("2026-11-01T00"); day < second("2026-12-01T00"); day += period.Day {
		if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	failing := func() string {
		t.Helper()
		report, err := s.Verify(t.Context(), VerifyOptions{Period: "2026-11"})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range report.Checks {
			if c.State == CheckFailed && (strings.HasPrefix(c.Name, "roll-ups") || c.Name == "days of runs") {
				names = append(names, c.Name)
				t.Log(c.Name, c.Rows)
			}
		}
		return strings.Join(names, ", ")
	}
	if got := failing(); got != "" {
		t.Fatalf("fails as it is: %s", got)
	}
	for _, c := range []struct{ lie, undo, want string }{
		{"update rollup_days set effective_cost = effective_cost + 0.000000000001 where grain = 3 and effective_cost = (select max(effective_cost) from rollup_days where grain = 3)",
			"update rollup_days set effective_cost = effective_cost - 0.000000000001 where grain = 3 and effective_cost = (select max(effective_cost) from rollup_days where grain = 3)", "roll-ups of days, roll-ups of months"},
		{"update rollup_months set energy_kwh = coalesce(energy_kwh, 0) + 1 where grain = 5", "update rollup_months set energy_kwh = nullif(energy_kwh - 1, 0) where grain = 5", "roll-ups of months"},
		{"update run_days set gpu_hours = gpu_hours + 1", "update run_days set gpu_hours = gpu_hours - 1", "days of runs"},
	} {
		run(t, s.pool, c.lie)
		if got := failing(); got != c.want {
			t.Errorf("%s: fails %q, want %q", c.lie, got, c.want)
		}
		run(t, s.pool, c.undo)
	}
	run(t, s.pool, "delete from run_days")
	if got := failing(); got != "days of runs" {
		t.Errorf("without days of runs: fails %q", got)
	}
	run(t, s.pool, "insert into stale_days (tenant_id, day, what) select 1, day, 'ledger' from rolled_days")
	if got := failing(); got != "" {
		t.Errorf("of days that are to be added up again: fails %q", got)
	}
}
