package access_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	storeaccess "gpuledger/internal/store/access"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// The first start creates an admin with a link. A later start creates another link until the admin has a password, then
// none.
func TestSetupInvitesTheFirstAdmin(t *testing.T) {
	s := storetest.New(t)
	first, err := s.Access.Setup(t.Context(), noon)
	if err != nil || first == "" {
		t.Fatal(first, err)
	}
	second, err := s.Access.Setup(t.Context(), noon)
	if err != nil || second == "" || second == first {
		t.Fatal("a second start:", second, err)
	}
	if name, err := s.Access.LinkOf(t.Context(), first, noon); name != "" || err != nil {
		t.Errorf("the link of the first start is good for %q, %v", name, err)
	}
	if name, err := s.Access.LinkOf(t.Context(), second, noon.Add(25*time.Hour)); name != "" || err != nil {
		t.Errorf("a link is good for more than a day: %q, %v", name, err)
	}
	if _, err := s.Access.ChoosePassword(t.Context(), second, "passwordpassword", noon); err == nil {
		t.Error("a password that is tried first is taken")
	}
	name, err := s.Access.ChoosePassword(t.Context(), second, password, noon)
	if name != "admin" || err != nil {
		t.Fatal(name, err)
	}
	_, err = s.Access.ChoosePassword(t.Context(), second, password, noon)
	mustRefuse(t, "a link that is used", err)
	if link, err := s.Access.Setup(t.Context(), noon); link != "" || err != nil {
		t.Errorf("after setup there is a link %q, %v", link, err)
	}
	secret, err := s.Access.SignIn(t.Context(), "admin", password, origin, noon)
	if err != nil || secret == "" {
		t.Fatal("the admin does not sign in:", err)
	}
	mustRefuse(t, "the last admin", s.Access.DisableUser(t.Context(), "admin", "root", noon))
	if got := logged(t, s); got != "admin password chosen admin" {
		t.Errorf("the audit log says %q", got)
	}
}

// A new link ends older ones, and choosing a password ends all sessions.
func TestChoosingAPasswordEndsLinksAndSessions(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	secret := begun(t, s, "ada", origin, noon)
	old, err := s.Access.Link(t.Context(), "ada", "root", noon)
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.Access.Link(t.Context(), "ada", "root", noon)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Access.ChoosePassword(t.Context(), old, "drei Esel auf dem Dach", noon)
	mustRefuse(t, "an older link", err)
	if _, err := s.Access.ChoosePassword(t.Context(), link, "drei Esel auf dem Dach", noon); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Access.Session(t.Context(), secret, noon); v != nil || err != nil {
		t.Errorf("a session outlives its password: %v, %v", v, err)
	}
	if again, err := s.Access.SignIn(t.Context(), "ada", password, origin, noon); again != "" || err != nil {
		t.Errorf("the old password is good: %v", err)
	}
	_, err = s.Access.Link(t.Context(), "eve", "root", noon)
	mustRefuse(t, "a link for nobody", err)
}

func TestTokensEnd(t *testing.T) {
	s := storetest.New(t)
	id, token, err := s.Access.CreateToken(t.Context(),
		access.Grant{Name: "grafana", Role: access.RoleViewer, Conditions: []string{speech}, By: "root", At: noon},
		90*24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	good := func(at time.Time) bool {
		t.Helper()
		v, err := s.Access.Token(t.Context(), token, at)
		if err != nil {
			t.Fatal(err)
		}
		return v != nil
	}
	if !good(noon) || !good(noon.Add(89*24*time.Hour)) || good(noon.Add(91*24*time.Hour)) {
		t.Error("a token of 90 days does not end after 90 days")
	}
	if v, err := s.Access.Token(t.Context(), token[:len(token)-1]+"_", noon); v != nil || err != nil {
		t.Errorf("another token is good: %v, %v", v, err)
	}
	list, err := s.Access.Tokens(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != id || list[0].Name != "grafana" || list[0].UsedAt == nil ||
		strings.Join(list[0].Conditions, "") != speech {
		t.Errorf("listed as %+v, %v", list, err)
	}
	if err := s.Access.RevokeToken(t.Context(), id, "root", noon); err != nil {
		t.Fatal(err)
	}
	if good(noon) {
		t.Error("a token that is revoked is good")
	}
	mustRefuse(t, "revoked twice", s.Access.RevokeToken(t.Context(), id, "root", noon))
	mustRefuse(t, "nobody's", s.Access.RevokeToken(t.Context(), ledger.NewID("token"), "root", noon))
	if n := cell(t, s, "select count(*)::text from tokens where encode(digest, 'escape') like '%glt_%' or name like "+
		"'%glt_%'"); n != "0" {
		t.Error("a token is kept as it was shown")
	}
}

func TestInvalidGrantsAreRefused(t *testing.T) {
	s := storetest.New(t)
	for what, g := range map[string]access.Grant{
		"no name":              {Role: access.RoleViewer},
		"a name with NUL":      {Name: "a\x00b", Role: access.RoleViewer},
		"a long name":          {Name: strings.Repeat("x", 201), Role: access.RoleViewer},
		"a role of nobody":     {Name: "x", Role: "root"},
		"a scope of ingest":    {Name: "x", Role: access.RoleIngest, Conditions: []string{speech}},
		"a scope of namespace": {Name: "x", Role: access.RoleViewer, Conditions: []string{"namespace = 'a'"}},
	} {
		g.By, g.At = "root", noon
		_, _, err := s.Access.CreateToken(t.Context(), g, 0)
		mustRefuse(t, what, err)
		_, err = s.Access.AddUser(t.Context(), g, password)
		mustRefuse(t, what, err)
	}
	if n := cell(t, s, "select (select count(*) from scopes) || ' ' || (select count(*) from audit_log)"); n != "0 0" {
		t.Errorf("what was refused left scopes and entries: %s", n)
	}
}

// A login has its latest scope, roles of others are left alone, and logins can read recreated views.
func TestLoginsReadTheirLatestScope(t *testing.T) {
	s := storetest.New(t)
	name := "gl_test_logins"
	sees := func(dsn string) string {
		t.Helper()
		conf := s.Pool.Config().ConnConfig.Copy()
		conf.User, conf.Password = name, dsn
		conn, err := pgx.ConnectConfig(t.Context(), conf)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
		var teams, compiles string
		const sql = "select coalesce(string_agg(distinct team, ' ' order by team), ''), current_setting('jit') from " +
			"bi_v1.runs"
		if err := conn.QueryRow(t.Context(), sql).Scan(&teams, &compiles); err != nil {
			t.Fatal(err)
		}
		if compiles != "off" {
			t.Error("the server compiles what a login asks")
		}
		return teams
	}
	for _, team := range []string{"speech", "vision"} {
		storetest.Run(t, s.Pool, "insert into owners (tenant_id, owner_id, team) values (1, md5($1)::uuid, $1)", team)
		storetest.Run(t, s.Pool, `insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status,
			  attempts, preemptions, world, owner_id)
			values (1, $1, 'c', '', '', 'Job', 'training', 'succeeded', 1, 0, 1, md5($1)::uuid)`, team)
	}
	login := func(conditions ...string) string {
		t.Helper()
		password, _, err := s.Access.Login(t.Context(), name, conditions, "root", noon)
		if err != nil {
			t.Fatal(err)
		}
		return password
	}
	// The views read under policies while a login has a scope, otherwise without.
	under := func(want bool) {
		t.Helper()
		const sql = "select (count(*) filter (where pg_get_userbyid(relowner) = '" + pg.Reader +
			"') = count(*))::text || ' ' || (count(*) filter (where pg_get_userbyid(relowner) = '" + pg.Reader +
			"') = 0)::text from pg_class where relkind = 'v' and relnamespace in ('bi_v1'::regnamespace, " +
			"'bi_base'::regnamespace)"
		if got := cell(t, s, sql); got != fmt.Sprint(want, " ", !want) {
			t.Errorf("all, none of the views are under policies: %s, want %v", got, want)
		}
	}
	under(false)
	if got := sees(login(speech)); got != "speech" {
		t.Errorf("a login with a scope sees %q", got)
	}
	under(true)
	all := login()
	under(false)
	if got := sees(all); got != "speech vision" {
		t.Errorf("a login without a scope sees %q", got)
	}
	list, err := s.Access.Logins(t.Context())
	if err != nil || len(list) != 1 || list[0].Name != name || !list[0].Everything {
		t.Errorf("listed as %+v, %v", list, err)
	}
	storetest.Run(t, s.Pool, "revoke all on all tables in schema bi_v1 from "+name) // as for recreated views
	// as for a login that an older version created
	storetest.Run(t, s.Pool, "alter role "+name+" reset jit")
	storetest.Run(t, s.Pool, "comment on table scopes is 'rights of an older program'")
	if err := s.InTx(t.Context(), "refresh", func(tx pgx.Tx) error {
		return storeaccess.RefreshRights(t.Context(), tx)
	}); err != nil {
		t.Fatal(err)
	}
	if got := sees(all); got != "speech vision" {
		t.Errorf("after a migration it sees %q", got)
	}
	if err := s.Access.CheckRights(t.Context()); err != nil {
		t.Error(err)
	}
	for _, taken := range []string{
		"postgres", "pg_read_all_data", "gpuledger_reader", "Gpuledger_Reader", "a b", "x\"; drop table runs; --", "",
	} {
		if taken == "postgres" { // the superuser may have another name here
			storetest.Run(t, s.Pool, "do $$ begin create role gl_test_taken; exception when duplicate_object then null; end $$")
			taken = "gl_test_taken"
		}
		_, _, err := s.Access.Login(t.Context(), taken, nil, "root", noon)
		mustRefuse(t, "login "+taken, err)
	}
	if _, err := s.Access.DropLogin(t.Context(), name, "root", noon); err != nil {
		t.Fatal(err)
	}
	_, err = s.Access.DropLogin(t.Context(), name, "root", noon)
	mustRefuse(t, "dropped twice", err)
	if n := cell(t, s, "select count(*)::text from pg_roles where rolname = '"+name+"'"); n != "0" {
		t.Error("the role is still there")
	}
}

// Parallel guesses cannot exceed the bound for a name and an address, and another address can still sign in.
func TestGuessesAtOnceAreCounted(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	var wg sync.WaitGroup
	var tried, slowed atomic.Int32
	for range 20 {
		wg.Go(func() {
			_, err := s.Access.SignIn(t.Context(), "ada", "drei Esel auf dem Dach", origin, noon)
			if _, slow := errors.AsType[*access.SlowDownError](err); slow {
				slowed.Add(1)
			} else if err == nil {
				tried.Add(1)
			}
		})
	}
	wg.Wait()
	if tried.Load() != 5 || slowed.Load() != 15 {
		t.Errorf("%d of 20 guesses are tried, %d slowed down", tried.Load(), slowed.Load())
	}
	begun(t, s, "ada", access.Origin{Address: "192.0.2.8"}, noon)
	if _, err := s.Access.SignIn(t.Context(), "ada", password, origin, noon.Add(16*time.Minute)); err != nil {
		t.Errorf("after a while: %v", err)
	}
	for range 10 { // correct passwords are not bounded
		begun(t, s, "ada", access.Origin{Address: "192.0.2.9"}, noon)
	}
}

// A plain login that owns the database and may create roles has all rights that access control needs. Without
// createrole the error says what to do.
func TestAPlainOwnerIsEnough(t *testing.T) {
	s := storetest.New(t)
	owned := func(owner, right string) *store.Store {
		t.Helper()
		storetest.Run(t, s.Pool, "create role "+owner+" login "+right+" password 'x'")
		storetest.Run(t, s.Pool, "create database "+owner+" owner "+owner)
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
	own := owned("gl_test_owner", "createrole")
	if err := own.Access.CheckRights(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, scope := range [][]string{{speech}, nil, {speech}} {
		if _, _, err := own.Access.Login(t.Context(), "gl_test_plain", scope, "root", noon); err != nil {
			t.Errorf("a login with scope %q: %v", scope, err)
		}
	}
	if n := cell(t, own, "select count(*)::text from scopes"); n != "1" {
		t.Errorf("%s scopes are kept of one login", n)
	}
	if _, err := own.Access.DropLogin(t.Context(), "gl_test_plain", "root", noon); err != nil {
		t.Error(err)
	}
	v := access.Viewer{Role: access.RoleTeamLead, Scope: "00000000-0000-0000-0000-000000000009"}
	if err := own.Read(access.As(t.Context(), &v), "read in part", func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "select from postings")
		return err
	}); err != nil {
		t.Error(err)
	}
	poor := owned("gl_test_poor", "nocreaterole")
	mustRefuse(t, "without the right to make roles", poor.Access.CheckRights(t.Context()))
	storetest.Run(t, s.Pool, "grant gpuledger_reader to gl_test_poor")
	if err := poor.InTx(t.Context(), "refresh", func(tx pgx.Tx) error {
		return storeaccess.RefreshRights(t.Context(), tx)
	}); err != nil {
		t.Fatal(err)
	}
	if err := poor.Access.CheckRights(t.Context()); err != nil {
		t.Errorf("with a role that an administrator made: %v", err)
	}
}
