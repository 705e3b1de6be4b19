package people_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/oidc"
	"gpuledger/internal/store"
	"gpuledger/test/optest"
	"gpuledger/test/storetest"
	"gpuledger/web"
	"gpuledger/web/dashboard"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/gate"
)

// house is a server whose users sign in at a provider.
type house struct {
	*store.Store
	url   string
	op    *optest.Provider
	log   *lines
	ahead time.Duration // of our clock
}

// lines collects the log.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(text)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func open(t *testing.T) *house {
	t.Helper()
	h := &house{Store: storetest.New(t), log: &lines{}}
	storetest.Run(t, h.Pool, `insert into owners (tenant_id, owner_id, team) select 1, md5(team)::uuid, team
		from unnest('{speech,vision}'::text[]) team`)
	var answers http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		answers.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	h.op = optest.New(t, h.url)
	h.op.SignsIn(carla("speech"))
	now := func() time.Time { return time.Now().Add(h.ahead) }
	provider, err := oidc.New(oidc.Config{Issuer: h.op.Issuer, ClientID: optest.ClientID, ClientSecret: optest.Secret,
		RedirectURL: h.url + "/login/callback", Now: now,
		Groups: []access.Mapping{
			{Group: "speech", Role: access.RoleTeamLead, Conditions: []string{"team = 'speech'"}},
			{Group: "finance", Role: access.RoleAnalyst},
		}})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(h.log, nil))
	answers, err = web.New(web.Deps{Reader: h.Store, Now: now, Log: log, Door: h.Access,
		OIDC: &people.OIDC{Provider: provider, Guests: h.Access},
		Gate: gate.New(gate.Options{
			Keeper: h.Access, Now: now, Log: log, Pages: dashboard.PageNeeds(),
			Proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		})})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func carla(groups ...string) optest.User {
	return optest.User{Subject: "u-1", Claims: map[string]any{"preferred_username": "carla", "groups": groups}}
}

// browser keeps cookies and follows redirects, except to stop.
type browser struct {
	*http.Client
	t    *testing.T
	stop string // address that it does not follow
}

func newBrowser(t *testing.T) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t}
	b.Client = &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if b.stop != "" && strings.HasPrefix(r.URL.String(), b.stop) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	return b
}

// answer is a response as a browser gets it.
type answer struct {
	*http.Response
	text string
}

func (b *browser) get(at string) answer { return b.send(http.MethodGet, at) }

func (b *browser) send(method, at string) answer {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, at, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{resp, string(text)}
}

// upTo begins a sign-in and returns the address that the provider sends back to.
func (b *browser) upTo(h *house) string {
	b.t.Helper()
	b.stop = h.url + "/login/callback"
	defer func() { b.stop = "" }()
	at, err := b.get(h.url + "/login/oidc?back=/runs").Location()
	if err != nil {
		b.t.Fatal(err)
	}
	return at.String()
}

// says checks the sentence of a page that refuses a sign-in.
func says(t *testing.T, a answer, status int, sentence string) {
	t.Helper()
	if a.StatusCode != status || !strings.Contains(a.text, sentence) || !strings.Contains(a.text, "<h1>Sign in</h1>") {
		t.Errorf("%s answers %s, and not %d with %q:\n%s", a.Request.URL.Path, a.Status, status, sentence, a.text)
	}
}

// in reports whether a browser is signed in.
func (b *browser) in(h *house) bool { return b.get(h.url+"/").Request.URL.Path == "/" }

func TestSigningInAndOutAtAProvider(t *testing.T) {
	h, b := open(t), newBrowser(t)
	host := strings.TrimPrefix(h.op.Issuer, "http://")
	if a := b.get(h.url + "/runs?status=failed"); !strings.Contains(a.text, "Sign in with "+host) ||
		!strings.Contains(a.text, `href="/login/oidc?back=%2Fruns%3Fstatus%3Dfailed"`) {
		t.Fatalf("the sign-in page is:\n%s", a.text)
	}
	a := b.get(h.url + "/login/oidc?back=%2Fruns%3Fstatus%3Dfailed")
	if a.StatusCode != http.StatusOK || a.Request.URL.String() != h.url+"/runs?status=failed" ||
		!strings.Contains(a.text, "carla") || !strings.Contains(a.text, "team lead") {
		t.Fatalf("she gets to %s: %s\n%s", a.Request.URL, a.Status, a.text)
	}
	var role, teams string
	if err := h.Pool.QueryRow(t.Context(), `select u.role,
		(select string_agg(team, ' ') from scope_teams s where s.scope_id = u.scope_id and s.cluster is null)
		from users u where u.subject = 'u-1' and u.issuer = $1`, h.op.Issuer).Scan(&role, &teams); err != nil || role != "team_lead" || teams != "speech" {
		t.Errorf("she is a %s with scope %q: %v", role, teams, err)
	}
	if a := b.get(h.url + "/reconciliation"); a.StatusCode != http.StatusForbidden {
		t.Errorf("she sees whole bills: %s", a.Status)
	}

	// Sign out here and at the provider, which redirects back.
	out := b.send(http.MethodPost, h.url+"/logout")
	if out.Request.URL.String() != h.url+"/login" || h.op.Asked("/end_session") != 1 || b.in(h) {
		t.Errorf("signing out ends at %s, with %d requests to the provider", out.Request.URL, h.op.Asked("/end_session"))
	}
	for _, secret := range []string{"code=", "state=", optest.Secret} {
		if strings.Contains(h.log.String(), secret) {
			t.Errorf("the log contains %s:\n%s", secret, h.log)
		}
	}
}

func TestSigningOutWithAPasswordSkipsTheProvider(t *testing.T) {
	h, b := open(t), newBrowser(t)
	if _, err := h.Access.AddUser(t.Context(),
		access.Grant{Name: "berta", Role: access.RoleViewer, By: "test", At: time.Now()},
		"vier Pferde im Regen"); err != nil {
		t.Fatal(err)
	}
	resp, err := b.PostForm(h.url+"/login", url.Values{"name": {"berta"}, "password": {"vier Pferde im Regen"}})
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if !b.in(h) {
		t.Fatal("she is not signed in")
	}
	if out := b.send(http.MethodPost, h.url+"/logout"); out.Request.URL.String() != h.url+"/login" ||
		h.op.Asked("/end_session") != 0 {
		t.Errorf("signing out ends at %s", out.Request.URL)
	}
}

// TestASignInIsValidOnceInItsBrowser: a provider's response is valid once, for a short time, and
// only in the browser that began the sign-in.
func TestASignInIsValidOnceInItsBrowser(t *testing.T) {
	h := open(t)
	mine, other := newBrowser(t), newBrowser(t)
	at := mine.upTo(h)
	says(t, other.get(at), http.StatusBadRequest, "This browser did not start that sign-in")
	if other.in(h) {
		t.Fatal("a link signs another browser in")
	}
	other.upTo(h) // gives it its own state
	says(t, other.get(at), http.StatusBadRequest, "This browser did not start that sign-in")
	cookies := mine.Jar.Cookies(mustURL(t, h.url))
	if a := mine.get(at); a.Request.URL.Path != "/runs" || !mine.in(h) {
		t.Fatalf("the browser that began it gets to %s: %s", a.Request.URL, a.text)
	}
	says(t, mine.get(at), http.StatusBadRequest, "This browser did not start that sign-in")

	replayed := newBrowser(t)
	replayed.Jar.SetCookies(mustURL(t, h.url), cookies)
	says(t, replayed.get(at), http.StatusBadRequest, "took too long or was already finished")

	for _, wrong := range []string{"", "x", strings.Repeat("x", 5000)} {
		b := newBrowser(t)
		u := mustURL(t, b.upTo(h))
		q := u.Query()
		q.Set("state", wrong)
		u.RawQuery = q.Encode()
		says(t, b.get(u.String()), http.StatusBadRequest, "This browser did not start that sign-in")
	}
	says(t, newBrowser(t).get(h.url+"/login/callback"), http.StatusBadRequest, "This browser did not start that sign-in")

	late := newBrowser(t)
	at = late.upTo(h)
	h.ahead = access.SignInLife + time.Second
	says(t, late.get(at), http.StatusBadRequest, "took too long")
}

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestTheCookieOfASignIn(t *testing.T) {
	h := open(t)
	for proto, name := range map[string]string{"http": "gpuledger-signin", "https": "__Host-gpuledger-signin"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.url+"/login/oidc?back=//evil.example", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-Proto", proto)
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		c := resp.Cookies()[0]
		to, err := resp.Location()
		if err != nil {
			t.Fatal(err)
		}
		if c.Name != name || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
			c.Secure != (proto == "https") || c.MaxAge != 600 || c.Value != to.Query().Get("state") {
			t.Errorf("%s: the cookie is %+v", proto, c)
		}
		q := to.Query()
		if q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("nonce") == "" ||
			q.Get("response_type") != "code" || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: it redirects to %s", proto, to)
		}
	}
	var backs string
	if err := h.Pool.QueryRow(t.Context(),
		"select string_agg(back, ' ') from sign_in_requests").Scan(&backs); err != nil || backs != "/ /" {
		t.Errorf("it returns to %s: %v", backs, err)
	}
}

// TestRefusedUsersAreToldWhy in one sentence, and the log has more detail.
func TestRefusedUsersAreToldWhy(t *testing.T) {
	h := open(t)
	host := strings.TrimPrefix(h.op.Issuer, "http://")
	try := func() answer { return newBrowser(t).get(h.url + "/login/oidc") }
	audited := func(reason string) {
		t.Helper()
		var n int
		if err := h.Pool.QueryRow(t.Context(),
			"select count(*) from audit_log where action = 'sign-in failed' and actor = 'carla' and strpos(detail, $1) > 0",
			reason).Scan(&n); err != nil || n != 1 {
			t.Errorf("the audit log has %d refusals for %s: %v", n, reason, err)
		}
	}
	h.op.SignsIn(carla("chess"))
	says(t, try(), http.StatusForbidden, "None of your groups has a role here.")
	audited("none of your groups has a role here")

	h.op.SignsIn(optest.User{Subject: "u-1", Claims: map[string]any{"preferred_username": "carla"}})
	says(t, try(), http.StatusForbidden, host+" does not send your groups")

	h.op.SignsIn(optest.User{
		Subject: "u-1", Claims: map[string]any{
			"_claim_names":   map[string]any{"groups": "a"},
			"_claim_sources": map[string]any{"a": map[string]any{"endpoint": "https://graph.example"}},
		},
	})
	says(t, try(), http.StatusForbidden, "groups overage")

	h.op.SignsIn(carla("speech"))
	h.op.Misbehave(optest.Faults{Nonce: "another"})
	says(t, try(), http.StatusBadGateway, "The provider&#39;s answer cannot be trusted. Try again")
	h.op.Misbehave(optest.Faults{Forge: optest.Unsigned})
	says(t, try(), http.StatusBadGateway, "The provider&#39;s answer cannot be trusted. Try again")
	h.op.Misbehave(optest.Faults{})
	if log := h.log.String(); !strings.Contains(log, "nonce") || !strings.Contains(log, "none") {
		t.Errorf("the log says:\n%s", log)
	}

	b := newBrowser(t)
	u := mustURL(t, b.upTo(h))
	u.RawQuery = url.Values{
		"state": {u.Query().Get("state")}, "error": {"access_denied"}, "error_description": {"call 0900-EVIL"},
	}.Encode()
	a := b.get(u.String())
	says(t, a, http.StatusForbidden, host+" did not let you in")
	if strings.Contains(a.text, "EVIL") {
		t.Error("the page shows text of the address")
	}

	var users int
	if err := h.Pool.QueryRow(t.Context(), "select count(*) from users").Scan(&users); err != nil || users != 0 {
		t.Errorf("%d users were created: %v", users, err)
	}

	if b := newBrowser(t); b.get(h.url+"/login/oidc").StatusCode != http.StatusOK || !b.in(h) {
		t.Error("she is not let in")
	}
	if err := h.Access.DisableUser(t.Context(), "carla", "test", time.Now()); err != nil {
		t.Fatal(err)
	}
	says(t, try(), http.StatusForbidden, "Your account is disabled here")
}

func TestAProviderThatIsDown(t *testing.T) {
	h, b := open(t), newBrowser(t)
	h.op.Misbehave(optest.Faults{Down: true})
	says(t, b.get(h.url+"/login/oidc"), http.StatusBadGateway, "does not answer like an OpenID provider. Try again")
	h.op.Misbehave(optest.Faults{})
	h.ahead = 5 * time.Second
	if b.get(h.url + "/login/oidc"); !b.in(h) {
		t.Error("the provider is up again, and the sign-in fails")
	}
	h.op.Misbehave(optest.Faults{Down: true})
	h.ahead = 90 * time.Minute // the cached discovery document has expired
	if out := b.send(http.MethodPost, h.url+"/logout"); out.Request.URL.Path != "/login" || b.in(h) {
		t.Errorf("signing out fails: %s", out.Request.URL)
	}
}

func TestWithoutAProvider(t *testing.T) {
	s := storetest.New(t)
	answers, err := web.New(web.Deps{
		Reader: s, Now: time.Now, Door: s.Access, Gate: gate.New(gate.Options{Keeper: s.Access, Now: time.Now}),
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(answers)
	defer server.Close()
	b := newBrowser(t)
	for _, path := range []string{"/login/oidc", "/login/callback?state=x&code=y"} {
		a := b.get(server.URL + path)
		says(t, a, http.StatusNotFound, "No sign-in provider is configured")
		if strings.Contains(a.text, "/login/oidc") {
			t.Error("the page links to a provider")
		}
	}
}
