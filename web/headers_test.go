package web_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/dashboard"
	"gpuledger/web/gate"
	"gpuledger/web/limit"
)

// Changes that another site makes a browser send are refused, for every user and
// content type; requests of this server's pages and of programs pass.
func TestNoRouteTakesChangesFromAnotherSite(t *testing.T) {
	for name, s := range map[string]*whole{"on": wholeServer(t, true), "off": wholeServer(t, false)} {
		count := 0
		for _, r := range s.walk(t) {
			if slices.Contains([]string{"GET", "OPTIONS", "TRACE", "CONNECT", "QUERY"}, r.method) {
				continue
			}
			count++
			for _, foreign := range [][]string{
				{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"},
				{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"},
				{"Sec-Fetch-Site", "same-site"}, {"Origin", "null"}, {"Origin", "http://example.com:81"},
				{"Origin", "https://evil.example", "Content-Type", "text/plain"},
			} {
				before := len(s.office.asked)
				w := s.ask(r, append(foreign, as("admin")...)...)
				if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "cross-origin") ||
					len(s.office.asked) != before || w.Header().Get("Set-Cookie") != "" {
					t.Errorf("access control %s: %s from %v: %d %s", name, r, foreign, w.Code, w.Body)
				}
			}
			for _, own := range [][]string{
				{"Origin", "http://example.com", "Sec-Fetch-Site", "same-origin"},
				{"Origin", "http://example.com"}, {"Sec-Fetch-Site", "none"}, nil,
			} {
				if w := s.ask(r, append(own, as("admin")...)...); strings.Contains(w.Body.String(), "cross-origin") {
					t.Errorf("access control %s: %s from %v: %d %s", name, r, own, w.Code, w.Body)
				}
			}
		}
		if count < 15 {
			t.Errorf("access control %s: only %d routes change anything", name, count)
		}
	}
}

// No GET request changes users, tokens or scopes, for any user.
func TestReadingChangesNothingOfAccess(t *testing.T) {
	s := wholeServer(t, true)
	for _, r := range s.walk(t) {
		if r.method != http.MethodGet {
			continue
		}
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions} {
			s.ask(route{method, r.pattern}, as("admin")...)
		}
	}
	if len(s.office.asked) != 0 {
		t.Errorf("reading did %q", s.office.asked)
	}
}

// soundHeaders lists missing or wrong headers of an answer.
func soundHeaders(w *httptest.ResponseRecorder) (faults []string) {
	h := w.Header()
	csp := h.Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'self'", "script-src 'self';", "style-src 'self';",
		"object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'",
	} {
		if !strings.Contains(csp, part) {
			faults = append(faults, "no "+part)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
		faults = append(faults, csp)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if h.Get(name) != want {
			faults = append(faults, name+": "+h.Get(name))
		}
	}
	if p := h.Get("Referrer-Policy"); p != "same-origin" && p != "no-referrer" {
		faults = append(faults, "Referrer-Policy: "+p)
	}
	if h.Get("Permissions-Policy") == "" {
		faults = append(faults, "no Permissions-Policy")
	}
	if h.Get("Content-Type") == "" && w.Body.Len() > 0 {
		faults = append(faults, "no Content-Type")
	}
	return faults
}

// Every answer has the security headers, and only static files may be cached by
// servers in between: for every route, with and without the right, for wrong
// host names, wrong addresses and requests of other sites.
func TestEveryAnswerHasTheHeadersOfSecurity(t *testing.T) {
	for name, s := range map[string]*whole{
		"on": wholeServer(t, true, "example.com"), "off": wholeServer(t, false, "example.com"),
	} {
		seen := map[int]int{}
		check := func(what string, static bool, w *httptest.ResponseRecorder) {
			t.Helper()
			seen[w.Code]++
			faults := soundHeaders(w)
			if c := w.Header().Get("Cache-Control"); !static && !strings.Contains(c, "no-store") &&
				!strings.Contains(c, "private") {
				faults = append(faults, "Cache-Control: "+c)
			}
			if len(faults) > 0 {
				t.Errorf("access control %s: %s is %d: %q", name, what, w.Code, faults)
			}
		}
		for _, r := range s.walk(t) {
			static := r.pattern == "/static/*"
			for who, header := range map[string][]string{
				"admin": as("admin"), "team_lead": as("team_lead"), "nobody": nil, "a program": {"Authorization", "Bearer analyst"},
				"a stranger by token": {"Authorization", "Bearer x"}, "another name": {"Host", "evil.example"},
				"another site": {"Sec-Fetch-Site", "cross-site"}, "a part of a page": {"HX-Request", "true"},
			} {
				check(r.String()+" of "+who, static && shown(who), s.ask(r, header...))
			}
		}
		for _, path := range []string{"/none", "/api/v1/none", "/api/v1/costs?basis=x", "/?from=x", "/%00", "/runs/%ff",
			"/?q=" + strings.Repeat("x", 17<<10), "/api/v1/costs?format=csv", "/api/v1/runs?format=parquet"} {
			check(path, false, get(t, s, path, as("admin")...))
		}
		for _, code := range []int{
			http.StatusOK, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound,
			http.StatusRequestURITooLong, http.StatusMisdirectedRequest,
		} {
			if seen[code] == 0 {
				t.Errorf("access control %s: nothing answered %d: %v", name, code, seen)
			}
		}
		if name == "on" && (seen[http.StatusSeeOther] == 0 || seen[http.StatusUnauthorized] == 0) {
			t.Errorf("nobody was asked who he is: %v", seen)
		}
	}
}

// shown reports whether static files are shown.
func shown(who string) bool { return who != "another name" && who != "another site" }

// Strict-Transport-Security is sent only if the browser speaks TLS, to this server or to a named
// proxy.
func TestStrictTransportIsAskedForWhereTLSIsSpoken(t *testing.T) {
	_, o := opened(t)
	g := gate.New(gate.Options{
		Keeper: o, Now: func() time.Time { return noon }, Pages: dashboard.PageNeeds(),
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	})
	h, err := web.New(web.Deps{Reader: dashtest.New(), Gate: g, Door: porter{o}, Keeper: o})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		peer, proto string
		tls, want   bool
	}{{"10.1.1.1:1", "https", false, true}, {"10.1.1.1:1", "http", false, false},
		{"192.0.2.1:1", "https", false, false}, {"192.0.2.1:1", "", true, true}} {
		for _, path := range []string{"/login", "/", "/none", "/livez", "/static/none"} {
			q := httptest.NewRequest(http.MethodGet, path, nil)
			q.RemoteAddr = c.peer
			q.Header.Set("X-Forwarded-Proto", c.proto)
			if c.tls {
				q.TLS = &tls.ConnectionState{}
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, q)
			if got := w.Header().Get("Strict-Transport-Security") != ""; got != c.want {
				t.Errorf("%s from %s, %s, TLS %v: strict transport is %v", path, c.peer, c.proto, c.tls, got)
			}
		}
	}
}

// A session cookie cannot be read by scripts, is bound to this host with TLS,
// is not sent from other sites, and is new after each sign-in.
func TestTheCookieOfASessionIsBound(t *testing.T) {
	_, o := opened(t)
	g := gate.New(gate.Options{
		Keeper: o, Now: func() time.Time { return noon }, Pages: dashboard.PageNeeds(),
		Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
	})
	h, err := web.New(web.Deps{Reader: dashtest.New(), Gate: g, Door: porter{o}, Keeper: o})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, peer string
		tls        bool
		want       string
	}{
		{"in the clear", "192.0.2.1:1", false, "gpuledger-session=viewer; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"},
		{"by TLS", "192.0.2.1:1", true, "__Host-gpuledger=viewer; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax"},
		{
			"behind a proxy", "10.0.0.1:1", false,
			"__Host-gpuledger=viewer; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax",
		},
	} {
		request := func(method, path string, cookies ...string) *httptest.ResponseRecorder {
			q := httptest.NewRequest(method, path, strings.NewReader(url.Values{"name": {"otto"}, "password": {"x"}}.Encode()))
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			q.Header.Set("X-Forwarded-Proto", "https")
			if q.RemoteAddr = c.peer; c.tls {
				q.TLS = &tls.ConnectionState{}
			}
			for _, cookie := range cookies {
				q.Header.Add("Cookie", cookie)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, q)
			return w
		}
		w := request(http.MethodPost, "/login")
		if got := w.Header().Get("Set-Cookie"); got != c.want || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		name, _, _ := strings.Cut(c.want, "=")
		out := request(http.MethodPost, "/logout", name+"=viewer").Header()
		if got := out.Get("Set-Cookie"); !strings.HasPrefix(got, name+"=; Path=/; Max-Age=0") ||
			out.Get("Clear-Site-Data") != `"cache"` {
			t.Errorf("%s: signing out leaves %q and what was read", c.name, got)
		}
		if w := request(http.MethodGet, "/account", name+"=viewer"); w.Code != http.StatusOK {
			t.Errorf("%s: its own cookie is not known: %d", c.name, w.Code)
		}
		// A cookie that the network could have set without TLS is not accepted over TLS.
		other := map[string]string{"__Host-gpuledger": "gpuledger-session", "gpuledger-session": "__Host-gpuledger"}[name]
		if w := request(http.MethodGet, "/account", other+"=viewer"); w.Code != http.StatusSeeOther {
			t.Errorf("%s: %s stands for %s: %d", c.name, other, name, w.Code)
		}
	}
}

// Requests for other host names get 421 on every route, with and without access
// control; addresses, localhost and the given names are accepted.
func TestForeignNamesAreRefusedOnEveryRoute(t *testing.T) {
	for name, s := range map[string]*whole{
		"on": wholeServer(t, true, "gpu.example.com"), "off": wholeServer(t, false, "gpu.example.com"),
	} {
		for _, r := range s.walk(t) {
			for _, host := range []string{
				"evil.example", "gpu.example.com.evil.example", "localhost.evil.example",
				"127.0.0.1.evil.example", "", "gpu.example.com@evil.example", "[evil]",
			} {
				if w := s.ask(r, append([]string{"Host", host}, as("admin")...)...); w.Code != http.StatusMisdirectedRequest {
					t.Errorf("access control %s: %s of %q: %d", name, r, host, w.Code)
				}
			}
			for _, host := range []string{
				"127.0.0.1:8080", "[::1]:8080", "192.0.2.9", "localhost", "LocalHost:1", "GPU.example.com", "gpu.example.com:443",
			} {
				if w := s.ask(r, append([]string{"Host", host}, as("admin")...)...); w.Code == http.StatusMisdirectedRequest {
					t.Errorf("access control %s: %s of %q is refused", name, r, host)
				}
			}
		}
	}
}

// A client that sends too many requests gets 429, and others are
// answered, also from the same address. Health checks, static files and telemetry are not limited.
func TestOneClientCannotTakeAll(t *testing.T) {
	_, o := opened(t)
	for _, name := range []string{"otto", "olga"} {
		o.sessions[name] = &access.Viewer{Kind: access.ByToken, ID: name, Name: name, Role: access.RoleAdmin}
	}
	taken := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	g := gate.New(gate.Options{
		Keeper: o, Now: func() time.Time { return noon }, Pages: dashboard.PageNeeds(), Receivers: []string{receiver},
	})
	h, err := web.New(web.Deps{Reader: dashtest.New(), Gate: g, Door: porter{o}, Keeper: o,
		Receivers: map[string]http.Handler{receiver: taken},
		Guard:     limit.New(limit.Options{Limits: limit.Limits{Rate: 2}})})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, from, token string) *httptest.ResponseRecorder {
		q := httptest.NewRequest(method, path, nil)
		q.RemoteAddr = from
		q.Header.Set("X-Forwarded-For", "198.51.100."+token) // not believed
		if token != "" {
			q.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w
	}
	flood := func(path, from, token string) *httptest.ResponseRecorder {
		for range 60 { // 20 in ten seconds pass, even across windows
			if w := ask(http.MethodGet, path, from, token); w.Code == http.StatusTooManyRequests {
				return w
			}
		}
		return ask(http.MethodGet, path, from, token)
	}
	w := flood("/api/v1/none", "192.0.2.1:1", "otto")
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "10" ||
		w.Header().Get("Content-Type") != "application/problem+json" || len(soundHeaders(w)) > 0 {
		t.Errorf("a program that asks too often: %d, %v", w.Code, w.Header())
	}
	if w := ask(http.MethodGet, "/account", "198.51.100.1:1", "otto"); w.Code != http.StatusTooManyRequests ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("from another address it is another: %d", w.Code)
	}
	for range 3 {
		if w := ask(http.MethodGet, "/account", "192.0.2.1:1", "olga"); w.Code != http.StatusOK {
			t.Errorf("another at the same address: %d", w.Code)
		}
	}
	for _, free := range []route{{"GET", "/livez"}, {"GET", "/readyz"}, {"POST", receiver}, {"GET", "/static/none.css"}} {
		for range 50 {
			if w := ask(free.method, free.pattern, "192.0.2.1:1", "otto"); w.Code == http.StatusTooManyRequests {
				t.Fatalf("%s is refused", free)
			}
		}
	}
	if w := flood("/login", "192.0.2.7:1", ""); w.Code != http.StatusTooManyRequests {
		t.Errorf("an address that asks too often for the sign-in: %d", w.Code)
	}
	if w := ask(http.MethodGet, "/api/v1/none", "192.0.2.7:1", "unknown"); w.Code != http.StatusTooManyRequests {
		t.Errorf("and then guesses tokens: %d", w.Code)
	}
	if w := ask(http.MethodGet, "/login", "192.0.2.8:1", ""); w.Code != http.StatusOK {
		t.Errorf("another address: %d", w.Code)
	}
	flood("/login", "[2001:db8::1]:1", "")
	if w := ask(http.MethodGet, "/login", "[2001:db8::ffff:1]:1", ""); w.Code != http.StatusTooManyRequests {
		t.Errorf("another address of the same network: %d", w.Code)
	}
}
