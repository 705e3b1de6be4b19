package access_test

import (
	"errors"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/test/storetest"
)

const another = "drei Esel auf dem Dach"

// A user who knows the old password can choose another: all sessions and links end and one session begins. Wrong
// guesses count as failed sign-ins.
func TestChangingAPasswordEndsSessionsAndLinks(t *testing.T) {
	s := storetest.New(t)
	member(t, s, "ada", access.RoleAdmin)
	secret, other := begun(t, s, "ada", origin, noon), begun(t, s, "ada", access.Origin{Address: "192.0.2.9"}, noon)
	link, err := s.Access.Link(t.Context(), "ada", "root", noon)
	if err != nil {
		t.Fatal(err)
	}
	change := func(secret, old, chosen string) (string, error) {
		t.Helper()
		return s.Access.ChangePassword(t.Context(), secret, old, chosen, origin, noon)
	}
	for what, c := range map[string][3]string{
		"a wrong old one":         {secret, another, "fünf Boote hinter dem Wald"},
		"one that is tried first": {secret, password, "passwordpassword"},
		"the same":                {secret, password, password}, "a session of nobody": {"x", password, another},
	} {
		_, err := change(c[0], c[1], c[2])
		mustRefuse(t, what, err)
	}
	if has, err := s.Access.HasPassword(t.Context(), secret); !has || err != nil {
		t.Errorf("she has a password: %v, %v", has, err)
	}
	fresh, err := change(secret, password, another)
	if err != nil || fresh == "" || fresh == secret {
		t.Fatal(fresh, err)
	}
	if viewer(t, s, secret) != nil || viewer(t, s, other) != nil || viewer(t, s, fresh) == nil {
		t.Error("a session of before lives on, or the new one does not")
	}
	if name, err := s.Access.LinkOf(t.Context(), link, noon); name != "" || err != nil {
		t.Errorf("a link of before is good for %q, %v", name, err)
	}
	if again, err := s.Access.SignIn(t.Context(), "ada", password, access.Origin{Address: "192.0.2.9"},
		noon); again != "" || err != nil {
		t.Errorf("the old password is good: %v", err)
	}
	if again, err := s.Access.SignIn(t.Context(), "ada", another, origin, noon); again == "" || err != nil {
		t.Errorf("the new password is not: %v", err)
	}
	if got := logged(t, s); got != "root password link made ada; ada password change failed ada; ada password changed "+
		"ada; ada sign-in failed ada" {
		t.Errorf("the audit log says %q", got)
	}
	for range 5 {
		_, err = change(fresh, "wrong and long enough", password)
		mustRefuse(t, "a guess", err)
	}
	_, err = change(fresh, another, password)
	if _, slow := errors.AsType[*access.SlowDownError](err); !slow {
		t.Errorf("the right one after too many guesses: %v", err)
	}
	if _, err := s.Access.SignIn(t.Context(), "ada", another, origin, noon); err == nil {
		t.Error("guesses of the old password do not count as those of signing in")
	}
	if _, err := s.Access.ChangePassword(t.Context(), fresh, another, password, origin,
		noon.Add(16*time.Minute)); err != nil {
		t.Errorf("after a while: %v", err)
	}
}

// A user without a password here cannot choose one alone.
func TestAUserWithoutAPasswordChangesNone(t *testing.T) {
	s := storetest.New(t)
	_, provided := signedIn(t, s, carla, access.RoleAnalyst)
	if err := s.Access.AddCast(t.Context(), []access.Grant{
		{Name: "cfo", Role: access.RoleAnalyst, By: "demo", At: noon},
	}); err != nil {
		t.Fatal(err)
	}
	shown, err := s.Access.SignInCast(t.Context(), "cfo", origin, noon)
	if err != nil {
		t.Fatal(err)
	}
	for what, secret := range map[string]string{"somebody of a provider": provided, "somebody of a demo": shown} {
		_, err := s.Access.ChangePassword(t.Context(), secret, "", another, origin, noon)
		mustRefuse(t, what, err)
		if has, err := s.Access.HasPassword(t.Context(), secret); has || err != nil {
			t.Errorf("%s has a password: %v", what, err)
		}
	}
}
