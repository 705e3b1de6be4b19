package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const frontConfig = `sources: []
access:
  proxy:
    user_header: X-Forwarded-User
    groups_header: X-Forwarded-Groups
    addresses: [127.0.0.2]
    sign_out_url: /oauth2/sign_out
    groups:
      - {group: gpu-admins, role: admin}
      - {group: speech, role: team_lead, scope: ["team = 'speech'"]}
`

// signingProxy is a proxy in front that signs people in under the name that the test sets. It drops the same headers
// from clients.
type signingProxy struct {
	mu           sync.Mutex
	user, groups string
}

func (p *signingProxy) signsIn(user, groups string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.user, p.groups = user, groups
}

// before starts a proxy at an address of this machine in front of a server.
func (p *signingProxy) before(t *testing.T, server, address string) *httptest.Server {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).DialContext}
	front := httptest.NewServer(&httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
		r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
		r.SetXForwarded()
		p.mu.Lock()
		defer p.mu.Unlock()
		r.Out.Header.Del("X-Forwarded-User")
		r.Out.Header.Del("X-Forwarded-Groups")
		if p.user != "" {
			r.Out.Header.Set("X-Forwarded-User", p.user)
			r.Out.Header.Set("X-Forwarded-Groups", p.groups)
		}
	}})
	t.Cleanup(func() { front.Close(); transport.CloseIdleConnections() })
	return front
}

// TestAProxySignsPeopleIn serves behind such a proxy; other clients send the same headers.
func TestAProxySignsPeopleIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gpuledger.yaml")
	if err := os.WriteFile(file, []byte(frontConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	db := freshDatabase(t)
	d := openDoor(t, db, "--config="+file, "serve", "--proxy=127.0.0.2", "--proxy=127.0.0.4")
	admin := d.browser(t, "127.0.0.3")
	admin.welcomed(t, d.out.String(), adminsPassword)
	must(t, db, "user", "add", "otto", "--role=viewer", "--scope=team = 'x'")

	p := &signingProxy{}
	behind := func(address string) *browser { // a client behind a proxy at an address
		at := *d
		at.url = p.before(t, d.url, address).URL
		return at.browser(t, "127.0.0.1")
	}
	carla := behind("127.0.0.2")
	says := func(b *browser, path string, want int, text string, header ...string) {
		t.Helper()
		if status, _, page := b.send(t, path, nil, header...); status != want || !strings.Contains(page, text) {
			t.Errorf("%s answers %d, want %d with %q: %s", path, status, want, text, clip(page))
		}
	}

	// The user whom the proxy names is signed in, without a cookie; the proxy drops the user's own headers.
	p.signsIn("carla", "speech, chess")
	says(carla, "/account", http.StatusOK, "You are signed in as carla.", "X-Forwarded-User", "admin",
		"x-forwarded-groups", "gpu-admins")
	says(carla, "/account", http.StatusOK, "team lead")
	says(carla, "/people", http.StatusForbidden, "")
	says(carla, "/api/v1/costs", http.StatusOK, `"data"`)
	if carla.session() != "" {
		t.Error("she is given a session")
	}
	if status, head, _ := carla.send(t, "/login?back=/runs", nil); status != http.StatusSeeOther ||
		head.Get("Location") != "/runs" {
		t.Errorf("the page to sign in at: %d to %s", status, head.Get("Location"))
	}
	// The current groups count, and another name is another user.
	p.signsIn("carla", "gpu-admins")
	says(carla, "/people", http.StatusOK, "signs in at")
	p.signsIn("carla", "chess")
	says(carla, "/account", http.StatusForbidden, "None of your groups has a role here.")
	p.signsIn("eve, carla", "gpu-admins")
	says(carla, "/account", http.StatusBadRequest, "has several values")
	p.signsIn("", "")
	if status, head, _ := carla.send(t, "/account", nil); status != http.StatusSeeOther ||
		!strings.HasPrefix(head.Get("Location"), "/login") {
		t.Errorf("whom the proxy names not any more: %d", status)
	}

	// No other client can state a name: not past the proxy, and not through a proxy that is trusted only for addresses.
	for name, b := range map[string]*browser{
		"past it": d.browser(t, "127.0.0.3"), "of the machine": d.browser(t, "127.0.0.1"),
	} {
		for _, header := range []string{"X-Forwarded-User", "x-forwarded-user", "X_Forwarded_User", "X-FORWARDED-USER"} {
			if status, _, _ := b.send(t, "/account", nil, header, "ada", "X-Forwarded-Groups", "gpu-admins", "X-Forwarded-For",
				"127.0.0.2"); status != http.StatusSeeOther {
				t.Errorf("%s, %s is believed: %d", name, header, status)
			}
		}
	}
	p.signsIn("ada", "gpu-admins")
	if status, _, _ := behind("127.0.0.4").send(t, "/account", nil); status != http.StatusSeeOther {
		t.Errorf("a proxy that is none of the addresses is believed: %d", status)
	}
	if !admin.isIn(t) { // signed in with a password, past the proxy
		t.Error("the admin is out")
	}

	// A change comes from one of our pages. An admin sees as another user while the proxy names the admin, and no
	// longer.
	ada := behind("127.0.0.2")
	seeAs := url.Values{"name": {"otto"}}
	if status, _, page := ada.send(t, "/people/see-as", seeAs); status != http.StatusForbidden ||
		!strings.Contains(page, "another site or from a program") {
		t.Errorf("a change that does not say where it is from: %d %s", status, clip(page))
	}
	if status, head, page := ada.send(t, "/people/see-as", seeAs, "Origin", ada.at.url); status != http.StatusSeeOther ||
		head.Get("Location") != "/" {
		t.Fatalf("seeing as: %d %s", status, clip(page))
	}
	says(ada, "/account", http.StatusOK, "You are viewing this as otto.")
	if status, _, _ := ada.send(t, "/people/disable", seeAs, "Origin", ada.at.url); status != http.StatusForbidden {
		t.Errorf("who sees as another changes something: %d", status)
	}
	if status, _, _ := d.browser(t, "127.0.0.3").send(t, "/account", nil, "Cookie",
		"gpuledger-session="+ada.session()); status != http.StatusSeeOther {
		t.Errorf("that session is good past the proxy: %d", status)
	}
	p.signsIn("eve", "gpu-admins")
	says(ada, "/account", http.StatusOK, "You are signed in as eve.")
	p.signsIn("ada", "gpu-admins")
	if status, _, _ := ada.send(t, "/account/myself", url.Values{}, "Origin", ada.at.url); status != http.StatusSeeOther {
		t.Errorf("seeing as himself again: %d", status)
	}
	says(ada, "/account", http.StatusOK, "You are signed in as ada.")
	if status, head, _ := ada.send(t, "/logout", url.Values{}, "Origin", ada.at.url); status != http.StatusSeeOther ||
		head.Get("Location") != "/oauth2/sign_out" {
		t.Errorf("signing out: %d to %s", status, head.Get("Location"))
	}

	// Programs send a token through the proxy as well.
	token := d.tokenOf(t, "viewer", "team = 'x'").token
	says(ada, "/people", http.StatusForbidden, "", "Authorization", "Bearer "+token)
	must(t, db, "user", "disable", "ada")
	says(ada, "/account", http.StatusForbidden, "Your account is disabled here")
}
