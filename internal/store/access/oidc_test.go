package access_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

var (
	noon   = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	origin = access.Origin{Address: "192.0.2.7", Agent: "a browser"}
	carla  = access.Identity{Issuer: "https://login.example/realms/main", Subject: "u-1", Name: "carla"}
)

const speech = "team = 'speech'"

// signedIn is the viewer of a session that a provider begins.
func signedIn(
	t *testing.T, s *store.Store, who access.Identity, role access.Role, scope ...string,
) (*access.Viewer, string) {
	t.Helper()
	secret, err := s.Access.SignInBy(t.Context(), who, role, scope, origin, noon)
	if err != nil {
		t.Fatal(err)
	}
	return viewer(t, s, secret), secret
}

func viewer(t *testing.T, s *store.Store, secret string) *access.Viewer {
	t.Helper()
	v, err := s.Access.Session(t.Context(), secret, noon.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// teams are the teams of a viewer's scope, with its count of members.
func teams(t *testing.T, s *store.Store, v *access.Viewer) string {
	t.Helper()
	return cell(t, s, `select coalesce(string_agg(distinct team, ' ' order by team), '') from scope_teams
		where scope_id = $1`, v.Scope)
}

func cell(t *testing.T, s *store.Store, sql string, args ...any) (text string) {
	t.Helper()
	if err := s.Pool.QueryRow(t.Context(), sql, args...).Scan(&text); err != nil {
		t.Fatal(sql, err)
	}
	return text
}

func TestAProviderSignsIn(t *testing.T) {
	s := storetest.New(t)
	storetest.Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team) select 1, md5(team)::uuid, team
		from unnest('{speech,vision}'::text[]) team`)
	v, secret := signedIn(t, s, carla, access.RoleTeamLead, speech)
	if v == nil || v.Name != "carla" || v.Role != access.RoleTeamLead || !v.Bounded() || v.Kind != access.BySession {
		t.Fatalf("she is %+v", v)
	}
	if got := teams(t, s, v); got != "speech" {
		t.Errorf("she sees teams %q", got)
	}
	if issuer, err := s.Access.ProviderOf(t.Context(), secret); issuer != carla.Issuer || err != nil {
		t.Errorf("issuer %q, %v", issuer, err)
	}

	// Same groups: same user and scope, and the session of another browser stays.
	again, _ := signedIn(t, s, carla, access.RoleTeamLead, speech)
	if again.ID != v.ID || again.Scope != v.Scope || viewer(t, s, secret) == nil {
		t.Errorf("a second sign-in makes %+v of %+v", again, v)
	}

	// A changed name is not shown: entries of the audit log stay true.
	renamed := carla
	renamed.Name = "carla-b"
	if x, _ := signedIn(t, s, renamed, access.RoleTeamLead, speech); x.ID != v.ID || x.Name != "carla" {
		t.Errorf("she is called %q now", x.Name)
	}

	// Other groups: another scope with its members, and the other sessions end.
	both, bothSecret := signedIn(t, s, carla, access.RoleTeamLead, speech, "team = 'vision'")
	if got := teams(t, s, both); got != "speech vision" || both.Members == v.Members || viewer(t, s, secret) != nil {
		t.Errorf("with another group she sees %q", got)
	}
	all, allSecret := signedIn(t, s, carla, access.RoleAnalyst)
	if all.Bounded() || all.Role != access.RoleAnalyst || viewer(t, s, bothSecret) != nil {
		t.Errorf("as an analyst she is %+v", all)
	}
	if n := cell(t, s, "select count(*)::text from scopes"); n != "0" {
		t.Errorf("%s scopes are left of her", n)
	}
	none, _ := signedIn(t, s, carla, access.RoleViewer)
	if !none.Bounded() || teams(t, s, none) != "" || viewer(t, s, allSecret) != nil {
		t.Errorf("a viewer without a scope is %+v", none)
	}
	var log []string
	for _, e := range audited(t, s) {
		if e.subject != "carla" || e.actor != carla.Issuer && e.actor != "carla" {
			t.Errorf("the audit log says %+v", e)
		}
		log = append(log, e.action)
	}
	if got, want := strings.Join(log, ", "),
		"user added, signed in, signed in, signed in, user changed, signed in, user changed, signed in, user changed, "+
			"signed in"; got != want {
		t.Errorf("the audit log says %s", got)
	}
}

type auditEntry struct{ actor, action, subject string }

func audited(t *testing.T, s *store.Store) (list []auditEntry) {
	t.Helper()
	var entries []map[string]any
	if err := json.Unmarshal([]byte(cell(t, s,
		"select coalesce(json_agg(l order by l.number), '[]')::text from audit_log l")), &entries); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, auditEntry{fmt.Sprint(e["actor"]), fmt.Sprint(e["action"]), fmt.Sprint(e["subject"])})
	}
	return list
}

// TestNobodyIsTakenOver: users with equal names stay different users.
func TestNobodyIsTakenOver(t *testing.T) {
	s := storetest.New(t)
	if _, err := s.Access.AddUser(t.Context(), access.Grant{Name: "carla", Role: access.RoleAdmin, By: "test", At: noon},
		"vier Pferde im Regen"); err != nil {
		t.Fatal(err)
	}
	v, _ := signedIn(t, s, carla, access.RoleViewer, speech)
	second, third := carla, carla
	second.Subject = "u-2"
	third.Issuer, third.Subject = "https://other.example", "u-1"
	w, _ := signedIn(t, s, second, access.RoleAnalyst)
	x, _ := signedIn(t, s, third, access.RoleViewer)
	if v.Name != "carla (login.example)" || w.Name != "carla (login.example 2)" || x.Name != "carla (other.example)" ||
		v.ID == w.ID || v.ID == x.ID {
		t.Errorf("they are %+v, %+v and %+v", v, w, x)
	}
	local, err := s.Access.SignIn(t.Context(), "carla", "vier Pferde im Regen", origin, noon)
	if err != nil || viewer(t, s, local).Role != access.RoleAdmin || viewer(t, s, local).ID == v.ID {
		t.Errorf("who was here before is %+v, %v", viewer(t, s, local), err)
	}
	if issuer, err := s.Access.ProviderOf(t.Context(), local); issuer != "" || err != nil {
		t.Errorf("his issuer is %q, %v", issuer, err)
	}
	program := carla
	program.Subject, program.Name = "u-3", "gpuledger"
	if v, _ := signedIn(t, s, program, access.RoleViewer); v.Name == "gpuledger" {
		t.Error("somebody is called as the program is in the audit log")
	}
}

// TestNoPasswordOutlivesTheProvider: a provider user cannot get a password here.
func TestNoPasswordOutlivesTheProvider(t *testing.T) {
	s := storetest.New(t)
	v, _ := signedIn(t, s, carla, access.RoleAnalyst)
	if _, err := s.Access.Link(t.Context(), v.Name, "test", noon); !refused(err, "signs in at a provider") {
		t.Errorf("a link is made: %v", err)
	}
	if secret, err := s.Access.SignIn(t.Context(), v.Name, "", origin, noon); secret != "" || err != nil {
		t.Errorf("he signs in without a password: %v", err)
	}
}

func refused(err error, text string) bool {
	r, is := errors.AsType[*access.RefusedError](err)
	return is && strings.Contains(r.Reason, text)
}

func TestADisabledUserStaysOut(t *testing.T) {
	s := storetest.New(t)
	v, secret := signedIn(t, s, carla, access.RoleAnalyst)
	if err := s.Access.DisableUser(t.Context(), v.Name, "test", noon); err != nil {
		t.Fatal(err)
	}
	if again, err := s.Access.SignInBy(t.Context(), carla, access.RoleAdmin, nil, origin, noon); again != "" ||
		!refused(err, "disabled") || viewer(t, s, secret) != nil {
		t.Errorf("he is let in: %v", err)
	}
	if role := cell(t, s, "select role from users"); role != "analyst" {
		t.Errorf("he was made %s", role)
	}
	if log := audited(t, s); log[len(log)-1].action != "sign-in failed" {
		t.Errorf("the audit log ends with %+v", log[len(log)-1])
	}
	if err := s.Access.RefuseSignIn(t.Context(), carla, "no role", origin, noon); err != nil {
		t.Fatal(err)
	}
	if n := cell(t, s, "select count(*)::text from audit_log where detail::text like '%no role%' and action = "+
		"'sign-in failed'"); n != "1" {
		t.Errorf("the audit log has %s refusals", n)
	}
}

func TestInvalidGrantsOfProvidersAreRefused(t *testing.T) {
	s := storetest.New(t)
	for says, try := range map[string]func() (string, error){
		"ingest": func() (string, error) {
			return s.Access.SignInBy(t.Context(), carla, access.RoleIngest, nil, origin, noon)
		},
		"unknown": func() (string, error) { return s.Access.SignInBy(t.Context(), carla, "root", nil, origin, noon) },
		"cannot be used in a scope": func() (string, error) {
			return s.Access.SignInBy(t.Context(), carla, access.RoleViewer, []string{"model = 'x'"}, origin, noon)
		},
		"one line of text": func() (string, error) {
			return s.Access.SignInBy(t.Context(), access.Identity{Issuer: "i", Subject: "s"}, access.RoleViewer, nil, origin,
				noon)
		},
	} {
		if secret, err := try(); secret != "" || !refused(err, says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if n := cell(t, s, "select count(*)::text from users"); n != "0" {
		t.Errorf("%s users are made", n)
	}
}

// TestTwoSignInsOfAnIdentityAreOneUser: the second of two first sign-ins finds the user of the first.
func TestTwoSignInsOfAnIdentityAreOneUser(t *testing.T) {
	s := storetest.New(t)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			scope := []string{speech}
			if i%2 == 0 {
				scope = append(scope, "team = 'vision'")
			}
			if _, err := s.Access.SignInBy(t.Context(), carla, access.RoleTeamLead, scope, origin, noon); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := cell(t, s, "select (select count(*) from users) || ' ' || (select count(*) from scopes)"); n != "1 1" {
		t.Errorf("users and scopes: %s", n)
	}
}

func TestASignInIsFinishedOnce(t *testing.T) {
	s := storetest.New(t)
	r := access.SignInRequest{State: access.NewSecret(), Nonce: "n", Verifier: "v", Back: "/runs"}
	take := func(state string, at time.Time) *access.SignInRequest {
		got, err := s.Access.TakeSignIn(t.Context(), state, at)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	keep := func(r access.SignInRequest, at time.Time) {
		if err := s.Access.KeepSignIn(t.Context(), r, "192.0.2.7", at); err != nil {
			t.Fatal(err)
		}
	}
	keep(r, noon)
	if n := cell(t, s, "select count(*)::text from sign_in_requests q where q::text like '%' || $1 || '%'",
		r.State); n != "0" {
		t.Error("the state itself is kept")
	}
	if got := take(access.NewSecret(), noon); got != nil {
		t.Errorf("another state finds %+v", got)
	}
	if got := take(r.State, noon.Add(access.SignInLife-time.Second)); got == nil || *got != r {
		t.Errorf("the state finds %+v", got)
	}
	if got := take(r.State, noon); got != nil {
		t.Errorf("a state is good twice: %+v", got)
	}
	keep(r, noon)
	if got := take(r.State, noon.Add(access.SignInLife)); got != nil {
		t.Errorf("a state is good after %s: %+v", access.SignInLife, got)
	}
	other := access.SignInRequest{State: access.NewSecret()}
	keep(other, noon.Add(access.SignInLife))
	if n := cell(t, s, "select count(*)::text from sign_in_requests"); n != "1" {
		t.Errorf("%s sign-ins are kept, with one that expired", n)
	}
	if got := take(other.State, noon.Add(access.SignInLife)); got == nil {
		t.Error("the other is gone")
	}
}

// TestTooManyPendingSignInsMakeAnAddressWait: only the address with too many pending sign-ins waits.
func TestTooManyPendingSignInsMakeAnAddressWait(t *testing.T) {
	s := storetest.New(t)
	storetest.Run(t, s.Pool, `insert into sign_in_requests (tenant_id, digest, nonce, verifier, back, address, expires_at)
		select 1, decode(md5(i::text), 'hex'), '', '', '/', '192.0.2.7', $1 from generate_series(1, 200) i`,
		noon.Add(access.SignInLife))
	begin := func(address string, at time.Time) error {
		return s.Access.KeepSignIn(t.Context(), access.SignInRequest{State: access.NewSecret()}, address, at)
	}
	if slow, is := errors.AsType[*access.SlowDownError](begin("192.0.2.7", noon)); !is || slow.After <= 0 {
		t.Errorf("he may go on: %v", slow)
	}
	if err := errors.Join(begin("192.0.2.8", noon), begin("192.0.2.7", noon.Add(access.SignInLife))); err != nil {
		t.Error(err)
	}
}
