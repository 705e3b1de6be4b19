package access_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	storeaccess "gpuledger/internal/store/access"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// listed is the result of a statement, one text per row.
func listed(t *testing.T, s *store.Store, sql string) []string {
	t.Helper()
	rows, err := s.Pool.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(sql, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(sql, err)
	}
	return list
}

// The reader role can only read. Every table that it reads has a policy, and it cannot read secret tables.
func TestTheReaderIsBoundByPolicies(t *testing.T) {
	s := storetest.New(t)
	const tables = `from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'star')`
	reads := "has_table_privilege('" + pg.Reader + "', c.oid, 'select')"
	for what, sql := range map[string]string{
		"a right to sign in, or past policies": "select rolname::text from pg_roles where rolname = '" + pg.Reader +
			"' and (rolcanlogin or rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)",
		"a table that it owns": "select c.relname::text " + tables + " and pg_get_userbyid(c.relowner) = '" +
			pg.Reader + "'",
		"a right to write": "select c.relname::text " + tables + " and (has_table_privilege('" +
			pg.Reader + "', c.oid, 'insert, update, delete, truncate, references, trigger'))",
		"a table without row security": "select c.relname::text " + tables + " and " + reads +
			" and not c.relrowsecurity",
		"a table without its one policy": "select c.relname::text " + tables + " and " + reads +
			" and 1 <> (select count(*) from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd = 'r')",
		"a secret that it reads": "select c.relname::text " + tables + " and " + reads +
			" and c.relname ~ '^(scope|user|session|token|sign_in|schema_version)'",
		"a view that passes policies by": `select c.relname::text from pg_class c
			where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
			and not coalesce('security_invoker=true' = any (c.reloptions), false) and c.relname <> all (array['` +
			strings.Join(storeaccess.Words, "','") + `'])`,
		"a part that is read past its table": `select c.relname::text from pg_class c where c.relispartition and ` + reads,
		"a function that changes something": `select p.proname::text from pg_proc p
			where p.pronamespace = 'public'::regnamespace and p.prosecdef and p.provolatile = 'v'`,
	} {
		if list := listed(t, s, sql); len(list) > 0 {
			t.Errorf("%s: %v", what, list)
		}
	}
	if n := len(listed(t, s, "select c.relname::text "+tables+" and "+reads)); n < 100 {
		t.Errorf("the reader reads %d tables", n)
	}
	for _, table := range storeaccess.SeenTables() {
		if len(listed(t, s, "select c.relname::text "+tables+" and c.relname = '"+table+"'")) != 1 {
			t.Errorf("there are ways to see %s, which is no table", table)
		}
	}
}

// A connection in the reader role sees no row of any table if it names no scope or one that does not exist.
func TestWithoutAScopeNothingIsSeen(t *testing.T) {
	s := storetest.SmallLedger(t)
	names := listed(t, s, `select n.nspname || '.' || c.relname from pg_class c
		join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'star')
			and has_table_privilege('`+pg.Reader+`', c.oid, 'select')`)
	for _, scope := range []string{"", "00000000-0000-0000-0000-000000000009"} {
		tx, err := s.Pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, sql := range []string{"set local role " + pg.Reader, "set local gpuledger.scope = '" + scope + "'"} {
			if _, err := tx.Exec(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range names {
			var n int
			if err := tx.QueryRow(t.Context(), "select count(*) from "+name).Scan(&n); err != nil || n != 0 {
				t.Errorf("scope %q sees %d rows of %s: %v", scope, n, name, err)
			}
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Many users query a pool of four connections at once. Each sees only their own rows, however the previous query on the
// connection ended.
func TestConnectionsKeepNoViewer(t *testing.T) {
	s := storetest.New(t)
	const people = 20
	for i := range people {
		storetest.Run(t, s.Pool, fmt.Sprintf("insert into owners (tenant_id, owner_id, team) select 1, md5('o%[1]d-' || "+
			"n)::uuid, 'team-%[1]d' from generate_series(0, %[1]d) n", i))
	}
	var asks []*access.Viewer
	for i := range people {
		_, token, err := s.Access.CreateToken(t.Context(),
			access.Grant{
				Name: fmt.Sprint("lead ", i), Role: access.RoleTeamLead,
				Conditions: []string{fmt.Sprintf("team = 'team-%d'", i)}, By: "root", At: noon,
			}, 0)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Access.Token(t.Context(), token, noon)
		if err != nil || !v.Bounded() {
			t.Fatal(v, err)
		}
		asks = append(asks, v)
	}
	pool, err := s.Beside(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	pool.Guarded()
	if err := pool.Read(t.Context(), "ask for nobody", func(pgx.Tx) error { return nil }); err == nil {
		t.Error("a question that is nobody's is answered")
	}
	many := 10_000
	var wg sync.WaitGroup
	var mu sync.Mutex
	bleeds := 0
	for worker := range 16 {
		r := rand.New(rand.NewPCG(uint64(worker), 12))
		wg.Go(func() {
			for range many / 16 {
				i := r.IntN(people)
				ctx := access.As(t.Context(), asks[i])
				err := pool.Read(ctx, "ask", func(tx pgx.Tx) error {
					switch r.IntN(20) {
					case 0: // a query that fails
						_, err := tx.Exec(ctx, "select 1 / 0")
						return err
					case 1: // a cancelled query
						return fmt.Errorf("given up")
					case 2: // a query that changes its viewer within its transaction
						_, _ = tx.Exec(ctx, "set local gpuledger.scope = '"+asks[(i+1)%people].Scope+"'")
						return nil
					}
					var n int
					var teams string
					err := tx.QueryRow(ctx, "select count(*), coalesce(string_agg(distinct team, ' '), '') from owners").Scan(&n,
						&teams)
					if err == nil && (n != i+1 || teams != fmt.Sprintf("team-%d", i)) {
						mu.Lock()
						bleeds++
						mu.Unlock()
					}
					return err
				})
				if err != nil && !strings.Contains(err.Error(), "given up") && !strings.Contains(err.Error(), "division by zero") {
					mu.Lock()
					t.Error(err)
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	if bleeds != 0 {
		t.Errorf("%d of %d questions saw rows of others, or not their own", bleeds, many)
	}
	// Returned connections keep no state.
	for range 8 {
		var role, scope string
		if err := pool.Pool.QueryRow(t.Context(),
			"select current_setting('role'), coalesce(current_setting('gpuledger.scope', true), '')").Scan(&role,
			&scope); err != nil || role != "none" || scope != "" {
			t.Errorf("a connection is given back as %q with scope %q: %v", role, scope, err)
		}
	}
}

// A background ANALYZE holds a lock on a table while it waits for a change of the table's catalog row. Refreshing
// rights must not make that change while it waits for the lock.
func TestRefreshingRightsDoesNotDeadlockWithAnalyze(t *testing.T) {
	s := storetest.New(t)
	for _, table := range []string{"runs", "scopes", "star.device_days"} {
		storetest.Run(t, s.Pool, "comment on table scopes is 'rights of an older program'")
		analysis, err := s.Pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		does := func(sql string) {
			if _, err := analysis.Exec(t.Context(), sql); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
		}
		does("lock table " + table + " in share update exclusive mode")
		refreshed := make(chan error, 1)
		go func() {
			refreshed <- s.InTx(t.Context(), "refresh", func(tx pgx.Tx) error {
				return storeaccess.RefreshRights(t.Context(), tx)
			})
		}()
		for storetest.One[int](t, s, "select count(*) from pg_locks where not granted") == 0 {
			if len(refreshed) > 0 {
				t.Fatalf("%s: refreshed beside its lock: %v", table, <-refreshed)
			}
		}
		does("grant select on " + table + " to current_user")
		if err := analysis.Commit(t.Context()); err != nil {
			t.Errorf("%s: the analysis: %v", table, err)
		}
		if err := <-refreshed; err != nil {
			t.Errorf("%s: the refresh: %v", table, err)
		}
	}
}
