package access_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

const password = "vier Pferde im Regen"

// member adds a user with a password.
func member(t *testing.T, s *store.Store, name string, role access.Role, scope ...string) {
	t.Helper()
	g := access.Grant{Name: name, Role: role, Conditions: scope, By: "root", At: noon}
	if _, err := s.Access.AddUser(t.Context(), g, password); err != nil {
		t.Fatal(name, err)
	}
}

// begun signs a user in.
func begun(t *testing.T, s *store.Store, name string, from access.Origin, at time.Time) string {
	t.Helper()
	secret, err := s.Access.SignIn(t.Context(), name, password, from, at)
	if err != nil || secret == "" {
		t.Fatal(name, err)
	}
	return secret
}

// logged lists the audit log since an entry: "actor action subject".
func logged(t *testing.T, s *store.Store) string {
	t.Helper()
	return cell(t, s, `select coalesce(string_agg(actor || ' ' || action || ' ' || subject, '; ' order by number), '')
		from audit_log where action not in ('user added', 'signed in')`)
}

func mustRefuse(t *testing.T, what string, err error) {
	t.Helper()
	if _, is := errors.AsType[*access.RefusedError](err); !is {
		t.Errorf("%s: %v, want a refusal", what, err)
	}
}

func TestAnAdminSeesAsAnotherUser(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "otto", access.RoleAuditor)
	member(t, s, "pia", access.RoleTeamLead, speech)
	secret, auditors := begun(t, s, "ada", origin, noon), begun(t, s, "otto", origin, noon)
	at := noon.Add(time.Minute)
	mustRefuse(t, "an auditor", s.Access.SeeAs(t.Context(), auditors, "pia", at))
	mustRefuse(t, "himself", s.Access.SeeAs(t.Context(), secret, "ada", at))
	mustRefuse(t, "nobody", s.Access.SeeAs(t.Context(), secret, "eve", at))
	if err := s.Access.SeeAs(t.Context(), secret, "pia", at); err != nil {
		t.Fatal(err)
	}
	v := viewer(t, s, secret)
	if v.Name != "pia" || v.By != "ada" || v.Role != access.RoleTeamLead || !v.Bounded() || v.Actor() != "ada" {
		t.Errorf("seen as pia: %+v", v)
	}
	if list, err := s.Access.Conditions(t.Context(), v); err != nil || len(list) != 1 || list[0] != speech {
		t.Errorf("her scope is %q, %v", list, err)
	}
	if err := s.Access.Denied(t.Context(), v, "POST /people", "192.0.2.7", at); err != nil {
		t.Fatal(err)
	}
	if err := s.Access.Saw(t.Context(), v, "/statement?period=2026-10", "192.0.2.7", at); err != nil {
		t.Fatal(err)
	}
	// Seeing as another user ends the view as the first.
	if err := s.Access.SeeAs(t.Context(), secret, "otto", at); err != nil {
		t.Fatal(err)
	}
	if err := s.Access.StopSeeing(t.Context(), secret, at); err != nil {
		t.Fatal(err)
	}
	if err := s.Access.StopSeeing(t.Context(), secret, at); err != nil { // nothing to stop
		t.Fatal(err)
	}
	if v := viewer(t, s, secret); v.Name != "ada" || v.By != "" || v.Bounded() {
		t.Errorf("afterwards: %+v", v)
	}
	const want = "ada seeing as began pia; ada refused POST /people; ada statement read /statement?period=2026-10; " +
		"ada seeing as ended pia; " +
		"ada seeing as began otto; ada seeing as ended otto"
	if got := logged(t, s); got != want {
		t.Errorf("the log says %q, want %q", got, want)
	}
}

// A view as another user ends with the session and when that user is disabled. An admin who loses the role sees as
// their own user again.
func TestSeeingAsEnds(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "bob", access.RoleAdmin)
	member(t, s, "pia", access.RoleViewer)
	first, second := begun(t, s, "ada", origin, noon), begun(t, s, "bob", origin, noon)
	for _, secret := range []string{first, second} {
		if err := s.Access.SeeAs(t.Context(), secret, "pia", noon); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Access.SignOut(t.Context(), first, noon); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, `update users set role = 'analyst' where name = 'bob'`)
	if v := viewer(t, s, second); v.Name != "bob" || v.By != "" || v.Role != access.RoleAnalyst {
		t.Errorf("who is no admin any more sees as %+v", v)
	}
	storetest.Run(t, s.Pool, `update users set role = 'admin' where name = 'bob'`)
	if err := s.Access.DisableUser(t.Context(), "pia", "bob", noon); err != nil {
		t.Fatal(err)
	}
	if v := viewer(t, s, second); v.Name != "bob" {
		t.Errorf("who is disabled is seen as: %+v", v)
	}
	const want = "ada seeing as began pia; bob seeing as began pia; ada seeing as ended pia; ada signed out ada; " +
		"bob seeing as ended pia; bob user disabled pia"
	if got := logged(t, s); got != want {
		t.Errorf("the log says %q, want %q", got, want)
	}
}

func TestUsersListAndEndOnlyTheirSessions(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "pia", access.RoleViewer)
	const odd = "<script>a\nbrowser"
	hers := begun(t, s, "pia", origin, noon)
	here := begun(t, s, "ada", access.Origin{Address: "192.0.2.1", Agent: odd}, noon)
	begun(t, s, "ada", access.Origin{Address: "192.0.2.2"}, noon.Add(time.Minute))
	begun(t, s, "ada", access.Origin{Address: "192.0.2.3"}, noon.Add(2*time.Minute))
	at := noon.Add(3 * time.Minute)
	list := func(secret string, at time.Time) (all []access.Session) {
		t.Helper()
		all, err := s.Access.Sessions(t.Context(), secret, at)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	mine := list(here, at)
	if len(mine) != 3 || !mine[0].This || mine[0].Origin.Agent != odd || mine[1].Origin.Address != "192.0.2.3" ||
		mine[1].This {
		t.Fatalf("sessions: %+v", mine)
	}
	if got := list("none", at); len(got) != 0 {
		t.Errorf("nobody's: %+v", got)
	}
	if got := list(here, noon.Add(access.SessionIdle)); len(got) != 2 { // this one has not been used since
		t.Errorf("sessions that are not used stay: %+v", got)
	}
	// Other users' sessions are out of reach.
	mustRefuse(t, "hers", s.Access.EndSession(t.Context(), here, list(hers, at)[0].ID, at))
	mustRefuse(t, "none", s.Access.EndSession(t.Context(), here, ledger.NewID("none"), at))
	if err := s.Access.EndSession(t.Context(), here, mine[1].ID, at); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, "one that has ended", s.Access.EndSession(t.Context(), here, mine[1].ID, at))
	if err := s.Access.EndOtherSessions(t.Context(), here, at); err != nil {
		t.Fatal(err)
	}
	if got := list(here, at); len(got) != 1 || !got[0].This || len(list(hers, at)) != 1 {
		t.Errorf("left: %+v", got)
	}
	if got, want := logged(t, s), "ada sessions ended ada; ada sessions ended ada"; got != want {
		t.Errorf("the log says %q, want %q", got, want)
	}
	// The time a user was last seen stays when their sessions have ended.
	if err := s.Access.SignOut(t.Context(), hers, at); err != nil {
		t.Fatal(err)
	}
	users, err := s.Access.Users(t.Context())
	if err != nil || len(users) != 2 || users[1].SeenAt == nil || !users[1].SeenAt.Equal(noon) {
		t.Errorf("users: %+v, %v", users, err)
	}
}

// The audit log needs its own right, whatever the viewer's scope. Names in it are one line.
func TestTheAuditLogNeedsItsRight(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "<script>alert(1)</script>", access.RoleViewer)
	for _, name := range []string{"two\nlines", "a\ttab", "", strings.Repeat("x", 201)} {
		_, err := s.Access.AddUser(t.Context(), access.Grant{Name: name, Role: access.RoleViewer, At: noon}, password)
		mustRefuse(t, name, err)
	}
	if secret, err := s.Access.SignIn(t.Context(), "no\nbody", password, origin, noon); secret != "" || err != nil {
		t.Fatal(secret, err)
	}
	q, err := metrics.Parse("audit", metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range access.Roles() {
		rows, err := s.Query(access.As(t.Context(), &access.Viewer{Role: role}), q)
		_, denied := errors.AsType[*access.RightError](err)
		if denied == role.May(access.Audit) || !denied && err != nil {
			t.Errorf("%s reads the audit log: %v", role, err)
		}
		if err == nil {
			rows.Close()
		}
	}
	if got := cell(t, s, `select subject from audit_log where action = 'sign-in failed'`); got != "no\uFFFDbody" {
		t.Errorf("what was typed is not kept on one line: %q", got)
	}
}
