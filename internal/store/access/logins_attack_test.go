package access_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// asLogin is a session of a BI login.
func asLogin(t *testing.T, s *store.Store, name, password string) *pgx.Conn {
	t.Helper()
	conf := s.Pool.Config().ConnConfig.Copy()
	conf.User, conf.Password = name, password
	conn, err := pgx.ConnectConfig(t.Context(), conf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func exec(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func says(left []string, parts ...string) bool {
	text := strings.Join(left, "\n")
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// A login whose role cannot be dropped loses read access at once, also in open sessions, and the result names what
// keeps the role.
func TestDroppingALoginEndsAccessFirst(t *testing.T) {
	s := storetest.New(t)
	const name = "gl_kept"
	login := func() (password string) {
		t.Helper()
		password, left, err := s.Access.Login(t.Context(), name, []string{speech}, "root", noon)
		if err != nil || left != nil {
			t.Fatal(left, err)
		}
		return password
	}
	drop := func() []string {
		t.Helper()
		left, err := s.Access.DropLogin(t.Context(), name, "root", noon)
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	gone := func(when string, conn *pgx.Conn, password string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), "select count(*) from bi_v1.runs"); err == nil || !conn.IsClosed() {
			t.Errorf("%s: its session goes on: %v", when, err)
		}
		conf := s.Pool.Config().ConnConfig.Copy()
		conf.User, conf.Password = name, password
		if again, err := pgx.ConnectConfig(t.Context(), conf); err == nil {
			_ = again.Close(t.Context())
			t.Errorf("%s: it signs in", when)
		}
		if n := cell(t, s, "select count(*)::text from scope_logins where login = '"+name+"'"); n != "0" {
			t.Errorf("%s: it has a scope", when)
		}
		if yes := cell(t, s, "select coalesce(bool_or(has_schema_privilege(oid, 'bi_v1', 'usage')), false)::text from "+
			"pg_roles where rolname = '"+name+"'"); yes != "false" {
			t.Errorf("%s: it may use bi_v1", when)
		}
	}

	password := login()
	storetest.Run(t, s.Pool, "select lo_create(4711)")
	storetest.Run(t, s.Pool, "alter large object 4711 owner to "+name)
	storetest.Run(t, s.Pool, "create database gl_kept_copy")
	t.Cleanup(func() { storetest.Run(t, s.Pool, "drop database if exists gl_kept_copy") })
	storetest.Run(t, s.Pool, "grant connect on database gl_kept_copy to "+name)
	conn := asLogin(t, s, name, password)
	exec(t, conn, "select count(*) from bi_v1.runs")
	left := drop()
	gone("with a large object", conn, password)
	if !says(left, "the role", "owner of large object 4711", "gl_kept_copy", `drop role "gl_kept"`) || len(left) != 1 {
		t.Errorf("left is %q", left)
	}

	storetest.Run(t, s.Pool, "drop database gl_kept_copy")
	storetest.Run(t, s.Pool, "select lo_unlink(4711)")
	storetest.Run(t, s.Pool, "drop role "+name)
	password = login()
	conn = asLogin(t, s, name, password)
	if left := drop(); left != nil {
		t.Errorf("with nothing in the way: left is %q", left)
	}
	gone("with nothing in the way", conn, password)
	if n := cell(t, s, "select count(*)::text from pg_roles where rolname = '"+name+"'"); n != "0" {
		t.Error("the role is still there")
	}
}

// Dropping a login ends its running query, and a new scope ends the sessions of the old one.
func TestALoginsQuestionsEndWithItsScope(t *testing.T) {
	s := storetest.New(t)
	const name = "gl_asking"
	scope := []string(nil) // the views change owner with the first scope
	for _, change := range []func() error{
		func() error {
			_, _, err := s.Access.Login(t.Context(), name, []string{speech}, "root", noon)
			return err
		},
		func() error { _, err := s.Access.DropLogin(t.Context(), name, "root", noon); return err },
	} {
		password, _, err := s.Access.Login(t.Context(), name, scope, "root", noon)
		if err != nil {
			t.Fatal(err)
		}
		conn := asLogin(t, s, name, password)
		asked := make(chan error, 1)
		go func() {
			_, err := conn.Exec(context.WithoutCancel(t.Context()),
				"begin; select count(*) from bi_v1.runs; select pg_sleep(100)")
			asked <- err
		}()
		for cell(t, s, "select count(*)::text from pg_stat_activity "+
			"where usename = '"+name+"' and wait_event = 'PgSleep'") == "0" {
			time.Sleep(10 * time.Millisecond)
		}
		began := time.Now()
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("it took %s", took)
		}
		select {
		case err := <-asked:
			if err == nil {
				t.Error("its question was answered")
			}
		case <-time.After(5 * time.Second):
			t.Fatal("its question goes on")
		}
	}
}

// Attempts of a BI login to get more than its rows.
func TestALoginCannotWidenItself(t *testing.T) {
	s := storetest.New(t)
	const name = "gl_widens"
	password, left, err := s.Access.Login(t.Context(), name, []string{speech}, "root", noon)
	if err != nil || left != nil {
		t.Fatal(left, err)
	}
	defer func() {
		if left, err := s.Access.DropLogin(t.Context(), name, "root", noon); err != nil || left != nil {
			t.Error(left, err)
		}
	}()
	conn := asLogin(t, s, name, password)
	exec(t, conn, "set default_transaction_read_only = off") // it may change its own default
	exec(t, conn, "set statement_timeout = 0")
	for _, sql := range []string{
		"create temporary table mine (n int)", "create table mine (n int)",
		"create table bi_v1.mine (n int)", "create schema mine",
		"create function mine() returns int language sql as 'select 1'",
		"create function pg_temp.mine() returns int language sql as 'select 1'",
		"select lo_create(0)", "select lo_creat(-1)", "select lo_from_bytea(0, 'x')",
		"select lo_open(1, 262144)", "select lo_unlink(1)",
		"select pg_advisory_lock(hashtext('gpuledger audit'), 1)",
		"select pg_try_advisory_lock(1)", "select pg_advisory_xact_lock_shared(1)",
		"select count(pg_try_advisory_xact_lock(n)) from generate_series(1, 1000000) n",
		"set temp_file_limit = -1", "alter role " + name + " set temp_file_limit = -1",
		"alter role " + name + " connection limit -1",
		"alter role " + name + " createrole", "set session authorization gpuledger_reader", "set role gpuledger_reader",
		"lock table bi_v1.runs in access exclusive mode", "lock table scopes",
		"select pg_read_file('PG_VERSION')", "copy (select 1) to program 'true'",
		"select * from scope_logins", "select session_scope() from users", "insert into bi_v1.runs default values",
	} {
		if _, err := conn.Exec(t.Context(), sql); err == nil || conn.IsClosed() {
			t.Errorf("%s: done (%v)", sql, err)
		}
	}
	for range 9 {
		asLogin(t, s, name, password)
	}
	conf := s.Pool.Config().ConnConfig.Copy()
	conf.User, conf.Password = name, password
	if more, err := pgx.ConnectConfig(t.Context(), conf); err == nil {
		_ = more.Close(t.Context())
		t.Error("it has an eleventh session")
	}
}

// A login that locked itself out with a setting can sign in with its next password.
func TestALoginComesInAgain(t *testing.T) {
	s := storetest.New(t)
	const name = "gl_again"
	password, _, err := s.Access.Login(t.Context(), name, []string{speech}, "root", noon)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if left, err := s.Access.DropLogin(t.Context(), name, "root", noon); err != nil || left != nil {
			t.Error(left, err)
		}
	}()
	conn := asLogin(t, s, name, password)
	exec(t, conn, "set default_transaction_read_only = off")
	exec(t, conn, "alter role "+name+" set local_preload_libraries = 'nope'")
	if password, _, err = s.Access.Login(t.Context(), name, []string{speech}, "root", noon); err != nil {
		t.Fatal(err)
	}
	exec(t, asLogin(t, s, name, password), "select from bi_v1.costs")
}
