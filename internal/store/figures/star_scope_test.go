package figures_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/star"
	"gpuledger/test/storetest"
)

// scopeWorld is a schema star of generated rows: owners with few dimensions, machines and runs, and rows of every
// table for them. Unknown dimensions are empty.
const scopeWorld = `
create table known_owners (owner_id uuid, business_unit text, team text, project text, environment text);
insert into known_owners select md5(n::text)::uuid, (array['b1', 'b2'])[1 + n % 2],
  (array['', 't1', 't2', 't3', 't4', 't5'])[1 + n % 6],
  (array['', 'p1', 'p2', 'p3'])[1 + n % 4], (array['prod', 'dev', ''])[1 + n % 3] from generate_series(1, 40) n;
insert into owners (tenant_id, owner_id, business_unit, team, project, environment)
  select 1, owner_id, nullif(business_unit, ''), nullif(team, ''), nullif(project, ''), nullif(environment, '')
  from known_owners;
insert into known_owners values ('00000000-0000-0000-0000-000000000000', '', '', '', '');
create table known_clusters (cluster text);
insert into known_clusters values (''), ('a'), ('b'), ('c');
insert into nodes (tenant_id, node_id, cluster, name)
  select 1, md5('node' || n)::uuid, (array['a', 'b', 'c'])[1 + n % 3], 'n' || n from generate_series(1, 9) n;
insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status, attempts, preemptions, world,
    owner_id)
  select 1, 'r' || n, (array['a', 'b', 'c'])[1 + n % 3], '', '', 'Job', 'training', 'completed', 1, 0, 1,
    (select owner_id from known_owners o where n % 7 > 0 order by md5(n || o.owner_id::text) limit 1)
    from generate_series(1, 30) n;
create table seen (owner_id uuid, cluster text)`

// fillStar adds rows to a table.
func fillStar(t *testing.T, tx pgx.Tx, table star.Table) {
	t.Helper()
	rows, err := tx.Query(t.Context(),
		"select attname::text, format_type(atttypid, atttypmod), attnotnull from pg_attribute where attrelid = '"+table.Name()+"'::regclass and attnum > 2 order by attnum")
	if err != nil {
		t.Fatal(err)
	}
	var names, values []string
	var name, typ string
	var always bool
	if _, err := pgx.ForEachRow(rows, []any{&name, &typ, &always}, func() error {
		value := map[string]string{
			"owner_id": "o.owner_id", "business_unit": "o.business_unit",
			"team": "o.team", "project": "o.project", "environment": "o.environment",
			"cluster": "(array['', 'a', 'b', 'c'])[1 + g % 4]",
			"node_id": "md5('node' || 1 + g % 9)::uuid", "run_id": "'r' || 1 + g % 30",
		}[name]
		switch {
		case value != "" && !always && typ == "uuid":
			value = "nullif(" + value + ", '00000000-0000-0000-0000-000000000000')"
		case value != "" && !always:
			value = "nullif(" + value + ", '')"
		case value == "":
			value = map[string]string{
				"text": "'x' || g % 3", "uuid": "md5(g::text)::uuid", "bigint": "g % 5", "numeric": "g",
				"boolean": "true", "bigint[]": "'{}'", "text[]": "'{}'", "timestamp with time zone": "'2026-11-02'",
			}[typ]
		}
		names, values = append(names, name), append(values, value)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), fmt.Sprintf(`insert into %s (tenant_id, at, %s) select 1, '2026-11-02', %s
		from generate_series(1, 200) g
		cross join lateral (select * from known_owners k order by md5(g || k.owner_id::text) limit 1) o`,
		table.Name(), strings.Join(names, ", "), strings.Join(values, ", "))); err != nil {
		t.Fatal(table.Name(), err)
	}
}

// somebody is a random scope as a condition on the dimensions of an owner and on a cluster, both written as they are
// in a row.
func somebody(r *rand.Rand) string {
	words := map[string][]string{
		"business_unit": {"b1", "b2"}, "team": {"", "t1", "t2", "t3", "t4", "t5"}, "project": {"", "p1", "p2", "p3"},
		"environment": {"prod", "dev", ""}, "cluster": {"", "a", "b", "c"},
	}
	keys := []string{"business_unit", "team", "project", "environment", "cluster"}
	var parts []string
	for range 1 + r.IntN(3) {
		var all []string
		for _, i := range r.Perm(len(keys))[:1+r.IntN(2)] {
			list := words[keys[i]]
			var some []string
			for range 1 + r.IntN(len(list)) {
				some = append(some, "'"+list[r.IntN(len(list))]+"'")
			}
			all = append(all, fmt.Sprintf("coalesce(%s, '') %sin (%s)", keys[i], []string{"", "not "}[r.IntN(2)],
				strings.Join(some, ", ")))
		}
		parts = append(parts, "("+strings.Join(all, " and ")+")")
	}
	return strings.Join(parts, " or ")
}

// fillScope computes the members of a scope.
const fillScope = `
truncate seen;
insert into seen select owner_id, cluster from known_owners, known_clusters where %[1]s;
insert into scopes select 1, '%[2]s', (select count(*) from seen) = (select count(*) from known_owners, known_clusters);
insert into scope_owners select 1, '%[2]s', owner_id, null from seen group by owner_id having count(*) = (select count(*) from known_clusters);
insert into scope_owners select 1, '%[2]s', owner_id, cluster from seen s
  where not exists (select from scope_owners o where o.scope_id = '%[2]s' and o.owner_id = s.owner_id and o.cluster is null);
insert into scope_clusters select 1, '%[2]s', cluster from seen group by cluster having count(*) = (select count(*) from known_owners);
insert into scope_teams select 1, '%[2]s', team, null from known_owners k
  group by team having bool_and(exists (select from scope_owners o where o.scope_id = '%[2]s' and o.owner_id = k.owner_id and o.cluster is null));
insert into scope_teams select 1, '%[2]s', team, cluster from known_owners k, known_clusters c
  group by team, cluster having bool_and(exists (select from seen s where s.owner_id = k.owner_id and s.cluster = c.cluster))`

// byHand is the condition for the rows r of a table that a scope may see: those for which everything that they may
// stand for is in the scope.
func byHand(table star.Table, scope string) string {
	has := func(key string) bool {
		return slices.Contains(table.Columns(), key) && !slices.Contains(table.Rollup.Any, key)
	}
	if has("business_unit") && has("team") && has("project") && has("environment") && has("cluster") {
		return scope // a plain filter
	}
	if has("run_id") && table.Fact.Name != "model" {
		return "exists (select from runs u join seen s on s.cluster = u.cluster and s.owner_id = coalesce(u.owner_id, " +
			"'00000000-0000-0000-0000-000000000000') where u.run_id = r.run_id)"
	}
	owners, clusters := "true", "true"
	switch {
	case has("owner_id"):
		owners = "k.owner_id = coalesce(r.owner_id, '00000000-0000-0000-0000-000000000000')"
	case slices.Contains(table.Fact.Org, star.Nobody):
		owners = "k.owner_id = '00000000-0000-0000-0000-000000000000'"
	case has("team"):
		owners = "k.team = coalesce(r.team, '')"
	}
	switch {
	case has("cluster"):
		clusters = "c.cluster = coalesce(r.cluster, '')"
	case has("node_id"):
		clusters = "c.cluster = (select n.cluster from nodes n where n.node_id = r.node_id)"
	}
	if table.Fact.Closed != "" { // only for users with full access
		owners, clusters = "true", "true"
	}
	// for users with access to the machine
	if slices.Contains([]string{"spot_node", "layout_seen", "slice_seen"}, table.Rollup.Name) {
		return "exists (select from seen c where " + clusters + ")"
	}
	return "not exists (select from known_owners k, known_clusters c where " + owners + " and " + clusters +
		" and not exists (select from seen s where s.owner_id = k.owner_id and s.cluster = c.cluster))"
}

// Under a role to which policies apply, every table of schema star has exactly the rows that a filter leaves, for any
// scope, with one plan for all. Policies apply only in this test.
func TestScopesEqualFilters(t *testing.T) {
	s := storetest.New(t)
	tx, err := s.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }() // resets the role too
	do := func(sql string) {
		t.Helper()
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(sql, err)
		}
	}
	number := func(sql string) (n int64) {
		t.Helper()
		if err := tx.QueryRow(t.Context(), sql).Scan(&n); err != nil {
			t.Fatal(sql, err)
		}
		return n
	}
	do(scopeWorld)
	do("create role scoped_reader; grant usage on schema star to scoped_reader; grant select on all tables in schema " +
		"star to scoped_reader; grant select on node_words to scoped_reader")
	do("insert into scope_logins values (1, session_user, null)")
	var tables []star.Table // one of each roll-up: the others have the same policy
	for _, f := range star.Facts {
		for i := range f.Rollups {
			of := f.Table(&f.Rollups[i], f.Rollups[i].Steps[0])
			tables = append(tables, of)
			for _, step := range f.Rollups[i].Steps[1:] {
				other := f.Table(&f.Rollups[i], step)
				if n := number(fmt.Sprintf("select count(distinct replace(pg_get_expr(polqual, polrelid), '%s.', '%s.')) from "+
					"pg_policy where polrelid in ('%[3]s'::regclass, '%[4]s'::regclass)",
					other.Short(), of.Short(), of.Name(), other.Name())); n != 1 {
					t.Errorf("%s and %s have %d policies", of.Name(), other.Name(), n)
				}
			}
		}
	}
	for _, table := range tables {
		fillStar(t, tx, table)
		do("alter table " + table.Name() + " enable row level security")
	}
	r := rand.New(rand.NewPCG(16, 17))
	const sums = "select count(*) || ' ' || coalesce(sum(hashtextextended(r::text, 0)), 0) from %s r"
	var scopes []string
	want := map[string]map[string]string{}
	some := map[string]int{} // for how many scopes only part of a table is visible
	for n := range 30 {
		condition := somebody(r)
		id := fmt.Sprintf("00000000-0000-0000-0000-%012d", n)
		scopes = append(scopes, id)
		want[id] = map[string]string{}
		do(fmt.Sprintf(fillScope, condition, id))
		for _, table := range tables {
			var text string
			if err := tx.QueryRow(t.Context(),
				fmt.Sprintf(sums+" where %s", table.Name(), byHand(table, condition))).Scan(&text); err != nil {
				t.Fatal(table.Name(), err)
			}
			if want[id][table.Name()] = text; !strings.HasPrefix(text, "0 ") && !strings.HasPrefix(text, "200 ") {
				some[table.Name()]++
			}
		}
	}
	for _, table := range tables {
		if f := table.Fact; some[table.Name()] == 0 && f.Closed == "" && (len(table.Rollup.Keys) > 4 || f.Name == "held") &&
			table.Rollup.Name != "cost_total" && table.Rollup.Name != "level" {
			t.Errorf("no scope has a part of %s", table.Name())
		}
	}

	do("set local role scoped_reader")
	do("set local plan_cache_mode = auto")
	for _, scope := range []string{"", "00000000-0000-0000-0000-999999999999"} {
		do("set local gpuledger.scope = '" + scope + "'")
		for _, table := range tables {
			if n := number("select count(*) from " + table.Name()); n != 0 {
				t.Errorf("scope %q sees %d rows of %s", scope, n, table.Name())
			}
		}
	}
	for i, table := range tables {
		do(fmt.Sprintf("prepare asked_%d as "+sums, i, table.Name()))
	}
	for _, id := range scopes {
		do("set local gpuledger.scope = '" + id + "'")
		for i, table := range tables {
			var got string
			if err := tx.QueryRow(t.Context(), fmt.Sprintf("execute asked_%d", i)).Scan(&got); err != nil {
				t.Fatal(table.Name(), err)
			}
			if got != want[id][table.Name()] {
				t.Errorf("scope %s sees %s of %s, a filter leaves %s", id, got, table.Name(), want[id][table.Name()])
			}
		}
	}
	if n := number("select coalesce(sum(custom_plans), 0) from pg_prepared_statements where name like 'asked%'"); n != 0 {
		t.Errorf("%d plans were made for one scope alone", n)
	}

	// A login that is bound to a scope keeps it, whatever it sets, and cannot read members.
	do("reset role")
	do("insert into scope_logins values (1, 'scoped_reader', '" + scopes[0] + "')")
	do("set local session authorization scoped_reader")
	do("set local gpuledger.scope = '" + scopes[1] + "'")
	for i, table := range tables {
		var got string
		if err := tx.QueryRow(t.Context(), fmt.Sprintf("execute asked_%d", i)).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want[scopes[0]][table.Name()] {
			t.Errorf("a bound login sees %s of %s, want %s", got, table.Name(), want[scopes[0]][table.Name()])
		}
	}
	for _, members := range []string{"scopes", "scope_owners", "scope_teams", "scope_clusters", "scope_logins"} {
		if err := pgx.BeginFunc(t.Context(), tx, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), "select from "+members)
			return err
		}); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("a login reads %s: %v", members, err)
		}
	}
}
