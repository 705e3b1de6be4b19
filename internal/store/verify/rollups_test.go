package verify_test

import (
	"fmt"
	"slices"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/verify"
	"gpuledger/test/storetest"
)

// Verify finds roll-ups that differ from the ledger; days that wait to be rolled up again are not read.
func TestVerifyComparesRollUpsWithTheLedger(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.RollNovember(t, s)
	if got := storetest.WrongRollups(t, s); got != nil {
		t.Fatalf("fails as it is: %s", got)
	}
	const dearest = " where effective_cost = (select max(effective_cost) from star.cost_team_days)"
	ofCost, ofRun := verify.OfFact(&star.Cost), verify.OfFact(&star.Run)
	for _, c := range []struct{ lie, undo, want, too string }{
		{
			"update star.cost_team_days set effective_cost = effective_cost + 0.000000000001" + dearest,
			"update star.cost_team_days set effective_cost = effective_cost - 0.000000000001" + dearest,
			"roll-ups of days", ofCost,
		},
		{
			"update star.run_days set gpu_hours = gpu_hours + 1",
			"update star.run_days set gpu_hours = gpu_hours - 1", "days of runs", ofRun,
		},
	} {
		storetest.Run(t, s.Pool, c.lie)
		if got := storetest.WrongRollups(t, s); !slices.Contains(got, c.want) || !slices.Contains(got, c.too) {
			t.Errorf("%s: fails %q, want %q and %q, too", c.lie, got, c.want, c.too)
		}
		storetest.Run(t, s.Pool, c.undo)
	}
	storetest.Run(t, s.Pool, "update star.cost_owner_days set team = 'research', owner_id = gen_random_uuid() where "+
		"team = 'unowned'")
	if got := storetest.WrongRollups(t, s); slices.Contains(got, "roll-ups of days") || !slices.Contains(got, ofCost) {
		t.Errorf("costs that moved from team to team fail %q", got)
	}
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) select 1, day, 'ledger' from rolled_days")
	// built from days, stale or not
	if got := storetest.WrongRollups(t, s); !slices.Equal(got, []string{"roll-ups of months"}) {
		t.Errorf("of days that are to be added up again: fails %q", got)
	}
}

// A row that is lost, duplicated, or has another amount is found in every declared table of a fact.
func TestVerifyComparesEveryTable(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	if got := storetest.WrongRollups(t, s); got != nil {
		t.Fatalf("fails as it is: %s", got)
	}
	seen := 0
	for _, f := range star.Facts {
		for _, table := range f.Tables() {
			if storetest.Count(t, s, "select count(*) from "+table.Name()) == 0 {
				continue
			}
			seen++
			want := verify.OfFact(f)
			if table.OfDays() {
				want = "roll-ups of months"
			}
			lies := []string{
				"delete from %[1]s where ctid = (select min(ctid) from %[1]s)", "insert into %[1]s select * from %[1]s limit 1",
			}
			for _, m := range f.Measures {
				if m.Merge == star.Sum && slices.Contains(table.Columns(), m.Name) {
					lies = append(lies, "update %[1]s set "+m.Name+" = coalesce("+m.Name+", 0) + 0.000000000001 where ctid = "+
						"(select min(ctid) from %[1]s)")
					break
				}
			}
			for _, lie := range lies {
				tx, err := s.Pool.Begin(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := tx.Exec(t.Context(), fmt.Sprintf(lie, table.Name())); err != nil {
					t.Fatal(err)
				}
				for _, c := range verify.OfRollUps(period.Interval{From: 0, To: pg.EndOfTime}) {
					if c.Name != want {
						continue
					}
					if found, err := c.Find(t.Context(), tx); err != nil || len(found) == 0 {
						t.Errorf("nothing fails after "+lie+": %v", table.Name(), err)
					}
				}
				if err := tx.Rollback(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if seen < 12 {
		t.Errorf("only %d tables have rows", seen)
	}
}
