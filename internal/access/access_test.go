package access

import (
	"strings"
	"testing"
	"time"
)

func TestRolesHaveTheirRights(t *testing.T) {
	want := map[Role]string{
		RoleViewer: "read", RoleTeamLead: "read",
		RoleAnalyst: "read policy close reopen advise", RolePlatform: "read scrape advise",
		RoleAuditor: "read audit", RoleAdmin: "read write scrape policy close reopen advise audit admin", RoleIngest: "write",
	}
	for _, r := range Roles() {
		var has []string
		for _, right := range []Right{Read, Write, Scrape, Policy, Close, Reopen, Advise, Audit, Admin, Nothing} {
			if r.May(right) {
				has = append(has, string(right))
			}
		}
		if got := strings.Join(has, " "); got != want[r] {
			t.Errorf("%s may %q, want %q", r, got, want[r])
		}
	}
	if Role("root").May(Read) || Role("").SeesAll() {
		t.Error("a role that does not exist has rights")
	}
	if _, err := ParseRole("root"); err == nil || !strings.Contains(err.Error(), "team_lead") {
		t.Errorf("an unknown role: %v", err)
	}
	if v := (*Viewer)(nil); v.May(Read) || v.May(Signed) || !v.May(Anybody) {
		t.Error("nobody has what somebody has")
	}
}

func TestPasswords(t *testing.T) {
	const good = "vier Pferde im Regen"
	kept, err := HashPassword(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	again, err := HashPassword(t.Context(), good)
	if err != nil || kept == again || strings.Contains(kept, good) {
		t.Fatalf("two hashes of one password: %q, %q, %v", kept, again, err)
	}
	for _, c := range []struct {
		password, kept string
		want           bool
	}{{good, kept, true}, {good + " ", kept, false}, {"", kept, false},
		{good, "", false}, {"", "", false}, {strings.Repeat("x", 1<<20), kept, false}} {
		if got, err := IsPassword(t.Context(), c.password, c.kept); err != nil || got != c.want {
			t.Errorf("a password of %d bytes: %v, %v", len(c.password), got, err)
		}
	}
	for _, kept := range []string{
		"x", "$argon2i$v=19$m=1,t=1,p=1$AA$AA", "$argon2id$v=16$m=1,t=1,p=1$AA$AA",
		"$argon2id$v=19$m=x$AA$AA", "$argon2id$v=19$m=8,t=1,p=1$!$AA", "$argon2id$v=19$m=8,t=1,p=1$AA$!",
	} {
		if ok, err := IsPassword(t.Context(), good, kept); ok || err == nil {
			t.Errorf("a damaged hash %q: %v, %v", kept, ok, err)
		}
	}
}

// Checking an unknown name takes as long as checking a known one: both compute a hash.
func TestNobodyTakesAsLong(t *testing.T) {
	kept, err := HashPassword(t.Context(), "vier Pferde im Regen")
	if err != nil {
		t.Fatal(err)
	}
	least := func(kept string) time.Duration {
		least := time.Hour
		for range 5 {
			start := time.Now()
			if _, err := IsPassword(t.Context(), "vier Pferde im Wind", kept); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	if some, none := least(kept), least(""); none < some/2 {
		t.Errorf("a known name takes %v, an unknown one %v", some, none)
	}
}

func TestWeakPasswordsAreRefused(t *testing.T) {
	for _, weak := range []string{
		"", "short", "passwordpassword", "password1234567", "aaaaaaaaaaaaaaaa", "abababababab", "carla-carla-1",
		"qwerty123456", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", strings.Repeat("ab cd ef", 200),
	} {
		if err := CheckPassword("carla", weak); err == nil {
			t.Errorf("%q is taken", weak)
		}
	}
	for _, good := range []string{"vier Pferde im Regen", "Mxq7-pl0v-zz", "四匹の馬が雨の中を走っている"} {
		if err := CheckPassword("carla", good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

func TestTokens(t *testing.T) {
	a, b := NewToken(), NewToken()
	if a == b || !LooksLikeToken(a) || LooksLikeToken(a[1:]) || LooksLikeToken(a+"x") || LooksLikeToken(NewSecret()) {
		t.Errorf("tokens %q, %q", a, b)
	}
	if len(Digest(a)) != 32 || string(Digest(a)) == string(Digest(b)) {
		t.Error("digests")
	}
}
