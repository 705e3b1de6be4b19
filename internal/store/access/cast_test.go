package access_test

import (
	"testing"

	"gpuledger/internal/access"
	"gpuledger/test/storetest"
)

// Demo users are created once. The demo signs them in until they choose a password, and their sessions are valid only
// on a server that serves the demo.
func TestDemoUsersSignInOnlyOnADemo(t *testing.T) {
	s := storetest.New(t)
	cast := []access.Grant{
		{Name: "admin", Role: access.RoleAdmin, By: "demo", At: noon},
		{Name: "lead", Role: access.RoleTeamLead, Conditions: []string{speech}, By: "demo", At: noon},
	}
	member(t, s, "lead", access.RoleViewer, "team = 'vision'")
	for range 2 {
		if err := s.Access.AddCast(t.Context(), cast); err != nil {
			t.Fatal(err)
		}
	}
	const all = "select string_agg(name || ' ' || role, ', ' order by name) || ' ' || (select count(*) from scopes) " +
		"|| ' ' || (select count(*) from user_links) from users"
	if got := cell(t, s, all); got != "admin admin, lead viewer 1 0" {
		t.Errorf("there are %q: who was there is another, or a link is left", got)
	}
	_, err := s.Access.SignInCast(t.Context(), "lead", origin, noon)
	mustRefuse(t, "who has a password", err)
	_, err = s.Access.SignInCast(t.Context(), "nobody", origin, noon)
	mustRefuse(t, "nobody", err)
	secret, err := s.Access.SignInCast(t.Context(), "admin", origin, noon)
	if err != nil {
		t.Fatal(err)
	}
	if v := viewer(t, s, secret); v != nil {
		t.Errorf("where no demo serves, a session of it is of %+v", v)
	}
	shown, err := s.Beside(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer shown.Close()
	shown.Access.AdmitCast()
	if v := viewer(t, shown, secret); v == nil || v.Name != "admin" || v.Role != access.RoleAdmin {
		t.Errorf("where the demo serves, it is of %+v", v)
	}
	begun(t, s, "lead", origin, noon)

	// The first start of a server with access control still invites the admin.
	storetest.Run(t, s.Pool, "delete from users where name = 'lead'") // has a password
	link, err := s.Access.Setup(t.Context(), noon)
	if err != nil || link == "" {
		t.Fatal(link, err)
	}
	if _, err := s.Access.ChoosePassword(t.Context(), link, password, noon); err != nil {
		t.Fatal(err)
	}
	if v := viewer(t, shown, secret); v != nil {
		t.Errorf("a session of the demo outlives the password: %+v", v)
	}
	_, err = s.Access.SignInCast(t.Context(), "admin", origin, noon)
	mustRefuse(t, "the admin who chose a password", err)
}
