package access_test

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/test/storetest"
)

// TestAProviderSignOutEndsSessions ends the provider session it names, or all sessions of the user, and no other
// user's.
func TestAProviderSignOutEndsSessions(t *testing.T) {
	s := storetest.New(t)
	in := func(subject, session string) string {
		t.Helper()
		secret, err := s.Access.SignInBy(t.Context(),
			access.Identity{Issuer: carla.Issuer, Subject: subject, Name: subject, Session: session},
			access.RoleViewer, nil, origin, noon)
		if err != nil {
			t.Fatal(err)
		}
		return secret
	}
	member(t, s, "berta", access.RoleAdmin)
	all := map[string]string{"a1": in("anna", "s-1"), "a2": in("anna", "s-2"), "a?": in("anna", ""),
		"e1": in("emil", "s-3"), "e?": in("emil", ""), "o1": in("otto", "s-1"),
		"local": begun(t, s, "berta", origin, noon)}
	alive := func() string {
		var list []string
		for _, name := range []string{"a1", "a2", "a?", "e1", "e?", "o1", "local"} {
			if viewer(t, s, all[name]) != nil {
				list = append(list, name)
			}
		}
		return strings.Join(list, " ")
	}
	tell := func(id, issuer, subject, session string) error {
		return s.Access.Logout(t.Context(),
			access.Logout{Issuer: issuer, Subject: subject, Session: session, ID: id, Until: noon.Add(time.Minute)}, noon)
	}
	for _, c := range []struct{ id, issuer, subject, session, left string }{
		{"1", carla.Issuer, "nobody", "", "a1 a2 a? e1 e? o1 local"},
		{"2", "https://another.example", "anna", "", "a1 a2 a? e1 e? o1 local"},
		{"3", carla.Issuer, "anna", "s-3", "a1 a2 e1 e? o1 local"}, // a? may be that session
		{"4", carla.Issuer, "anna", "s-1", "a2 e1 e? o1 local"},
		{"5", carla.Issuer, "", "s-1", "a2 e1 e? local"},
		{"6", carla.Issuer, "", "s-9", "a2 e1 e? local"},
		{"7", carla.Issuer, "emil", "", "a2 local"},
	} {
		if err := tell(c.id, c.issuer, c.subject, c.session); err != nil || alive() != c.left {
			t.Errorf("%+v leaves %q: %v", c, alive(), err)
		}
	}
	if err := tell("7", carla.Issuer, "anna", ""); !refused(err, "used before") || alive() != "a2 local" {
		t.Errorf("a token counts twice: %v", err)
	}
	if err := tell("8", carla.Issuer, "", ""); !refused(err, "names neither a user nor a session") {
		t.Errorf("a token of nobody: %v", err)
	}
	const want = "https://login.example/realms/main sessions ended anna; https://login.example/realms/main sessions " +
		"ended anna; " +
		"https://login.example/realms/main sessions ended otto; https://login.example/realms/main sessions ended emil"
	if got := logged(t, s); got != want {
		t.Errorf("the log says %q", got)
	}
	// Expired tokens are forgotten.
	if err := s.Access.Logout(t.Context(),
		access.Logout{Issuer: carla.Issuer, Subject: "x", ID: "9", Until: noon.Add(time.Hour)},
		noon.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if n := cell(t, s, "select count(*)::text from logout_tokens"); n != "1" {
		t.Errorf("%s tokens are kept", n)
	}
}
