package access_test

import (
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/test/storetest"
)

// The audit log has the old and new state of each removal or change.
func TestTheAuditLogHasOldAndNewState(t *testing.T) {
	s := storetest.New(t)
	says := func(action, want string) {
		t.Helper()
		got := cell(t, s, `select detail from audit_log where action = $1 order by number desc limit 1`, action)
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", action, got, want)
		}
	}
	member(t, s, "ada", access.RoleAdmin)
	member(t, s, "lee", access.RoleTeamLead, speech)
	if err := s.Access.DisableUser(t.Context(), "lee", "ada", noon); err != nil {
		t.Fatal(err)
	}
	says("user disabled", `{"from":{"state":"active","role":"team_lead","scope":["team = 'speech'"]},"to":{"state":"disabled"}}`)

	signedIn(t, s, carla, access.RoleTeamLead, speech)
	says("user added", `"role":"team_lead","scope":["team = 'speech'"]}`)
	signedIn(t, s, carla, access.RoleAnalyst)
	says("user changed", `{"from":{"role":"team_lead","scope":["team = 'speech'"]},"to":{"role":"analyst"}}`)

	id, _, err := s.Access.CreateToken(t.Context(),
		access.Grant{Name: "ci", Role: access.RoleViewer, Conditions: []string{speech}, By: "ada", At: noon}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Access.RevokeToken(t.Context(), id, "ada", noon); err != nil {
		t.Fatal(err)
	}
	says("token revoked", `{"name":"ci","from":{"state":"active","role":"viewer","scope":["team = 'speech'"]},"to":{"state":"revoked"}}`)
	if got := cell(t, s, `select created_by from tokens`); got != "ada" {
		t.Errorf("the token is made by %q", got)
	}

	const login = "moved_login"
	t.Cleanup(func() { storetest.Run(t, s.Pool, "drop role if exists "+login) })
	for _, scope := range [][]string{{speech}, nil} {
		if _, _, err := s.Access.Login(t.Context(), login, scope, "ada", noon); err != nil {
			t.Fatal(err)
		}
		if scope != nil {
			says("login made", `"from":null,"to":{"scope":["team = 'speech'"]}}`)
		}
	}
	says("login made", `"from":{"scope":["team = 'speech'"]},"to":{"everything":true}}`)
	if _, err := s.Access.DropLogin(t.Context(), login, "ada", noon); err != nil {
		t.Fatal(err)
	}
	says("login dropped", `{"from":{"everything":true},"to":null}`)
}
