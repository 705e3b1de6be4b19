package access_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// named is the identity of a user whom a proxy names.
func named(name string) access.Identity {
	return access.Identity{Issuer: access.ProxyIssuer, Subject: name, Name: name}
}

// asked is the viewer of a proxied request.
func asked(
	t *testing.T, s *store.Store, name, secret string, at time.Time, role access.Role, scope ...string,
) *access.Viewer {
	t.Helper()
	v, err := s.Access.Proxied(t.Context(), named(name), role, scope, secret, origin, at)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// entries are the audit log as "actor action subject".
func entries(t *testing.T, s *store.Store) string {
	t.Helper()
	var list []string
	for _, e := range audited(t, s) {
		list = append(list, e.actor+" "+e.action+" "+e.subject)
	}
	return strings.Join(list, "; ")
}

// TestAProxyAddsAndRegrantsUsers: a new identity becomes a user, groups apply from the next request, and the log has
// one sign-in.
func TestAProxyAddsAndRegrantsUsers(t *testing.T) {
	s := storetest.New(t)
	v := asked(t, s, "carla", "", noon, access.RoleTeamLead, speech)
	if v.Kind != access.ByProxy || v.Name != "carla" || v.Role != access.RoleTeamLead || !v.Bounded() || v.By != "" {
		t.Errorf("she is %+v", v)
	}
	again := asked(t, s, "carla", "", noon.Add(time.Second), access.RoleTeamLead, speech)
	if again.ID != v.ID || again.Scope != v.Scope {
		t.Errorf("then she is %+v", again)
	}
	if v := asked(t, s, "carla", "", noon.Add(2*time.Second), access.RoleAnalyst); v.Role != access.RoleAnalyst ||
		v.Bounded() {
		t.Errorf("with other groups she is %+v", v)
	}
	asked(t, s, "carla", "", noon.Add(access.SessionIdle-time.Minute), access.RoleAnalyst)
	asked(t, s, "carla", "", noon.Add(3*access.SessionIdle), access.RoleAnalyst)
	const want = "proxy user added carla; carla signed in carla; proxy user changed carla; carla signed in carla"
	if got := entries(t, s); got != want {
		t.Errorf("the log says %q, want %q", got, want)
	}
	if err := s.Access.SignOutUser(t.Context(), "carla", "ada", noon); !refused(err, "no session here") {
		t.Errorf("she is signed out, and the proxy brings her back: %v", err)
	}
	if _, err := s.Access.Proxied(t.Context(), named("eve"), access.RoleIngest, nil, "", origin,
		noon); !refused(err, "ingest") {
		t.Errorf("ingest: %v", err)
	}
	if err := s.Access.DisableUser(t.Context(), "carla", "test", noon.Add(7*time.Hour)); err != nil {
		t.Fatal(err)
	}
	before := entries(t, s)
	for range 3 {
		if _, err := s.Access.Proxied(t.Context(), named("carla"), access.RoleAdmin, nil, "", origin,
			noon.Add(7*time.Hour)); !refused(err, "disabled") {
			t.Errorf("who is disabled: %v", err)
		}
	}
	if got := entries(t, s); got != before { // the gate logs it, but not for each request
		t.Errorf("the log says %q", got)
	}
}

// TestAProxyTakesNobodyOver: a proxied user is not mistaken for a user of the same name.
func TestAProxyTakesNobodyOver(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "carla", access.RoleAdmin)
	signedIn(t, s, access.Identity{Issuer: carla.Issuer, Subject: "berta", Name: "berta"}, access.RoleViewer)
	for name, want := range map[string]string{
		"carla": "carla (proxy)", "berta": "berta (proxy)", "gpuledger": "gpuledger (proxy)",
	} {
		if v := asked(t, s, name, "", noon, access.RoleViewer); v.Name != want || v.Role != access.RoleViewer {
			t.Errorf("%s is %+v", name, v)
		}
	}
	if got := cell(t, s, `select role from users where name = 'carla'`); got != "admin" {
		t.Errorf("carla is %s now", got)
	}
}

// TestARequestByAProxyWritesNothing except use, to the minute.
func TestARequestByAProxyWritesNothing(t *testing.T) {
	s := storetest.New(t)
	asked(t, s, "carla", "", noon, access.RoleViewer)
	row := func() string {
		return cell(t, s, `select xmin::text || ' ' || extract(epoch from seen_at)::bigint from users where name = 'carla'`)
	}
	first := row()
	for i := range 59 {
		asked(t, s, "carla", "", noon.Add(time.Duration(i+1)*time.Second), access.RoleViewer)
	}
	if row() != first {
		t.Error("a request writes")
	}
	asked(t, s, "carla", "", noon.Add(2*time.Minute), access.RoleViewer)
	if row() == first {
		t.Error("use is not noted")
	}
}

func TestRequestsAtOnceAreOneUser(t *testing.T) {
	s := storetest.New(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.Access.Proxied(t.Context(), named("carla"), access.RoleTeamLead, []string{speech}, "", origin,
				noon); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := entries(t, s); got != "proxy user added carla; carla signed in carla" {
		t.Errorf("the log says %q", got)
	}
}

// TestAProxiedAdminSeesAsAnotherUser in a session that is valid only with the proxy's headers for that admin.
func TestAProxiedAdminSeesAsAnotherUser(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "pia", access.RoleTeamLead, speech)
	ada := asked(t, s, "ada", "", noon, access.RoleAdmin)
	secret, err := s.Access.SeeAsBeside(t.Context(), ada, "pia", origin, noon)
	if err != nil {
		t.Fatal(err)
	}
	at := noon.Add(2 * time.Minute)
	v := asked(t, s, "ada", secret, at, access.RoleAdmin)
	if v.Name != "pia" || v.By != "ada" || !v.Bounded() || v.Kind != access.ByProxy {
		t.Errorf("she sees as %+v", v)
	}
	if _, err := s.Access.SeeAsBeside(t.Context(), v, "pia", origin, at); !refused(err, "not yet seeing as another") {
		t.Errorf("who sees as another begins again: %v", err)
	}
	if v := viewer(t, s, secret); v != nil {
		t.Errorf("without the proxy the session is of %+v", v)
	}
	for _, other := range []string{"eve", "pia"} {
		if v := asked(t, s, other, secret, at, access.RoleAdmin); v.By != "" || v.Scope != "" {
			t.Errorf("with it %s sees as %+v", other, v)
		}
	}
	if v := asked(t, s, "ada", secret, at.Add(access.SessionIdle), access.RoleAdmin); v.Name != "ada" || v.By != "" {
		t.Errorf("without use it goes on: %+v", v)
	}
	if err := s.Access.StopSeeing(t.Context(), secret, at); err != nil {
		t.Fatal(err)
	}
	if v := asked(t, s, "ada", secret, at, access.RoleAdmin); v.Name != "ada" || v.By != "" {
		t.Errorf("afterwards she is %+v", v)
	}
	otto := asked(t, s, "otto", "", noon, access.RoleAuditor)
	_, err = s.Access.SeeAsBeside(t.Context(), otto, "pia", origin, noon)
	mustRefuse(t, "an auditor", err)
	_, err = s.Access.SeeAsBeside(t.Context(), ada, "ada", origin, noon)
	mustRefuse(t, "herself", err)
}
