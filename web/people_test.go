package web_test

import (
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/dashboard"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/gate"
)

// office keeps users in memory, with sessions by their secrets, and records calls.
type office struct {
	people.Door
	sessions map[string]*access.Viewer
	users    []access.User
	tokens   []access.Token
	own      []access.Session
	asked    []string
}

var noon = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

const (
	hostile    = "<script>alert(1)</script>"
	madeLink   = "a-link-that-is-shown-once"
	madeToken  = "glt_a-token-that-is-shown-once"
	hisSession = "00000000-0000-4000-8000-000000000007"
)

func (o *office) note(parts ...string) { o.asked = append(o.asked, strings.Join(parts, " ")) }

func (o *office) Session(_ context.Context, secret string, _ time.Time) (*access.Viewer, error) {
	return o.sessions[secret], nil
}

func (o *office) Token(_ context.Context, token string, _ time.Time) (*access.Viewer, error) {
	return o.sessions[token], nil
}

func (o *office) Denied(context.Context, *access.Viewer, string, string, time.Time) error { return nil }
func (o *office) Saw(context.Context, *access.Viewer, string, string, time.Time) error    { return nil }

func (o *office) Users(context.Context) ([]access.User, error) { return o.users, nil }

func (o *office) AddUser(_ context.Context, g access.Grant, _ string) (string, error) {
	if g.Name == "ada" {
		return "", &access.RefusedError{Reason: `there is a user "ada" already`}
	}
	o.note("add", g.Name, string(g.Role), strings.Join(g.Conditions, "|"), "by", g.By)
	return madeLink, nil
}

func (o *office) Link(_ context.Context, name, by string, _ time.Time) (string, error) {
	o.note("link", name, "by", by)
	return madeLink, nil
}

func (o *office) DisableUser(_ context.Context, name, by string, _ time.Time) error {
	if name == "ada" {
		return &access.RefusedError{Reason: `"ada" is the last admin`}
	}
	o.note("disable", name, "by", by)
	return nil
}

func (o *office) SetUser(_ context.Context, c access.Change) (access.Grant, error) {
	if c.Name == "ada" {
		return access.Grant{}, &access.RefusedError{Reason: `"ada" is the last admin`}
	}
	o.note("set", c.Name, string(c.Role), strings.Join(*c.Conditions, "|"), "by", c.By)
	return access.Grant{}, nil
}

func (o *office) SignOutUser(_ context.Context, name, by string, _ time.Time) error {
	o.note("sign out", name, "by", by)
	return nil
}

func (o *office) HasPassword(_ context.Context, secret string) (bool, error) {
	return secret != "analyst", nil // a provider signs the analyst in
}

func (o *office) ChangePassword(
	_ context.Context, secret, old, chosen string, _ access.Origin, _ time.Time,
) (string, error) {
	switch old {
	case "wrong":
		return "", &access.RefusedError{Reason: "the old password is another"}
	case "guess":
		return "", &access.SlowDownError{After: time.Minute}
	}
	o.note("password", old, "to", chosen, "in", secret)
	return "fresh", nil
}

func (o *office) SeeAs(_ context.Context, secret, name string, _ time.Time) error {
	o.note("see as", name, "in", secret)
	return nil
}

func (o *office) StopSeeing(_ context.Context, secret string, _ time.Time) error {
	o.note("stop in", secret)
	return nil
}

func (o *office) Tokens(context.Context) ([]access.Token, error) { return o.tokens, nil }

func (o *office) CreateToken(_ context.Context, g access.Grant, life time.Duration) (ledger.ID, string, error) {
	o.note("token", g.Name, string(g.Role), "for", life.String(), "by", g.By)
	return ledger.NewID("token"), madeToken, nil
}

func (o *office) RevokeToken(_ context.Context, id ledger.ID, by string, _ time.Time) error {
	o.note("revoke", id.String(), "by", by)
	return nil
}

func (o *office) Logins(context.Context) ([]access.Login, error) {
	return []access.Login{{Name: "bi_speech", Scope: []string{"team = 'speech'"}}, {Name: "bi_all", Everything: true}}, nil
}

func (o *office) Sessions(context.Context, string, time.Time) ([]access.Session, error) {
	return o.own, nil
}

func (o *office) EndSession(_ context.Context, secret string, id ledger.ID, _ time.Time) error {
	o.note("end", id.String(), "in", secret)
	return nil
}

func (o *office) EndOtherSessions(_ context.Context, secret string, _ time.Time) error {
	o.note("end others in", secret)
	return nil
}

func (o *office) Conditions(_ context.Context, v *access.Viewer) ([]string, error) {
	if v.Bounded() {
		return []string{"team = '" + hostile + "'", "project = 'x'"}, nil
	}
	return nil, nil
}

// opened is a server with users; the secrets of sessions are the users' names.
func opened(t *testing.T) (http.Handler, *office) {
	t.Helper()
	before, earlier := noon.Add(-time.Hour), noon.AddDate(-1, 0, 0)
	o := &office{sessions: map[string]*access.Viewer{}, users: []access.User{
		{Name: "ada", Role: access.RoleAdmin, CreatedAt: earlier, SeenAt: &before, Password: true},
		{Name: hostile, Role: access.RoleTeamLead, Conditions: []string{"team = '<b>'"}, CreatedAt: before},
		{Name: "gone", Role: access.RoleViewer, CreatedAt: before, DisabledAt: &before, Password: true},
		{Name: "olga", Role: access.RoleAnalyst, CreatedAt: before, Issuer: "https://login.example/<i>"},
	}, tokens: []access.Token{
		{ID: ledger.NewID("t"), Name: hostile, Role: access.RoleIngest, CreatedAt: before},
		{Name: "old", Role: access.RoleViewer, CreatedAt: earlier, ExpiresAt: &before},
	}, own: []access.Session{
		{
			BeganAt: before, SeenAt: noon,
			Origin: access.Origin{Address: "192.0.2.1", Agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/146.0"}, This: true,
		},
		{BeganAt: before, SeenAt: before, Origin: access.Origin{Address: "192.0.2.2", Agent: hostile}},
	}}
	for _, role := range access.Roles() {
		o.sessions[string(role)] = &access.Viewer{Kind: access.BySession, ID: string(role), Name: string(role), Role: role}
	}
	o.sessions["admin"].Name = "ada"
	o.sessions["part"] = &access.Viewer{Kind: access.BySession, Name: "pia", Role: access.RoleTeamLead, Scope: "s"}
	o.sessions["as"] = &access.Viewer{Kind: access.BySession, Name: hostile, Role: access.RoleAdmin, By: "ada"}
	o.sessions["program"] = &access.Viewer{Kind: access.ByToken, Name: "grafana", Role: access.RoleViewer}
	now := func() time.Time { return noon }
	g := gate.New(gate.Options{Keeper: o, Now: now, Pages: dashboard.PageNeeds()})
	h, err := web.New(web.Deps{Reader: dashtest.New(), Now: now, Gate: g, Door: o, Keeper: o})
	if err != nil {
		t.Fatal(err)
	}
	return h, o
}

// plainly is the unescaped text of a page.
func plainly(body string) string { return html.UnescapeString(text(body)) }

func as(secret string) []string { return []string{"Cookie", "gpuledger-session=" + secret} }

func TestUsersPage(t *testing.T) {
	h, _ := opened(t)
	body := get(t, h, "/people", as("admin")...).Body.String()
	has(t, "the page", plainly(body), "2 people can sign in.",
		"ada you admin, active added 19 Nov 2025 admin everything active 19 Nov 11:00 Change ada New link for ada",
		"team lead team = '<b>' invited never", "gone viewer, disabled added 19 Nov 11:00 viewer nothing disabled never",
		"signs in at https://login.example/<i>",
		"analyst everything, or its scope store and withdraw versions of the policy, close periods",
		"viewer its scope nothing else", "ingest nothing send telemetry and facts")
	if strings.Contains(body, hostile) || strings.Contains(body, "<b>'") || strings.Contains(body, "/<i>") {
		t.Error("a name is markup")
	}
	if strings.Contains(body, `value="gone"`) || strings.Contains(body, `<option value="ingest"`) ||
		strings.Count(body, "New link") != 2 || strings.Count(body, `href="/people/change?name=`) != 2 {
		t.Error("what cannot be done is offered")
	}
}

// A secret is on the answer to the form that created it, and on no other page.
func TestSecretsAreShownOnce(t *testing.T) {
	h, o := opened(t)
	for _, c := range []struct{ path, secret, asked string }{
		{"/people", madeLink, "add carla team_lead team = 'a'|team = 'b' by ada"},
		{"/people/link", madeLink, "link carla by ada"},
		{"/tokens", madeToken, "token carla team_lead for 720h0m0s by ada"},
	} {
		w := post(t, h, c.path, url.Values{"name": {"carla"}, "role": {"team_lead"},
			"scope": {"team = 'a'\r\n\r\n team = 'b' "}, "days": {"30"}}, as("admin")...)
		if w.Code != http.StatusOK || strings.Count(w.Body.String(), `value="`+secretField(c.secret)+`"`) != 1 ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s answers %d: %s", c.path, w.Code, plainly(w.Body.String()))
		}
		if !slices.Contains(o.asked, c.asked) {
			t.Errorf("%s: asked %q, want %q", c.path, o.asked, c.asked)
		}
		for _, page := range []string{"/people", "/tokens", "/account", "/audit"} {
			if w := get(t, h, page, as("admin")...); w.Code != http.StatusOK || strings.Contains(w.Body.String(), c.secret) {
				t.Errorf("%s repeats what %s made (%d)", page, c.path, w.Code)
			}
		}
	}
}

// secretField is the value of the field that shows a secret: links with the server's address.
func secretField(secret string) string {
	if secret == madeLink {
		return "http://example.com/welcome?code=" + secret
	}
	return secret
}

func TestPeopleAreChanged(t *testing.T) {
	h, o := opened(t)
	id := ledger.NewID("t").String()
	for _, c := range []struct {
		path, field, value, to, asked string
	}{
		{"/people/disable", "name", "otto", "/people", "disable otto by ada"},
		{"/people/see-as", "name", "otto", "/", "see as otto in admin"},
		{"/people/sign-out", "name", "otto", "/people", "sign out otto by ada"},
		{"/people/change", "name", "otto", "/people", "set otto   by ada"},
		{"/tokens/revoke", "id", id, "/tokens", "revoke " + id + " by ada"},
		{"/account/end", "id", id, "/account", "end " + id + " in admin"},
		{"/account/others", "x", "", "/account", "end others in admin"},
		{"/account/myself", "x", "", "/people", "stop in admin"},
	} {
		w := post(t, h, c.path, url.Values{c.field: {c.value}}, as("admin")...)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != c.to || o.asked[len(o.asked)-1] != c.asked {
			t.Errorf("%s: %d to %q, asked %q", c.path, w.Code, w.Header().Get("Location"), o.asked)
		}
	}
	before := len(o.asked)
	for _, c := range []struct {
		path string
		form url.Values
		want int
		says string
	}{
		{
			"/people", url.Values{"name": {"ada"}, "role": {"viewer"}, "scope": {"<u>"}},
			http.StatusUnprocessableEntity, "There is a user &#34;ada&#34; already.",
		},
		{
			"/people/change", url.Values{"name": {"ada"}, "role": {"viewer"}, "scope": {"<u>"}},
			http.StatusUnprocessableEntity, "is the last admin.",
		},
		{
			"/account/password", url.Values{"old": {"wrong"}, "password": {"x"}, "again": {"x"}},
			http.StatusUnprocessableEntity, "The old password is another.",
		},
		{
			"/account/password", url.Values{"old": {"right"}, "password": {"x"}, "again": {"y"}},
			http.StatusUnprocessableEntity, "The two new passwords differ.",
		},
		{
			"/account/password", url.Values{"old": {"guess"}, "password": {"x"}, "again": {"x"}},
			http.StatusTooManyRequests, "Too many wrong passwords.",
		},
		{"/people/disable", url.Values{"name": {"ada"}}, http.StatusUnprocessableEntity, "is the last admin."},
		{
			"/tokens", url.Values{"name": {"x"}, "role": {"viewer"}, "days": {"0"}},
			http.StatusUnprocessableEntity, "A token must end after 1 to 3650 days.",
		},
		{"/tokens/revoke", url.Values{"id": {"x"}}, http.StatusBadRequest, ""},
		{"/account/end", url.Values{"id": {"x"}}, http.StatusBadRequest, ""},
	} {
		w := post(t, h, c.path, c.form, as("admin")...)
		if w.Code != c.want || !strings.Contains(w.Body.String(), c.says) || strings.Contains(w.Body.String(), "<u>") {
			t.Errorf("%s: %d: %s", c.path, w.Code, plainly(w.Body.String()))
		}
	}
	if len(o.asked) != before {
		t.Errorf("what was refused was done: %q", o.asked[before:])
	}
}

// The form shows the current role and scope, and there is no form for users who cannot be
// changed.
func TestChangePage(t *testing.T) {
	h, o := opened(t)
	body := get(t, h, "/people/change?name="+url.QueryEscape(hostile), as("admin")...).Body.String()
	has(t, "the page", plainly(body), "Change the role and scope of "+hostile, "team = '<b>'")
	has(t, "the form", body, `<option value="team_lead" selected>`,
		`<input type="hidden" name="name" value="&lt;script&gt;`)
	if strings.Contains(body, hostile) || strings.Contains(body, "<b>'") {
		t.Error("a name or scope is markup")
	}
	if w := get(t, h, "/people/change?name=eve", as("admin")...); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "There is no such user.") {
		t.Errorf("nobody is changed: %d", w.Code)
	}
	if w := get(t, h, "/people/change?name=ada", as("as")...); w.Code != http.StatusSeeOther ||
		w.Header().Get("Location") != "/people" {
		t.Errorf("who sees as another is asked for a change: %d", w.Code)
	}
	post(t, h, "/people/change",
		url.Values{"name": {"pia"}, "role": {"viewer"}, "scope": {"team = 'a'\r\n\r\nteam = 'b'"}}, as("admin")...)
	if got := o.asked[len(o.asked)-1]; got != "set pia viewer team = 'a'|team = 'b' by ada" {
		t.Errorf("asked %q", got)
	}
}

// Users with a password can change it on their account page, and get a new session.
func TestUserChangesPassword(t *testing.T) {
	h, o := opened(t)
	const form = `action="/account/password"`
	for secret, want := range map[string]bool{"admin": true, "part": true, "analyst": false, "as": false} {
		if body := get(t, h, "/account", as(secret)...).Body.String(); strings.Contains(body, form) != want {
			t.Errorf("%s is offered another password: %v", secret, !want)
		}
	}
	o.Door = porter{o}
	w := post(t, h, "/account/password", url.Values{"old": {"right"}, "password": {"another"}, "again": {"another"}},
		as("admin")...)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/account?done=password" ||
		!strings.Contains(w.Header().Get("Set-Cookie"), "gpuledger-session=fresh;") {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
	if got := o.asked[len(o.asked)-1]; got != "password right to another in admin" {
		t.Errorf("asked %q", got)
	}
	has(t, "the page after it", plainly(get(t, h, "/account?done=password", as("admin")...).Body.String()),
		"done Your password has been changed.")
	w = post(t, h, "/account/password", url.Values{"old": {"guess"}, "password": {"x"}, "again": {"x"}}, as("admin")...)
	if w.Header().Get("Retry-After") != "60" || strings.Contains(w.Body.String(), "guess") {
		t.Errorf("who guesses: %v", w.Header())
	}
}

func TestTokensPage(t *testing.T) {
	h, _ := opened(t)
	body := get(t, h, "/tokens", as("admin")...).Body.String()
	has(t, "the page", plainly(body), "1 active API token.", "ingest reads nothing active never never",
		"viewer nothing expired 19 Nov 11:00", "bi_speech team = 'speech'", "bi_all everything")
	has(t, "the form", body, `name="days" value="90"`, `<option value="ingest"`)
	if strings.Contains(body, hostile) || strings.Count(body, ">Revoke<span class=\"sr\"") != 1 {
		t.Error("a name is markup, or what is over can be revoked")
	}
}

func TestAccountPage(t *testing.T) {
	h, _ := opened(t)
	body := get(t, h, "/account", as("part")...).Body.String()
	has(t, "the page", plainly(body), "You are signed in as pia.", "team lead sees its teams", "or project = 'x'",
		"Firefox on Linux this one 192.0.2.1 19 Nov 11:00 19 Nov 12:00", "192.0.2.2", "End all others")
	has(t, "the rail", body, `<a href="/account"><b><bdi>pia</bdi></b></a>`)
	if strings.Contains(body, hostile) || strings.Count(body, `action="/account/end"`) != 1 {
		t.Error("a browser or scope is markup, or this session can be ended as another")
	}
	program := get(t, h, "/account", "Authorization", "Bearer program").Body.String()
	if !strings.Contains(program, "You are signed in as grafana.") || strings.Contains(program, "Your sessions") ||
		strings.Contains(program, "Sign out") {
		t.Error("a program has sessions")
	}
}

// An admin who views the pages as another user has a banner on every page, and no forms.
func TestSeeingAsShowsABanner(t *testing.T) {
	h, o := opened(t)
	for _, page := range []string{"/", "/people", "/tokens", "/account", "/audit", "/periods", "/policies", "/none"} {
		body := get(t, h, page, as("as")...).Body.String()
		has(t, page, plainly(body), "ada , you are viewing this as "+hostile+" . You cannot change anything.")
		for _, form := range strings.Split(body, `method="post" action="`)[1:] {
			if to, _, _ := strings.Cut(form, `"`); to != "/theme" && to != "/logout" && to != "/account/myself" {
				t.Errorf("%s offers %s", page, to)
			}
		}
		if strings.Contains(body, hostile) {
			t.Errorf("%s: a name is markup", page)
		}
	}
	w := post(t, h, "/people", url.Values{"name": {"x"}, "role": {"admin"}}, as("as")...)
	if w.Code != http.StatusForbidden || len(o.asked) != 0 {
		t.Errorf("a change: %d, asked %q", w.Code, o.asked)
	}
	has(t, "what was refused", plainly(w.Body.String()),
		"You are viewing this as "+hostile+", so nothing can be changed.")
	if strings.Contains(get(t, h, "/", as("admin")...).Body.String(), "you are viewing this as") {
		t.Error("who sees as himself is told otherwise")
	}
}

// The rail has the pages of users that the viewer may see, and none without access control.
func TestTheRailHasPeople(t *testing.T) {
	h, _ := opened(t)
	for secret, want := range map[string]string{
		"admin": "/people /tokens /audit", "auditor": "/audit", "analyst": "",
		"viewer": "", "part": "", "as": "/people /tokens /audit",
	} {
		if got := railOf(get(t, h, "/", as(secret)...).Body.String()); got != want {
			t.Errorf("%s finds %q, want %q", secret, got, want)
		}
	}
	if got := railOf(get(t, server(t, dashtest.New()), "/").Body.String()); got != "" {
		t.Errorf("where nobody signs in the rail has %q", got)
	}
}

func railOf(body string) string {
	rail, _, _ := strings.Cut(body, "burger")
	var found []string
	for _, path := range []string{"/people", "/tokens", "/audit"} {
		if strings.Contains(rail, `href="`+path) {
			found = append(found, path)
		}
	}
	if strings.Contains(rail, "<summary>People</summary>") != (found != nil) {
		found = append(found, "a heading alone")
	}
	return strings.Join(found, " ")
}

func TestTheAuditLogIsForThoseWithTheRight(t *testing.T) {
	h, _ := opened(t)
	for secret, want := range map[string]int{
		"admin": http.StatusOK, "auditor": http.StatusOK, "analyst": http.StatusForbidden,
		"viewer": http.StatusForbidden, "part": http.StatusForbidden,
	} {
		if w := get(t, h, "/audit", as(secret)...); w.Code != want {
			t.Errorf("%s asks for the audit log: %d, want %d", secret, w.Code, want)
		}
	}
	body := get(t, h, "/audit", as("auditor")...).Body.String()
	has(t, "the page", plainly(body), "close refused", "2026-11 has not ended yet", "“wrong owner <b>”", "not JSON")
	has(t, "its links", body, `href="/api/v1/audit?for_excel=true&amp;format=csv`)
	if strings.Contains(body, "wrong owner <b>") {
		t.Error("a reason is markup")
	}
	if got := get(t, h, "/periods", as("analyst")...); got.Code != http.StatusOK ||
		strings.Contains(got.Body.String(), "Audit log") {
		t.Errorf("the periods show an analyst the audit log (%d)", got.Code)
	}
	has(t, "the periods of an auditor", get(t, h, "/periods", as("auditor")...).Body.String(), "Audit log",
		`href="/audit"`)
}

// A route that is in no table is closed, so every route must be in one.
func TestEveryRouteHasANeed(t *testing.T) {
	_, o := opened(t)
	g := gate.New(gate.Options{Keeper: o, Pages: dashboard.PageNeeds()})
	d, err := dashboard.New(dashboard.Options{
		Reader: dashtest.New(), People: &people.Options{Door: o, Keeper: o, Gate: g, Now: time.Now},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := chi.NewRouter()
	d.Routes(r)
	count := 0
	err = chi.Walk(r, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		count++
		if _, ok := g.Needs(method, route); !ok {
			t.Errorf("%s %s needs what nobody has", method, route)
		}
		return nil
	})
	if err != nil || count < 50 {
		t.Errorf("%d routes: %v", count, err)
	}
	h, _ := opened(t)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/login", nil))
	_, rest, _ := strings.Cut(w.Body.String(), `rel="stylesheet" href="`)
	sheet, _, _ := strings.Cut(rest, `"`)
	if w := get(t, h, sheet); w.Code != http.StatusOK {
		t.Errorf("the style of the sign-in page, %s, answers %d", sheet, w.Code)
	}
}
