package access_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
	storeaccess "gpuledger/internal/store/access"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// modest is a database whose owner is not a superuser and may not create roles. The administrator s created the reader
// role.
func modest(t *testing.T, s *store.Store, owner string) *store.Store {
	t.Helper()
	storetest.Run(t, s.Pool, "create role "+owner+" login nocreaterole password 'x'")
	storetest.Run(t, s.Pool, "create database "+owner+" owner "+owner)
	storetest.Run(t, s.Pool, "grant gpuledger_reader to "+owner)
	conf := s.Pool.Config().ConnConfig
	dsn := fmt.Sprintf("host='%s' port=%d user=%s password=x dbname=%s sslmode=disable", conf.Host, conf.Port, owner,
		owner)
	if err := store.MigrateDSN(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	own, err := store.Open(t.Context(), dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(own.Close)
	return own
}

// TestABoundLoginReadsOnlyItsScope: a login that an administrator created sees its scope and nothing more, in a
// database whose owner may not create logins.
func TestABoundLoginReadsOnlyItsScope(t *testing.T) {
	admin := storetest.New(t)
	own := modest(t, admin, "gl_bind_owner")
	const name = "GL-bind Speech"
	role := pgx.Identifier{name}.Sanitize()
	_, err := own.Access.BindLogin(t.Context(), name, []string{speech}, "root", noon)
	mustRefuse(t, "one that is not there", err)
	storetest.Run(t, admin.Pool, "create role "+role+" login noinherit password 'y'")
	if _, _, err := own.Access.Login(t.Context(), "gl_bind_made", []string{speech}, "root",
		noon); !refused(err, "bi bind") {
		t.Errorf("making one: %v", err)
	}
	for _, team := range []string{"speech", "vision"} {
		storetest.Run(t, own.Pool, "insert into owners (tenant_id, owner_id, team) values (1, md5($1)::uuid, $1)", team)
		storetest.Run(t, own.Pool, `insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status,
			  attempts, preemptions, world, owner_id)
			values (1, $1, 'c', '', '', 'Job', 'training', 'succeeded', 1, 0, 1, md5($1)::uuid)`, team)
	}
	// ask queries as the login; for a refused query it returns the end of the error.
	ask := func(sql string) (answer string) {
		t.Helper()
		conf := own.Pool.Config().ConnConfig.Copy()
		conf.User, conf.Password = name, "y"
		conn, err := pgx.ConnectConfig(t.Context(), conf)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
		for s := range strings.SplitSeq(sql, ";") {
			if err := conn.QueryRow(t.Context(), s).Scan(&answer); err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return err.Error()
			}
		}
		return answer
	}
	const teams = "select coalesce(string_agg(distinct team, ' ' order by team), '') from bi_v1.runs"
	if got := ask(teams); !strings.Contains(got, "permission denied") {
		t.Errorf("before it is bound it reads %q", got)
	}
	bind := func(conditions ...string) {
		t.Helper()
		if _, err := own.Access.BindLogin(t.Context(), name, conditions, "root", noon); err != nil {
			t.Fatal(err)
		}
	}
	bind(speech)
	if got := ask(teams); got != "speech" {
		t.Errorf("in its scope it sees %q", got)
	}
	for _, sql := range []string{
		"select team from owners limit 1", "select role from users limit 1", "set role gpuledger_reader",
		"set role gl_bind_owner", "select effective_cost::text from postings limit 1",
	} {
		if got := ask(sql); !strings.Contains(got, "permission denied") {
			t.Errorf("%s: %q", sql, got)
		}
	}
	if got := ask("set gpuledger.scope = '00000000-0000-0000-0000-000000000000'; " + teams); got != "speech" {
		t.Errorf("with a scope that it sets it sees %q", got)
	}
	// Recreated views are readable as before.
	storetest.Run(t, own.Pool, "comment on table scopes is 'rights of an older program'")
	if err := own.InTx(t.Context(), "refresh", func(tx pgx.Tx) error {
		return storeaccess.RefreshRights(t.Context(), tx)
	}); err != nil {
		t.Fatal(err)
	}
	bind("team = 'vision'")
	if got := ask(teams); got != "vision" {
		t.Errorf("in another scope it sees %q", got)
	}
	bind()
	if got := ask(teams); got != "speech vision" {
		t.Errorf("without a scope it sees %q", got)
	}
	list, err := own.Access.Logins(t.Context())
	if err != nil || len(list) != 1 || !list[0].Bound || list[0].Name != name || !list[0].Everything {
		t.Errorf("listed as %+v, %v", list, err)
	}
	if _, err := own.Access.DropLogin(t.Context(), name, "root", noon); err != nil {
		t.Fatal(err)
	}
	if got := ask(teams); !strings.Contains(got, "permission denied") {
		t.Errorf("once it is not bound it sees %q", got)
	}
	if n := cell(t, own, "select count(*)::text from scopes"); n != "0" {
		t.Errorf("%s scopes are left", n)
	}
	if got := logged(t, own); got != strings.Repeat("root login bound "+name+"; ", 3)+"root login dropped "+name {
		t.Errorf("the log says %q", got)
	}
}

// TestLoginsThatBypassPoliciesAreNotBound: a login that could bypass policies, directly or through other roles, is not
// bound, and the error names what an administrator has to do. After that it can be bound.
func TestLoginsThatBypassPoliciesAreNotBound(t *testing.T) {
	admin := storetest.New(t)
	own := modest(t, admin, "gl_pass_owner")
	in := own.Pool.Config().ConnConfig.Database
	inside, err := pgx.Connect(t.Context(),
		fmt.Sprintf("host='%s' port=%d user=%s password='%s' dbname=%s sslmode=disable", admin.Pool.Config().ConnConfig.Host,
			admin.Pool.Config().ConnConfig.Port, admin.Pool.Config().ConnConfig.User,
			admin.Pool.Config().ConnConfig.Password, in))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = inside.Close(context.WithoutCancel(t.Context())) }()
	run := func(sql string) {
		t.Helper()
		if _, err := inside.Exec(t.Context(), sql); err != nil {
			t.Fatal(sql, err)
		}
	}
	run("create role gl_pass login noinherit; create role gl_pass_group nologin noinherit; create role gl_pass_far " +
		"nologin; grant gl_pass_far to gl_pass_group")
	for _, c := range []struct{ given, taken, says string }{
		{"alter role gl_pass superuser", "alter role gl_pass nosuperuser", "is a superuser"},
		{"alter role gl_pass bypassrls", "alter role gl_pass nobypassrls", "bypasses row-level security"},
		{"alter role gl_pass createrole", "alter role gl_pass nocreaterole", "may make roles"},
		{"alter role gl_pass replication", "alter role gl_pass noreplication", "may replicate"},
		{"alter role gl_pass nologin", "alter role gl_pass login", "it may not sign in"},
		{"grant gpuledger_reader to gl_pass", "revoke gpuledger_reader from gl_pass", `member of "gpuledger_reader"`},
		{"grant gl_pass_owner to gl_pass", "revoke gl_pass_owner from gl_pass", `member of "gl_pass_owner", which owns`},
		{
			"grant gl_pass_owner to gl_pass_far; grant gl_pass_group to gl_pass",
			"revoke gl_pass_owner from gl_pass_far; revoke gl_pass_group from gl_pass", `"gl_pass_owner", which owns`,
		},
		{
			"alter role gl_pass_far bypassrls; grant gl_pass_group to gl_pass",
			"alter role gl_pass_far nobypassrls; revoke gl_pass_group from gl_pass", `"gl_pass_far", which bypasses`,
		},
		{
			"grant pg_read_all_data to gl_pass", "revoke pg_read_all_data from gl_pass",
			`"pg_read_all_data", which has rights of the whole server`,
		},
		{"grant pg_monitor to gl_pass", "revoke pg_monitor from gl_pass", "rights of the whole server"},
		{
			"create table gl_pass_table (); alter table gl_pass_table owner to gl_pass",
			"drop table gl_pass_table", "owns tables",
		},
		{"alter table users owner to gl_pass", "alter table users owner to gl_pass_owner", "owns tables"},
		{
			"alter function session_scope() owner to gl_pass",
			"alter function session_scope() owner to gl_pass_owner", "owns tables",
		},
		{
			"alter database gl_pass_owner owner to gl_pass",
			"alter database gl_pass_owner owner to gl_pass_owner", "owns tables",
		},
		{"grant select on users to gl_pass", "revoke all on users from gl_pass", "may do more with public.users"},
		{
			"grant select (name) on users to gl_pass",
			"revoke all on users from gl_pass; revoke select (name) on users from gl_pass", "may do more with public.users",
		},
		{"grant select on postings to public", "revoke all on postings from public", "may do more with public.postings"},
		{"grant update on bi_v1.runs to gl_pass", "revoke update on bi_v1.runs from gl_pass", "may do more with bi_v1.runs"},
		{
			"grant create on schema public to public",
			"revoke create on schema public from public", "tables and functions in schema public",
		},
		{"revoke connect on database gl_pass_owner from public; set role gl_pass_owner; revoke connect on database " +
			"gl_pass_owner from public; reset role",
			"grant connect on database gl_pass_owner to gl_pass", `grant connect on database "gl_pass_owner" to "gl_pass";`},
	} {
		run(c.given)
		if _, err := own.Access.BindLogin(t.Context(), "gl_pass", []string{speech}, "root", noon); !refused(err, c.says) {
			t.Errorf("after %q: %v", c.given, err)
		}
		run(c.taken)
		if _, err := own.Access.BindLogin(t.Context(), "gl_pass", []string{speech}, "root", noon); err != nil {
			t.Errorf("after %q: %v", c.taken, err)
		} else if _, err := own.Access.DropLogin(t.Context(), "gl_pass", "root", noon); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"gl_pass_owner", "gpuledger_reader", "pg_read_all_data",
		admin.Pool.Config().ConnConfig.User, "", "no such role", strings.Repeat("x", 64),
	} {
		_, err := own.Access.BindLogin(t.Context(), name, nil, "root", noon)
		mustRefuse(t, "binding "+name, err)
	}
	if n := cell(t, own, "select count(*)::text from scopes"); n != "0" {
		t.Errorf("%s scopes are left of refusals", n)
	}
}

// TestLoginAndBindRefuseEachOthersLogins: `bi login` and `bi bind` each refuse the other's logins.
func TestLoginAndBindRefuseEachOthersLogins(t *testing.T) {
	s := storetest.New(t)
	if _, _, err := s.Access.Login(t.Context(), "gl_whose_made", []string{speech}, "root", noon); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Access.BindLogin(t.Context(), "gl_whose_made", nil, "root", noon); !refused(err, "gpuledger made") {
		t.Errorf("binding one that gpuledger made: %v", err)
	}
	storetest.Run(t, s.Pool, "create role gl_whose login")
	if _, _, err := s.Access.Login(t.Context(), "gl_whose", nil, "root", noon); !refused(err, "bi bind") {
		t.Errorf("making one that is there: %v", err)
	}
	if _, err := s.Access.BindLogin(t.Context(), "gl_whose", []string{speech}, "root", noon); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Access.Login(t.Context(), "gl_whose", nil, "root", noon); !refused(err, "administrator") {
		t.Errorf("making one that is bound: %v", err)
	}
	for _, name := range []string{"gl_whose", "gl_whose_made"} {
		if _, err := s.Access.DropLogin(t.Context(), name, "root", noon); err != nil {
			t.Error(err)
		}
	}
	if got := cell(t, s, "select string_agg(rolname, ' ') from pg_roles "+
		"where rolname like 'gl\\_whose%'"); got != "gl_whose" {
		t.Errorf("the server has %q", got)
	}
}
