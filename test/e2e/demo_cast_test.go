package e2e

import (
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	plainAt  = regexp.MustCompile(`gpuledger is at (http://\S+)`)
	castLink = regexp.MustCompile(`(?m)^  (\S+) .*(http://\S+)(/login/demo\?code=\S+)$`)
)

// demoAsEachRole runs a demo that serves, in an empty database: every visitor sees everything, and through each printed
// link the rights of that user, however often the link is opened. Afterwards none of its links or sessions opens a
// server with access control on the same database.
func demoAsEachRole(t *testing.T, db, dir string) {
	p := start(t, db, "--data-dir="+dir, "--log-level=warn", "demo", "--size=small", "--addr=127.0.0.1:0")
	d := &door{served: served{db: db}, out: &p.out, log: &p.errs, secrets: map[string]string{}}
	var links [][]string
	deadline := time.After(5 * time.Minute) // it simulates, imports and allocates first
	for len(links) < 6 {
		select {
		case <-p.ended:
			t.Fatalf("the demo ended with status %d: %s%s", p.code(), clip(d.out.String()), d.log)
		case <-deadline:
			t.Fatalf("the demo prints no links: %s", clip(d.out.String()))
		case <-time.After(50 * time.Millisecond):
			links = castLink.FindAllStringSubmatch(d.out.String(), -1)
		}
	}
	everybody := &served{db: db, url: plainAt.FindStringSubmatch(d.out.String())[1]}
	if page := everybody.get(t, "/"); !strings.Contains(page, "Open to everyone") {
		t.Error("a visitor without a link is not told that access is open")
	}
	d.url = links[0][2]
	if host, _, err := net.SplitHostPort(strings.TrimPrefix(d.url, "http://")); err != nil || host != "127.0.0.1" ||
		d.url == everybody.url {
		t.Errorf("people sign in at %s, others see everything at %s", d.url, everybody.url)
	}
	all := everybody.table(t, "costs", "group_by=team,project")
	one := d.browser(t, "127.0.0.1")
	for _, path := range []string{"/api/v1/costs", "/login/demo?code=none"} {
		if status, _, _ := one.send(t, path, nil); status != http.StatusUnauthorized || one.session() != "" {
			t.Errorf("who has no link gets %d at %s", status, path)
		}
	}
	const books, rail = "/api/v1/policies/none/withdraw", `<b><bdi>`
	var admin string
	for _, again := range []bool{false, true} {
		for _, link := range links {
			name, before := link[1], one.session()
			if status, head, page := one.send(t, link[3], nil); status != http.StatusSeeOther || head.Get("Location") != "/" ||
				one.session() == before {
				t.Fatalf("the link of %s answers %d: %s", name, status, clip(page))
			}
			if status, _, page := one.send(t, "/", nil); status != http.StatusOK || !strings.Contains(page, rail+name+"<") {
				t.Errorf("%s does not see the overview as himself: %d", name, status)
			}
			if again {
				continue
			}
			if name == "admin" {
				admin = one.session()
			}
			for path, who := range map[string][]string{
				"/people": {"admin"}, "/audit": {"admin", "auditor"},
				"/reconciliation": {"admin", "cfo", "platform-engineer", "auditor"}, "/api/v1/runs": nil,
			} {
				want := http.StatusForbidden
				if who == nil || slices.Contains(who, name) {
					want = http.StatusOK
				}
				if status, _, _ := one.send(t, path, nil); status != want {
					t.Errorf("%s gets %d at %s, want %d", name, status, path, want)
				}
			}
			status, _, page := one.send(t, books, url.Values{})
			if may := name == "admin" || name == "cfo"; may == (status == http.StatusForbidden) {
				t.Errorf("%s changes the policy: %d %s", name, status, clip(page))
			}
			_, _, page = one.send(t, "/api/v1/costs?limit=100000&group_by=team,project", nil)
			got, _ := decodeJSON(t, page)
			want := all
			for at, value := range map[string]string{"speech-lead": "speech", "shelf-scan-viewer": "shelf-scan"} {
				if at == name {
					key := map[string]string{"speech": "team", "shelf-scan": "project"}[value]
					column := slices.Index(all.columns, key)
					want = &answer{columns: all.columns}
					for _, row := range all.rows {
						if row[column] == value {
							want.rows = append(want.rows, row)
						}
					}
				}
			}
			if len(want.rows) == 0 {
				t.Fatalf("the fleet has nothing for %s", name)
			}
			sameCells(t, "what "+name+" sees", want, got)
		}
	}
	if status, _, _ := one.send(t, "/account", nil, "Cookie", "gpuledger-session="+admin); status == http.StatusOK {
		t.Error("the session before a link was opened lives on")
	}
	one.send(t, "/logout", url.Values{})
	if status, _, _ := one.send(t, "/api/v1/costs", nil); status != http.StatusUnauthorized {
		t.Errorf("who signed out gets %d", status)
	}
	one.send(t, links[0][3], nil)
	signedIn := one.session()
	for !strings.Contains(d.out.String(), "invariants hold") { // it serves before everything is computed
		select {
		case <-p.ended:
			t.Fatalf("the demo ended with status %d: %s%s", p.code(), clip(d.out.String()), d.log)
		case <-deadline:
			t.Fatalf("the demo does not verify: %s", clip(d.out.String()))
		case <-time.After(50 * time.Millisecond):
		}
	}
	if page := everybody.get(t, "/"); strings.Contains(page, "Still being computed") {
		t.Error("a verified demo still computes something")
	}
	if code := p.end(t); code != exitOK {
		t.Errorf("the demo ended with status %d: %s", code, clip(d.log.String()))
	}

	// A real server: it invites its admin, and knows neither links nor sessions of the demo.
	if n := scan[int](t, connect(t, db), "select count(*) from user_links"); n != 0 {
		t.Errorf("the demo leaves %d links to choose a password", n)
	}
	real := openDoor(t, db, "serve")
	two := real.browser(t, "127.0.0.1")
	if status, _, _ := two.send(t, "/account", nil, "Cookie",
		"gpuledger-session="+signedIn); status != http.StatusSeeOther {
		t.Errorf("a session of the demo gets %d", status)
	}
	for _, link := range links {
		if two.send(t, link[3], nil); two.session() != "" {
			t.Errorf("the link of %s signs in", link[1])
		}
	}
	two.welcomed(t, real.out.String(), adminsPassword)
	if !two.isIn(t) {
		t.Error("the admin who chose a password is not in")
	}
}
