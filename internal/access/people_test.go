package access

import (
	"testing"
	"time"
)

func TestStates(t *testing.T) {
	now := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	before, after := now.Add(-time.Hour), now.Add(time.Hour)
	for want, u := range map[State]User{
		Active: {Password: true}, Invited: {}, Disabled: {Password: true, DisabledAt: &before},
	} {
		if got := u.State(); got != want {
			t.Errorf("a user is %s, want %s", got, want)
		}
	}
	if got := (&User{Issuer: "https://login.example"}).State(); got != Active {
		t.Errorf("whom a provider signs in is %s", got)
	}
	for _, c := range []struct {
		want State
		of   Token
	}{
		{Active, Token{}}, {Active, Token{ExpiresAt: &after}},
		{Expired, Token{ExpiresAt: &before}}, {Expired, Token{ExpiresAt: &now}},
		{Revoked, Token{ExpiresAt: &before, RevokedAt: &before}},
	} {
		if got := c.of.State(now); got != c.want {
			t.Errorf("a token is %s, want %s", got, c.want)
		}
	}
}

func TestScopesInWords(t *testing.T) {
	for _, c := range []struct {
		role       Role
		conditions []string
		want       string
	}{
		{RoleViewer, nil, "nothing"}, {RoleAdmin, nil, "everything"}, {RoleIngest, nil, "reads nothing"},
		{RoleAdmin, []string{"team = 'a'", "team = 'b'"}, "team = 'a' or team = 'b'"},
	} {
		if got := ScopeWords(c.role, c.conditions); got != c.want {
			t.Errorf("%s with %q sees %q, want %q", c.role, c.conditions, got, c.want)
		}
	}
	if got := (&Login{Everything: true}).Sees(); got != "everything" {
		t.Errorf("a login without a scope sees %q", got)
	}
}

// Every right has a description, and the audit log has a separate right.
func TestRightsHaveWords(t *testing.T) {
	for _, r := range Roles() {
		if len(r.Rights()) == 0 {
			t.Errorf("%s may nothing", r)
		}
		for _, right := range r.Rights() {
			if right.Doc() == "" {
				t.Errorf("nothing says what %s is", right)
			}
		}
	}
	if RightTo("audit") != Audit || RightTo("costs") != Read {
		t.Error("rights to datasets")
	}
	rights := RoleViewer.Rights()
	rights[0] = Admin
	if RoleViewer.May(Admin) {
		t.Error("whoever lists rights changes them")
	}
}

func TestActorIsTheSignedInUser(t *testing.T) {
	v := &Viewer{Name: "carla"}
	if v.Seeing() || v.Actor() != "carla" || (*Viewer)(nil).Seeing() {
		t.Error("whoever sees as himself")
	}
	if v.By = "ada"; !v.Seeing() || v.Actor() != "ada" {
		t.Error("whoever sees as another")
	}
}
