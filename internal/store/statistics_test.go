package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/facts"
	"gpuledger/internal/store/figures"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// Statistics are refreshed for tables that changed, even if the process that changed them died first. If no table
// changed, nothing is done.
func TestStatisticsFollowTheTables(t *testing.T) {
	s := storetest.New(t)
	ctx := t.Context()
	stale := func() []string {
		t.Helper()
		var names []string
		err := pg.Query(ctx, s.Pool, "statistics.stale", func(rows pgx.Rows) error {
			var name string
			err := rows.Scan(&name)
			name, columns, _ := strings.Cut(name, " ")
			if !strings.Contains(columns, "tenant_id") {
				t.Errorf("of %s the columns %s are looked at", name, columns)
			}
			names = append(names, name)
			return err
		}, append(slices.Clone(facts.FactStatistics), book.LedgerStatistics...))
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(names)
		return names
	}
	refresh := func() {
		t.Helper()
		if err := s.RefreshStatistics(ctx); err != nil {
			t.Fatal(err)
		}
		if left := stale(); len(left) > 0 {
			t.Errorf("after a refresh %v are stale", left)
		}
	}
	for _, name := range slices.Concat(facts.FactStatistics, book.LedgerStatistics, figures.FigureStatistics) {
		if !storetest.One[bool](t, s, "select to_regclass('"+name+"') is not null") {
			t.Errorf("there is no table %s", name)
		}
	}
	refresh() // for the new database

	// A plain table and a partitioned one, filled without a refresh.
	month := period.Second(1_793_491_200) // November 2026
	if err := s.EnsureMonths(ctx, "node_state_hours", pg.MonthsOf(month)); err != nil {
		t.Fatal(err)
	}
	fill := func(from, to int) {
		t.Helper()
		for _, sql := range []string{
			"insert into source_hours select 1, 'c', 'kubernetes', to_timestamp(i * 3600), 0 from generate_series($1::int, " +
				"$2::int) i",
			"insert into node_state_hours select 1, 'c', 'n' || i, 'ready', '2026-11-01', 0, 0 from " +
				"generate_series($1::int, $2::int) i",
		} {
			if _, err := s.Pool.Exec(ctx, sql, from, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill(1, 50_000)
	if got := stale(); !slices.Equal(got, []string{"node_state_hours", "source_hours"}) {
		t.Errorf("filled tables: %v are stale", got)
	}
	refresh()
	var known int
	if err := s.Pool.QueryRow(ctx,
		"select count(*) from pg_stats where tablename = 'node_state_hours' and inherited").Scan(&known); err != nil ||
		known == 0 {
		t.Errorf("the planner knows %d columns of the whole table (%v)", known, err)
	}
	fill(50_001, 52_000)
	if got := stale(); len(got) > 0 {
		t.Errorf("a twenty-fifth more: %v are stale", got)
	}
	fill(52_001, 60_000)
	if got := stale(); !slices.Equal(got, []string{"node_state_hours", "source_hours"}) {
		t.Errorf("a fifth more: %v are stale", got)
	}
	refresh()
}

// After a month is closed or reopened, the planner knows how much of it is final. If it took final rows for rare, it
// would choose a nested loop over all rows.
func TestStatisticsFollowClosing(t *testing.T) {
	s, _, _ := storetest.ToyLedger(t)
	storetest.Run(t, s.Pool, "analyze parts, posting_terms")
	final := func(table, column string) string {
		t.Helper()
		return storetest.One[string](t, s, `select coalesce((select array_to_string(most_common_vals::text::text[], ',')
			  from pg_stats
			where tablename = $1 and attname = $2), '')`, table, column)
	}
	want := func(parts, postings string) {
		t.Helper()
		for _, c := range []struct{ table, column, want string }{
			{"parts_202610", "final", parts}, {"posting_terms", "state", postings},
		} {
			if got := final(c.table, c.column); got != c.want {
				t.Errorf("the planner knows %q as %s of %s, want %q", got, c.column, c.table, c.want)
			}
		}
	}
	want("f", "open")
	storetest.MustClose(t, s)
	want("t", "final")
	if _, err := storetest.CloserAt(s).Reopen(t.Context(), "2026-10", "", "an invoice for somebody else",
		"finance"); err != nil {
		t.Fatal(err)
	}
	want("f", "open")
}
