package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/metrics"
)

// sql: a database login sees only its scope, whatever it tries.
func (w *seen) sql(t *testing.T) {
	const name = "bi_tester"
	for condition := range w.some() {
		out := strings.Split(strings.TrimSpace(must(t, w.db, "bi", "login", name, "--scope", condition)), "\n")
		conn, err := pgx.Connect(t.Context(), out[len(out)-1])
		if err != nil {
			t.Fatal(err)
		}
		rows, err := conn.Query(t.Context(), "select viewname from pg_views where schemaname = 'bi_v1' order by 1")
		if err != nil {
			t.Fatal(err)
		}
		views, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(views) < 100 {
			t.Fatal(len(views), err)
		}
		total, _, _ := w.admin.rows(t, "costs", url.Values{
			"group_by": {"cause"}, "filter": {condition}, "basis": {"effective"},
		})
		want := map[string]string{}
		for _, r := range total {
			want[r["cause"]+" "+r["currency"]] = r["effective_cost"]
		}
		rows, err = conn.Query(t.Context(),
			"select cause, coalesce(currency, ''), coalesce(trim_scale(sum(effective_cost))::text, '') from "+
				"bi_v1.costs_daily group by 1, 2")
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		var cause, currency, sum string
		if _, err := pgx.ForEachRow(rows, []any{&cause, &currency, &sum}, func() error {
			got[cause+" "+currency] = sum
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Errorf("%s: SQL adds up to %v, the admin's filter to %v", condition, got, want)
		}
		w.viewsOfCards(t, conn, condition)
		w.viewsAsREST(t, conn, condition)
		for _, view := range views {
			if err := w.shows(t, conn, condition, "select * from bi_v1."+view); err != nil {
				t.Errorf("%s: view %s: %v", condition, view, err)
			}
		}
		for _, attack := range []string{
			"set role gpuledger_reader; select * from postings", "set role postgres", "set session authorization postgres",
			"select * from postings", "select * from posting_rows", "select * from star.cost_owner_day",
			"select set_config('gpuledger.scope', (select max(scope_id::text) from scopes), false)",
			"select * from scopes", "select * from tokens", "select * from users", "select * from bi_base.postings",
			"set gpuledger.scope = '00000000-0000-0000-0000-000000000000'; select distinct team, project from bi_v1.costs_daily",
			"reset all; select distinct team, project, namespace from bi_v1.costs_daily",
			"select owners_in_scope()", "select bound_owners_in_scope()", "select session_scope()",
			"select * from pg_stats where schemaname in ('public', 'star', 'bi_v1')", "select * from pg_stat_activity",
			"explain (analyze, verbose) select * from bi_v1.costs_daily where team <> 'x'",
			"create temp table x as select * from bi_v1.costs_daily; select * from x",
			"create function pg_temp.tell(text) returns bool language plpgsql cost 0.0001 as $$ begin raise notice '%', $1; " +
				"return true; end $$; select * from bi_v1.costs_daily where pg_temp.tell(team)",
			"select 1 / (effective_cost - effective_cost) from bi_v1.costs_daily",
			"select team::int from bi_v1.costs_daily", "select project::int from bi_v1.runs",
			"copy (select 1) to program 'id'", "select pg_read_file('PG_VERSION')", "select lo_import('/etc/passwd')",
			"create table public.mine (x int)", "drop view bi_v1.costs", "alter role " + name + " superuser",
			"create view pg_temp.v as select * from bi_v1.costs_daily; select * from pg_temp.v",
			"prepare p as select distinct team, namespace from bi_v1.costs_hourly; execute p",
			"do $$ begin perform count(*) from posting_rows; end $$",
		} {
			_ = w.shows(t, conn, condition, attack) // most are refused
		}
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	must(t, w.db, "bi", "drop", name)
}

// viewsOfCards: a login's views of cards and requests have as many rows, and the same sums, as the admin's filter.
func (w *seen) viewsOfCards(t *testing.T, conn *pgx.Conn, condition string) {
	t.Helper()
	for view, keys := range map[string][]string{
		"devices": {
			"device", "gpu_model", "currency", "effective_cost", "capacity_gpu_hours", "active_gpu_hours",
			"activity_p95", "held_share", "xids",
		},
		"slices":   {"device_uuid", "slice_id", "held_hours", "effective_cost", "capacity_gpu_hours", "weight", "currency"},
		"requests": {"workload", "cpu_saving", "pods"},
	} {
		list, _, _ := w.admin.rows(t, view, url.Values{"filter": {condition}})
		want := []string{}
		for _, r := range list {
			var cells []string
			for _, k := range keys {
				cells = append(cells, strings.TrimPrefix(r[k], null))
			}
			want = append(want, strings.Join(cells, " "))
		}
		cells := "coalesce(" + strings.Join(keys, "::text, ''), coalesce(") + "::text, '')"
		rows, err := conn.Query(t.Context(), "select concat_ws(' ', "+cells+") from bi_v1."+view)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(view, err)
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: view %s differs from the admin's filter (-admin +view):\n%s", condition, view, clip(d))
		}
	}
}

// viewsAsREST: a login's view of each dataset has as many rows as REST returns, and neither rows nor access if REST
// refuses. Sums over machines, for all holders, are only for whole clusters.
func (w *seen) viewsAsREST(t *testing.T, conn *pgx.Conn, condition string) {
	t.Helper()
	count := func(view string) (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), "select count(*) from bi_v1."+view).Scan(&n); err != nil {
			t.Fatal(view, err)
		}
		return n
	}
	for _, d := range metrics.Datasets {
		if d.Derived != nil { // no view
			continue
		}
		want := 0
		if d.InPart {
			rows, text, status := w.scopes[condition].rows(t, d.Name, url.Values{"limit": {"100000"}})
			if status != http.StatusOK {
				t.Fatalf("%s: %s: %d %s", condition, d.Name, status, clip(text))
			}
			want = len(rows)
		}
		if got := count(d.Name); got != want {
			t.Errorf("%s: view %s has %d rows, REST %d", condition, d.Name, got, want)
		}
		if d.InPart {
			continue
		}
		rows, err := conn.Query(t.Context(), "explain (analyze, timing off) select * from bi_v1."+d.Name)
		if err != nil {
			t.Fatal(d.Name, err)
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(d.Name, err)
		}
		for _, line := range plan {
			if strings.Contains(line, "Scan on") && !strings.Contains(line, "never executed") &&
				!strings.Contains(line, "Function Scan on session_scope") && !strings.Contains(line, "rows=0 ") {
				t.Errorf("%s: the plan of view %s says how much there is: %s", condition, d.Name, line)
			}
		}
	}
	whole := strings.HasPrefix(condition, "cluster = ")
	for _, view := range []string{"star_idle_days", "star_covered_days", "star_spot_node_days"} {
		if n := count(view); (n > 0) != (whole && view == "star_idle_days") {
			t.Errorf("%s: view %s has %d rows", condition, view, n)
		}
	}
}

// shows runs a text as the login, and looks for names of others in all its results, errors and notices included. It
// returns the reason for a refusal.
func (w *seen) shows(t *testing.T, conn *pgx.Conn, condition, text string) error {
	t.Helper()
	var said strings.Builder
	results, err := conn.PgConn().Exec(t.Context(), text).ReadAll()
	for _, r := range results {
		for _, row := range r.Rows {
			for _, cell := range row {
				said.Write(cell)
				said.WriteByte(' ')
			}
		}
	}
	if err != nil {
		said.WriteString(err.Error())
	}
	if l := w.leaks(condition, said.String()); l != "" {
		t.Errorf("%s: %s tells: %s", condition, text, l)
	}
	for _, closed := range []string{"set role", "set session", "select * from posting", "select * from star.",
		"select * from scopes", "select * from tokens", "select * from users",
		"select * from bi_base", "copy (", "select pg_read_file", "select lo_import",
		"create table public", "drop view", "alter role", "do $$"} {
		if strings.HasPrefix(text, closed) && err == nil {
			t.Errorf("%s: %s is allowed", condition, text)
		}
	}
	if _, err := conn.Exec(t.Context(), "reset all"); err != nil {
		t.Fatal(err)
	}
	return err
}
