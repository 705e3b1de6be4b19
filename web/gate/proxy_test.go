package gate_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/web/gate"
)

// guests admits every user whom the proxy names, except dora, who is disabled.
type guests struct {
	asked   []string // issuer, subject, role and conditions of each call
	refused []string
	secret  string // of the last call
}

func (g *guests) Proxied(_ context.Context, who access.Identity, role access.Role, conditions []string,
	secret string, _ access.Origin, _ time.Time) (*access.Viewer, error) {
	g.asked, g.secret = append(g.asked,
		strings.Join(append([]string{who.Issuer, who.Subject, string(role)}, conditions...), " ")), secret
	switch who.Subject {
	case "dora":
		return nil, &access.RefusedError{Reason: "you are disabled here"}
	case "broken":
		return nil, errors.New("the database is away")
	}
	return &access.Viewer{Kind: access.ByProxy, ID: who.Subject, Name: who.Name, Role: role}, nil
}

func (g *guests) RefuseSignIn(
	_ context.Context, who access.Identity, reason string, _ access.Origin, _ time.Time,
) error {
	g.refused = append(g.refused, who.Name+": "+reason)
	return nil
}

// secrets keeps tokens and sessions: "glt_" with 43 a is an ingest token.
type secrets struct{ kept }

var tokenOf = "glt_" + strings.Repeat("a", 43)

func (*secrets) Token(_ context.Context, token string, _ time.Time) (*access.Viewer, error) {
	if token == tokenOf {
		return &access.Viewer{Kind: access.ByToken, ID: "9", Name: "grafana", Role: access.RoleViewer}, nil
	}
	return nil, nil
}

// fronted is a gate behind a sign-in proxy at 10.0.0.7; other proxies in 10.0.0.0/8 are believed only
// about addresses.
func fronted() (http.Handler, *guests) {
	known := &guests{}
	keeper := &secrets{
		kept{
			sessions: map[string]*access.Viewer{"local": {Kind: access.BySession, ID: "1", Name: "ada", Role: access.RoleAdmin}},
		},
	}
	g := gate.New(gate.Options{Keeper: keeper, Now: func() time.Time { return time.Unix(1_793_577_600, 0) },
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Proxy: &gate.Proxy{From: []netip.Prefix{netip.MustParsePrefix("10.0.0.7/32"),
			netip.MustParsePrefix("2001:db8::7/128")},
			UserHeader: "X-Forwarded-User", GroupsHeader: "X-Forwarded-Groups", Guests: known,
			Groups: []access.Mapping{
				{Group: "speech", Role: access.RoleTeamLead, Conditions: []string{"team = 'speech'"}},
				{Group: "gpu-admins", Role: access.RoleAdmin},
			}}})
	g.TurningAway(func(w http.ResponseWriter, _ *http.Request, status int, name, reason string) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte("page: " + name + ": " + reason))
	})
	r := chi.NewRouter()
	r.Use(g.Check(r))
	who := func(w http.ResponseWriter, r *http.Request) {
		name := "nobody"
		if v := access.From(r.Context()); v != nil {
			name = v.Name
		}
		_, _ = w.Write([]byte(name))
	}
	for _, path := range []string{
		"/", "/account", "/login", "/livez", "/static/*", "/people", "/metrics", "/api/v1/{dataset}",
	} {
		r.Get(path, who)
	}
	r.Post("/account/end", who)
	r.Post("/people", who)
	r.Post("/login", who)
	return r, known
}

// request is a request from an address, with the headers unchanged.
func request(method, path, peer string, header http.Header) *http.Request {
	q := httptest.NewRequest(method, path, strings.NewReader(""))
	q.RemoteAddr = peer + ":5000"
	if strings.Contains(peer, "::") {
		q.RemoteAddr = "[" + peer + "]:5000"
	}
	maps.Copy(q.Header, header)
	return q
}

const user, groups = "X-Forwarded-User", "X-Forwarded-Groups"

// User headers are read only from the sign-in proxy: on no route from other peers, in any
// spelling.
func TestOnlyTheNamedProxySaysWhoAsks(t *testing.T) {
	const proxy = "10.0.0.7"
	peers := []string{proxy, "2001:db8::7", "::ffff:10.0.0.7", "10.0.0.8", "192.0.2.1", "127.0.0.1", "2001:db8::8"}
	said := map[string]http.Header{
		"absent":       {},
		"empty":        {user: {""}, groups: {""}},
		"said":         {user: {"carla"}, groups: {"chess, gpu-admins"}},
		"of case":      {"x-forwarded-user": {"carla"}, "X-FORWARDED-GROUPS": {"gpu-admins"}},
		"underscores":  {"X_Forwarded_User": {"carla"}, "X_forwarded_user": {"carla"}, "X_Forwarded_Groups": {"gpu-admins"}},
		"twice":        {user: {"carla", "carla"}, groups: {"gpu-admins"}},
		"joined":       {user: {"eve, carla"}, groups: {"gpu-admins"}},
		"groups twice": {user: {"carla"}, groups: {"gpu-admins", "speech"}},
		"control":      {user: {"car\tla"}, groups: {"gpu-admins"}},
		"no text":      {user: {"car\xffla"}, groups: {"gpu-admins"}},
		"too long":     {user: {strings.Repeat("x", 256)}, groups: {"gpu-admins"}},
		"long groups":  {user: {"carla"}, groups: {strings.Repeat("x", 16<<10) + ",gpu-admins"}},
		"no groups":    {user: {"carla"}},
		"other groups": {user: {"carla"}, groups: {"chess,,"}},
		"disabled":     {user: {"dora"}, groups: {"gpu-admins"}},
		"invisible":    {user: {"\u202e\u200b"}, groups: {"gpu-admins"}},
		"and forwarded": {
			user: {"carla"}, groups: {"gpu-admins"}, "X-Forwarded-For": {"10.0.0.7"}, "X-Real-Ip": {"10.0.0.7"},
		},
	}
	// Status for a request from the sign-in proxy; 0: its headers are ignored.
	want := map[string]int{"said": 200, "and forwarded": 200, "twice": 400, "joined": 400, "groups twice": 400,
		"control": 400, "no text": 400,
		"too long": 400, "long groups": 400, "invisible": 400, "no groups": 403, "other groups": 403, "disabled": 403}
	routes := []struct {
		method, path string
		open         bool
	}{
		{"GET", "/", false}, {"GET", "/account", false}, {"GET", "/people", false}, {"GET", "/api/v1/costs", false},
		{"POST", "/people", false}, {"POST", "/account/end", false}, {"GET", "/metrics", false}, {"GET", "/nowhere", false},
		{"GET", "/login", true}, {"POST", "/login", true}, {"GET", "/livez", true}, {"GET", "/static/x.css", true},
	}
	for name, header := range said {
		for _, peer := range peers {
			for _, route := range routes {
				if route.path == "/metrics" && peer == "127.0.0.1" { // open to this machine without a user
					continue
				}
				h, known := fronted()
				q := request(route.method, route.path, peer, header)
				q.Header.Set("Sec-Fetch-Site", "same-origin")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, q)
				at := name + " from " + peer + " at " + route.method + " " + route.path
				believed := slices.Contains(peers[:3], peer) && want[name] != 0
				switch {
				case route.open:
					if w.Code != http.StatusOK || w.Body.String() != "nobody" || len(known.asked) > 0 {
						t.Errorf("%s: %d %s", at, w.Code, w.Body)
					}
				case !believed:
					if len(known.asked) > 0 || w.Code != http.StatusUnauthorized &&
						(w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/login")) {
						t.Errorf("%s is believed: %d %s %q", at, w.Code, w.Body, known.asked)
					}
				case route.path == "/nowhere" && want[name] == 200:
					if w.Code != http.StatusNotFound {
						t.Errorf("%s: %d", at, w.Code)
					}
				case w.Code != want[name] || w.Code == 200 && w.Body.String() != "carla":
					t.Errorf("%s: %d %s, want %d", at, w.Code, w.Body, want[name])
				}
			}
		}
	}
}

func TestProxyHeadersAreRead(t *testing.T) {
	h, known := fronted()
	ask := func(q *http.Request) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w
	}
	for _, in := range []string{"speech", " speech ,,chess", "speech,gpu-admins"} {
		ask(request("GET", "/", "10.0.0.7", http.Header{user: {"u-1@example.com"}, groups: {in}}))
	}
	if got, want := known.asked, []string{
		"proxy u-1@example.com team_lead team = 'speech'",
		"proxy u-1@example.com team_lead team = 'speech'", "proxy u-1@example.com admin",
	}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
	for range 3 {
		w := ask(request("GET", "/", "10.0.0.7", http.Header{user: {"emil"}, groups: {"chess"}}))
		if w.Code != http.StatusForbidden || w.Body.String() != "page: emil: none of your groups has a role here" {
			t.Errorf("whose groups give nothing: %d %s", w.Code, w.Body)
		}
	}
	if w := ask(request("GET", "/api/v1/costs", "10.0.0.7",
		http.Header{user: {"emil"}, groups: {"chess"}})); w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("a program is answered %d %s", w.Code, w.Body)
	}
	if !slices.Equal(known.refused, []string{"emil: none of your groups has a role here"}) { // once a minute
		t.Errorf("the log says %q", known.refused)
	}
	if w := ask(request("GET", "/", "10.0.0.7",
		http.Header{user: {"broken"}, groups: {"speech"}})); w.Code != http.StatusInternalServerError {
		t.Errorf("where the store fails: %d", w.Code)
	}
}

// An API token takes precedence over the proxy's headers, and these over a session. An invalid
// one fails, even if the next would be valid.
func TestTokenThenProxyThenSession(t *testing.T) {
	named, another := http.Header{user: {"carla"}, groups: {"gpu-admins"}}, http.Header{}
	for _, c := range []struct {
		name, peer, bearer, cookie string
		header                     http.Header
		status                     int
		who                        string
	}{
		{"a token", "10.0.0.7", tokenOf, "", named, 200, "grafana"},
		{"a token that is none any more", "10.0.0.7", "glt_" + strings.Repeat("b", 43), "", named, 401, ""},
		{"the proxy's own token", "10.0.0.7", "eyJhbGciOiJSUzI1NiJ9.e30.x", "", named, 200, "carla"},
		{"a foreign token without a proxy", "192.0.2.1", "eyJhbGciOiJSUzI1NiJ9.e30.x", "local", named, 401, ""},
		{"a session of somebody else", "10.0.0.7", "", "local", named, 200, "carla"},
		{"a session where the proxy names nobody", "10.0.0.7", "", "local", another, 200, "ada"},
		{"a session without the proxy", "192.0.2.1", "", "local", named, 200, "ada"},
	} {
		h, known := fronted()
		q := request("GET", "/", c.peer, c.header)
		if c.bearer != "" {
			q.Header.Set("Authorization", "Bearer "+c.bearer)
		}
		if c.cookie != "" {
			q.AddCookie(&http.Cookie{Name: "gpuledger-session", Value: c.cookie})
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		if w.Code != c.status || c.status == 200 && w.Body.String() != c.who {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
		if c.status == 401 && !strings.Contains(w.Body.String(), `"type":"urn:gpuledger:problem:not-signed-in"`) {
			t.Errorf("%s: %s", c.name, w.Body)
		}
		if c.who == "carla" && known.secret != c.cookie {
			t.Errorf("%s: session %q came along", c.name, known.secret)
		}
	}
}

// Browsers may send the proxy's cookie with requests from any site, so requests from another site are
// refused as if it were our own cookie, which is SameSite=Lax.
func TestAnotherSiteAsksForNothingByTheProxy(t *testing.T) {
	for _, c := range []struct {
		method string
		header []string
		want   int
	}{
		{"POST", nil, 403},
		{"POST", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"POST", []string{"Sec-Fetch-Site", "cross-site", "Origin", "http://example.com"}, 403},
		{"POST", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"POST", []string{"Origin", "https://evil.example"}, 403},
		{"POST", []string{"Origin", "null"}, 403},
		{"POST", []string{"Origin", "http://example.com"}, 200},
		{"POST", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"GET", nil, 200},
		{"GET", []string{"Sec-Fetch-Site", "none"}, 200},
		{"GET", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"GET", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"GET", []string{"Sec-Fetch-Site", "cross-site"}, 403},
	} {
		h, known := fronted()
		q := request(c.method, "/people", "10.0.0.7", http.Header{user: {"carla"}, groups: {"gpu-admins"}})
		for i := 0; i+1 < len(c.header); i += 2 {
			q.Header.Set(c.header[i], c.header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		if w.Code != c.want || c.want == 403 && len(known.asked) > 0 {
			t.Errorf("%s with %v: %d %s", c.method, c.header, w.Code, w.Body)
		}
	}
}
