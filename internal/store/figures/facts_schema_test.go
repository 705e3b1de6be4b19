package figures_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/star"
	"gpuledger/internal/store/figures"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// A table that a new binary declares differently is recreated empty, and its days are marked; until they are rolled
// up, reports read the ledger. Tables that are no longer declared are dropped, unchanged ones stay.
func TestTablesFollowTheirDeclaration(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.RollNovember(t, s)
	truth := storetest.Asked(t, s, "idle_hours", "capacity_gpu_hours",
		metrics.Options{From: "2026-11-01", To: "2026-12-01"})
	kept := storetest.Count(t, s, "select count(*) from star.cost_team_days")
	storetest.Run(t, s.Pool, "comment on table star.idle_days is 'built from declaration of another time'")
	storetest.Run(t, s.Pool, "alter table star.idle_days drop column free_gpu_hours cascade")
	storetest.Run(t, s.Pool, "create table star.forgotten_days (tenant_id int)")
	refresh := func() {
		t.Helper()
		if err := pgx.BeginFunc(t.Context(), s.Pool, func(tx pgx.Tx) error {
			return figures.RefreshFacts(t.Context(), tx)
		}); err != nil {
			t.Fatal(err)
		}
	}
	refresh()
	for sql, want := range map[string]int64{
		"select count(*) from star.idle_days":                            0,
		"select count(*) from star.cost_team_days":                       kept,
		"select count(*) from pg_class where relname = 'forgotten_days'": 0,
		"select count(*) from rolled_months":                             0,
		"select count(*) from analysis_days where step = 'costs'":        30,
	} {
		if got := storetest.Count(t, s, sql); got != want {
			t.Errorf("%s: %d, want %d", sql, got, want)
		}
	}
	if got := storetest.Asked(t, s, "idle_hours", "capacity_gpu_hours",
		metrics.Options{From: "2026-11-01", To: "2026-12-01"}); got != truth {
		t.Errorf("%s GPU-hours from the ledger, want %s", got, truth)
	}
	storetest.Run(t, s.Pool, "delete from analysis_days")
	refresh() // no declaration has changed
	if n := storetest.Count(t, s, "select count(*) from analysis_days"); n != 0 {
		t.Errorf("%d days are marked although nothing changed", n)
	}
}

// SQL users find the meaning of each column of a table of facts in its view.
func TestViewsOfFactsExplainTheirColumns(t *testing.T) {
	s := storetest.SmallLedger(t)
	if err := pgx.BeginFunc(t.Context(), s.Pool, func(tx pgx.Tx) error {
		return report.RefreshViews(t.Context(), tx)
	}); err != nil {
		t.Fatal(err)
	}
	for _, f := range star.Facts {
		for _, table := range f.Tables() {
			view := "bi_v1.star_" + table.Short()
			if n := storetest.Count(t, s, "select count(*) from pg_attribute where attrelid = '"+view+"'::regclass "+
				"and attnum > 0 and col_description(attrelid, attnum) <> ''"); int(n) != len(table.Columns())+1 { // and at
				t.Errorf("%s explains %d of its %d columns", view, n, len(table.Columns())+1)
			}
		}
	}
}
