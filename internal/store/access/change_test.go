package access_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// set changes a user. An empty role and no scope leave them unchanged; scope "" removes the scope.
func set(t *testing.T, s *store.Store, name string, role access.Role, scope ...string) error {
	t.Helper()
	c := access.Change{Name: name, Role: role, By: "root", At: noon}
	if len(scope) == 1 && scope[0] == "" {
		c.Conditions = new([]string)
	} else if len(scope) > 0 {
		c.Conditions = &scope
	}
	_, err := s.Access.SetUser(t.Context(), c)
	return err
}

// A changed role or scope is logged with its old state, recomputes the members of the scope, and ends sessions. A
// change that changes nothing has no effect.
func TestChangingAUserEndsTheirSessions(t *testing.T) {
	s := storetest.New(t)
	storetest.Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team) select 1, md5(team)::uuid, team
		from unnest('{speech,vision}'::text[]) team`)
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "pia", access.RoleTeamLead, speech)
	secret := begun(t, s, "pia", origin, noon)
	watching := begun(t, s, "ada", origin, noon)
	if err := s.Access.SeeAs(t.Context(), watching, "pia", noon); err != nil {
		t.Fatal(err)
	}
	if err := set(t, s, "pia", access.RoleTeamLead, speech); err != nil || viewer(t, s, secret) == nil {
		t.Errorf("what she has already: %v, and her session has ended", err)
	}
	if err := set(t, s, "pia", "", "team = 'vision'"); err != nil {
		t.Fatal(err)
	}
	if viewer(t, s, secret) != nil {
		t.Error("a session outlives the scope that it was begun with")
	}
	v := viewer(t, s, begun(t, s, "pia", origin, noon))
	if got := teams(t, s, v); got != "vision" || v.Role != access.RoleTeamLead {
		t.Errorf("she sees %q as %s", got, v.Role)
	}
	if as := viewer(t, s, watching); as.Name != "pia" || as.Scope != v.Scope {
		t.Errorf("an admin who sees as her sees as %+v, want %+v", as, v)
	}
	if err := set(t, s, "pia", access.RoleAnalyst); err != nil {
		t.Fatal(err)
	}
	if v := viewer(t, s, begun(t, s, "pia", origin, noon)); v.Role != access.RoleAnalyst || teams(t, s, v) != "vision" {
		t.Errorf("with another role she is %+v", v)
	}
	if err := set(t, s, "pia", "", ""); err != nil {
		t.Fatal(err)
	}
	if v := viewer(t, s, begun(t, s, "pia", origin, noon)); v.Bounded() {
		t.Errorf("without a scope she is %+v", v)
	}
	if n := cell(t, s, "select count(*)::text from scopes"); n != "0" {
		t.Errorf("%s scopes are left of her", n)
	}
	const said = `{"to": {"role": "team_lead", "scope": ["team = 'vision'"]}, "from": {"role": "team_lead", "scope": ["team = 'speech'"]}}`
	if got := cell(t, s, "select string_agg(actor || ' ' || detail::jsonb, ';' order by number) from audit_log where "+
		"action = 'user changed' and subject = 'pia' and number <= (select min(number) from audit_log where action = "+
		"'user changed')"); got != "root "+said {
		t.Errorf("the audit log says %s", got)
	}
	if got := cell(t, s, "select count(*)::text from audit_log where action = 'user changed'"); got != "3" {
		t.Errorf("%s changes are kept, want 3", got)
	}
}

// Changes of provider users, of disabled users and of the last full admin are refused.
func TestChangesThatAreRefused(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "bob", access.RoleAdmin, speech)
	member(t, s, "gone", access.RoleViewer)
	signedIn(t, s, carla, access.RoleAdmin)
	if err := s.Access.DisableUser(t.Context(), "gone", "root", noon); err != nil {
		t.Fatal(err)
	}
	before := cell(t, s, "select count(*)::text from audit_log")
	for what, err := range map[string]error{
		"nobody":                        set(t, s, "eve", access.RoleViewer),
		"who is disabled":               set(t, s, "gone", access.RoleAuditor),
		"somebody of a provider":        set(t, s, "carla", access.RoleViewer),
		"a role of nobody":              set(t, s, "bob", "root"),
		"a role of programs":            set(t, s, "bob", access.RoleIngest, ""),
		"a condition that is none":      set(t, s, "bob", "", "namespace = 'a'"),
		"the last admin, another role":  set(t, s, "ada", access.RoleAnalyst),
		"the last admin, another scope": set(t, s, "ada", "", speech),
		"disabling the last admin":      s.Access.DisableUser(t.Context(), "ada", "root", noon),
		"disabling twice":               s.Access.DisableUser(t.Context(), "gone", "root", noon),
	} {
		mustRefuse(t, what, err)
	}
	if after := cell(t, s, "select count(*)::text from audit_log"); after != before {
		t.Errorf("what is refused is kept as done: %s entries, %s before", after, before)
	}
	if err := set(t, s, "bob", "", ""); err != nil {
		t.Fatal(err)
	}
	if err := set(t, s, "ada", access.RoleAnalyst); err != nil {
		t.Errorf("with another admin: %v", err)
	}
	mustRefuse(t, "the last one now", set(t, s, "bob", access.RoleViewer))
}

// Two admins who remove each other's rights at once leave one admin.
func TestOneAdminStays(t *testing.T) {
	s := storetest.New(t)
	names := []string{"ada", "bob", "cyd", "dan"}
	for _, name := range names {
		member(t, s, name, access.RoleAdmin)
	}
	var wg sync.WaitGroup
	var refused atomic.Int32
	for i, name := range names {
		wg.Go(func() {
			change := func() error { return s.Access.DisableUser(t.Context(), name, "root", noon) }
			if i%2 == 0 {
				change = func() error {
					_, err := s.Access.SetUser(t.Context(), access.Change{Name: name, Role: access.RoleAuditor, By: "root", At: noon})
					return err
				}
			}
			if _, is := errors.AsType[*access.RefusedError](change()); is {
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	if left := cell(t, s, "select count(*)::text from users where role = 'admin' and disabled_at is null"); left != "1" ||
		refused.Load() != 1 {
		t.Errorf("%s admins are left, %d changes are refused", left, refused.Load())
	}
}

// Signing a user out ends all their sessions and nothing else.
func TestAUserIsSignedOut(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "otto", access.RoleAuditor)
	own := begun(t, s, "ada", origin, noon)
	one, two := begun(t, s, "otto", origin, noon), begun(t, s, "otto", access.Origin{Address: "192.0.2.9"}, noon)
	for range 2 { // the second time there is nothing to end or to log
		if err := s.Access.SignOutUser(t.Context(), "otto", "ada", noon); err != nil {
			t.Fatal(err)
		}
	}
	if viewer(t, s, one) != nil || viewer(t, s, two) != nil || viewer(t, s, own) == nil {
		t.Error("a session of his lives on, or one of another has ended")
	}
	if got := logged(t, s); got != "ada sessions ended otto" {
		t.Errorf("the audit log says %q", got)
	}
	begun(t, s, "otto", origin, noon)
	mustRefuse(t, "nobody", s.Access.SignOutUser(t.Context(), "eve", "ada", noon))
}
