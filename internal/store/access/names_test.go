package access_test

import (
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/test/storetest"
)

// Users are stored in one spelling and can sign in with any. A name that looks like another user's is refused. Users
// from older versions keep their names.
func TestNamesThatAreAlikeAreRefused(t *testing.T) {
	s := storetest.New(t)
	add := func(name string) error {
		_, err := s.Access.AddUser(t.Context(), access.Grant{Name: name, Role: access.RoleAnalyst, By: "root", At: noon},
			password)
		return err
	}
	if err := add(" Ｏtto "); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"otto", "OTTO", "ｏｔｔｏ", "оттo", "ott\u200bo", "gpuledger", "GPUledger"} {
		mustRefuse(t, name, add(name))
	}
	signsIn := func(name string) bool {
		t.Helper()
		secret, err := s.Access.SignIn(t.Context(), name, password, access.Origin{Address: "192.0.2.1"}, noon)
		if err != nil {
			t.Fatal(err)
		}
		return secret != ""
	}
	for _, name := range []string{"otto", "Otto", "ＯＴＴＯ "} {
		if !signsIn(name) {
			t.Errorf("%q does not sign in", name)
		}
	}
	if who := cell(t, s, "select string_agg(distinct actor, ' ') from audit_log "+
		"where action = 'signed in'"); who != "otto" {
		t.Errorf("the audit log names %s", who)
	}
	// Users from an older version: one with a capital, next to one that looks the same.
	storetest.Run(t, s.Pool, "insert into users (tenant_id, user_id, name, role, password, created_at) "+
		"select 1, md5($1)::uuid, $1, role, password, created_at from users where name = 'otto'", "Otto")
	if !signsIn("Otto") || !signsIn("otto") {
		t.Error("users of before do not sign in")
	}
	if err := s.Access.DisableUser(t.Context(), "Otto", "root", noon); err != nil {
		t.Fatal(err)
	}
	if disabled := cell(t, s,
		"select string_agg(name, ' ') from users where disabled_at is not null"); disabled != "Otto" {
		t.Errorf("%s is disabled", disabled)
	}
}

func TestOtherSpellingsOfANameGiveNoMoreTries(t *testing.T) {
	s := storetest.New(t)
	for _, name := range []string{"otto", "Otto", "oTTo", "ＯＴＴＯ", " otto"} {
		if _, err := s.Access.SignIn(t.Context(), name, "wrong", access.Origin{Address: "192.0.2.1"}, noon); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Access.SignIn(t.Context(), "OTTO", "wrong", access.Origin{Address: "192.0.2.1"}, noon); err == nil {
		t.Error("a sixth try is answered")
	}
}

// Tokens may share a name, for rotation, but not have names that only look the same.
func TestTokenNamesMayRepeatButNotLookAlike(t *testing.T) {
	s := storetest.New(t)
	make := func(name string) error {
		_, _, err := s.Access.CreateToken(t.Context(),
			access.Grant{Name: name, Role: access.RoleIngest, By: "root", At: noon}, time.Hour)
		return err
	}
	for _, name := range []string{"CI nodes", " CI  nodes", "agents"} {
		if err := make(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"ci nodes", "CI\u00a0nodеs", "agentѕ", "a\u202eb"} {
		mustRefuse(t, name, make(name))
	}
	if n := cell(t, s, "select string_agg(distinct name, ',' order by name) from tokens"); n != "CI nodes,agents" {
		t.Errorf("tokens are called %s", n)
	}
}

// A provider user is let in and never mistaken for a user with a similar name.
func TestProviderUsersMayHaveSimilarNames(t *testing.T) {
	s := storetest.New(t)
	if _, err := s.Access.AddUser(t.Context(), access.Grant{Name: "carla", Role: access.RoleAdmin, By: "root", At: noon},
		password); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"Carla", "Carla (login.example)"}, {"cаrla", "cаrla (login.example 2)"}, {"Ｄora", "Dora"},
	} {
		who := access.Identity{Issuer: "https://login.example", Subject: c[0], Name: c[0]}
		if v, _ := signedIn(t, s, who, access.RoleViewer, speech); v.Name != c[1] {
			t.Errorf("%q is called %q, want %q", c[0], v.Name, c[1])
		}
	}
}
