package e2e

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/metrics"
)

// door is a server that people sign in to, with everything that it prints and logs.
type door struct {
	served
	out, log *paper
	secrets  map[string]string // secrets that must not appear anywhere, by kind
}

// openDoor serves with access control on a free port until the test ends. Everything is logged.
func openDoor(t *testing.T, db string, flags ...string) *door {
	t.Helper()
	p := start(t, append([]string{db, "--log-level=debug"}, append(flags, "--addr=127.0.0.1:0", "--auth=on")...)...)
	t.Cleanup(func() {
		if code := p.end(t); code != exitOK {
			t.Errorf("serve ended with status %d: %s", code, clip(p.errs.String()))
		}
	})
	until(t, "the server", func() bool {
		if !p.running() {
			t.Fatalf("serve ended with status %d: %s", p.code(), p.errs.String())
		}
		return strings.Contains(p.out.String(), "no one can sign in yet")
	})
	d := &door{served: served{db: db}, out: &p.out, log: &p.errs, secrets: map[string]string{}}
	d.url = addressLine.FindString(d.out.String())
	return d
}

// browser is a client with cookies, at an address of this machine.
type browser struct {
	*http.Client
	at *door
}

func (d *door) browser(t *testing.T, address string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &browser{
		at: d, Client: &http.Client{
			Transport: transport, Jar: jar,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// send sends a form, or a GET without one, and returns status, head and body.
func (b *browser) send(t *testing.T, path string, form url.Values, header ...string) (int, http.Header, string) {
	t.Helper()
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	q, err := http.NewRequestWithContext(t.Context(), method, b.at.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	resp, err := b.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(text)
}

// session is the secret that the browser has; empty: none.
func (b *browser) session() string {
	u, err := url.Parse(b.at.url)
	if err != nil {
		return ""
	}
	for _, c := range b.Jar.Cookies(u) {
		if c.Name == "gpuledger-session" || c.Name == "__Host-gpuledger" {
			return c.Value
		}
	}
	return ""
}

// isIn reports whether the browser is signed in.
func (b *browser) isIn(t *testing.T) bool {
	t.Helper()
	status, head, _ := b.send(t, "/account", nil)
	if status != http.StatusOK && (status != http.StatusSeeOther || !strings.HasPrefix(head.Get("Location"), "/login")) {
		t.Errorf("/account answers %d", status)
	}
	return status == http.StatusOK
}

var welcomeLink = regexp.MustCompile(`/welcome\?code=(\S+)`)

// welcomed chooses a password through the link in a text.
func (b *browser) welcomed(t *testing.T, text, password string) {
	t.Helper()
	code := welcomeLink.FindStringSubmatch(text)
	if code == nil {
		t.Fatalf("no link: %s", text)
	}
	if status, _, page := b.send(t, "/welcome", url.Values{
		"code": {code[1]}, "password": {password}, "again": {password},
	}); status != http.StatusSeeOther {
		t.Fatalf("the link answers %d: %s", status, clip(page))
	}
	b.at.secrets["link "+code[1][:3]], b.at.secrets["password "+password[:3]],
		b.at.secrets["session "+b.session()[:3]] = code[1], password, b.session()
}

func (b *browser) signIn(t *testing.T, name, password string, header ...string) (int, http.Header, string) {
	t.Helper()
	status, head, page := b.send(t, "/login", url.Values{"name": {name}, "password": {password}}, header...)
	if status == http.StatusSeeOther {
		b.at.secrets["session "+b.session()[:3]] = b.session()
	}
	return status, head, page
}

const (
	adminsPassword = "rivers-carry-violet-lamps"
	ottosPassword  = "nine-teapots-under-snowfall"
	canary         = "c4n4ry0f4llth1ngsth4t4r3s3cr3tt0d4y"
)

// TestTheDoor serves with access control on, and tries the actions of people, of programs, and of strangers.
func TestTheDoor(t *testing.T) {
	t.Setenv("DOOR_OPERATOR", canary+"-operator")
	t.Setenv("DOOR_CLIENT", canary+"-client")
	file := filepath.Join(t.TempDir(), "gpuledger.yaml")
	text := `operators: [{name: ada, token_env: DOOR_OPERATOR, may: [policy]}]
sources:
  - {name: bill, source: focus, uri: "https://user:` + canary + `-user@127.0.0.1:1/bill.csv?sig=` + canary + `-signature"}
access:
  oidc:
    issuer: http://127.0.0.1:1/op
    client_id: gpuledger
    client_secret_env: DOOR_CLIENT
    redirect_url: http://localhost/login/callback
    groups: [{group: g, role: viewer, scope: ["team = 'x'"]}]
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	db := freshDatabase(t) + " password=" + canary + "-database"
	d := openDoor(t, db, "--config="+file, "serve", "--proxy=127.0.0.2")
	admin := d.browser(t, "127.0.0.1")
	admin.welcomed(t, d.out.String(), adminsPassword)
	otto := d.browser(t, "127.0.0.1")
	otto.welcomed(t, must(t, db, "user", "add", "otto", "--role=viewer", "--scope=team = 'x'"), ottosPassword)
	t.Run("sessions end at once", func(t *testing.T) { d.sessions(t, admin, otto) })
	t.Run("users are changed", func(t *testing.T) { d.changes(t, admin) })
	t.Run("passwords are changed", d.passwords)
	t.Run("guessing is slowed", d.guessing)
	t.Run("tokens read or write", d.tokens)
	t.Run("the audit log", func(t *testing.T) { d.audited(t, admin) })
	t.Run("secrets", func(t *testing.T) { d.keepsSecrets(t, file, admin) })
}

// sessions: each sign-in has another session, and an ended session is dead at once, whatever the browser keeps: after
// signing out, without use, and when its user is disabled.
func (d *door) sessions(t *testing.T, admin, otto *browser) {
	conn := connect(t, d.db)
	first := otto.session()
	if !otto.isIn(t) {
		t.Fatal("who chose a password is not in")
	}
	if status, _, _ := otto.signIn(t, "otto", ottosPassword); status != http.StatusSeeOther || otto.session() == first ||
		len(first) != 43 {
		t.Errorf("signing in again: %d, session %q", status, otto.session())
	}
	dead := func(secret string) bool {
		status, _, _ := d.browser(t, "127.0.0.1").send(t, "/account", nil, "Cookie", "gpuledger-session="+secret)
		return status == http.StatusSeeOther
	}
	if !dead(first) {
		t.Error("the session before lives on")
	}
	second := otto.session()
	if status, _, _ := otto.send(t, "/logout", url.Values{}); status != http.StatusSeeOther || otto.session() != "" ||
		!dead(second) {
		t.Errorf("signing out: %d, and the session is dead: %v", status, dead(second))
	}
	otto.signIn(t, "otto", ottosPassword)
	execute(t, conn, "update sessions set seen_at = seen_at - interval '121 minutes' where user_id = (select user_id "+
		"from users where name = 'otto')")
	if otto.isIn(t) {
		t.Error("a session that nobody used for two hours lives on")
	}
	otto.signIn(t, "otto", ottosPassword)
	execute(t, conn, "update sessions set expires_at = now() where user_id = (select user_id from users where name = "+
		"'otto')")
	if otto.isIn(t) {
		t.Error("a session lives longer than its time")
	}
	must(t, d.db, "user", "add", "gast", "--role=viewer")
	guest := d.browser(t, "127.0.0.1")
	guest.welcomed(t, must(t, d.db, "user", "link", "gast"), "seven-lanterns-by-a-harbour")
	if status, _, page := admin.send(t, "/people/disable", url.Values{"name": {"gast"}}); status != http.StatusSeeOther ||
		guest.isIn(t) {
		t.Errorf("disabling: %d, he is in: %v: %s", status, guest.isIn(t), clip(page))
	}
	if status, _, _ := guest.signIn(t, "gast", "seven-lanterns-by-a-harbour"); status != http.StatusUnauthorized {
		t.Errorf("who is disabled signs in: %d", status)
	}
}

// guessing is slowed by name and by address, and a header cannot change the address. The same user can still sign in
// from another address, and answers do not show which names exist.
func (d *door) guessing(t *testing.T) {
	guesser := d.browser(t, "127.0.0.1")
	said := map[string]string{}
	for _, name := range []string{"otto", "zoe1"} {
		status, head, page := guesser.signIn(t, name, "wrong-and-long-enough")
		if status != http.StatusUnauthorized || head.Get("Set-Cookie") != "" {
			t.Errorf("a wrong password of %s: %d", name, status)
		}
		said[name] = nameless(page, name)
	}
	if said["otto"] != said["zoe1"] || !strings.Contains(said["otto"], "Wrong name or password.") {
		t.Errorf("somebody is told from nobody:\n%s\n%s", said["otto"], said["zoe1"])
	}
	for _, name := range []string{"otto", "zoe1"} {
		for i := range 6 { // each claims another address; one was before
			guesser.signIn(t, name, "wrong-and-long-enough", "X-Forwarded-For", fmt.Sprint("198.51.100.", i))
		}
		status, head, page := guesser.signIn(t, name, ottosPassword, "X-Forwarded-For", "198.51.100.200")
		if status != http.StatusTooManyRequests || head.Get("Retry-After") == "" {
			t.Errorf("the right password after too many wrong ones of %s: %d", name, status)
		}
		said[name] = nameless(page, name)
	}
	if said["otto"] != said["zoe1"] {
		t.Errorf("somebody is told from nobody when it is slowed:\n%s\n%s", said["otto"], said["zoe1"])
	}
	if status, _, _ := d.browser(t, "127.0.0.3").signIn(t, "otto", ottosPassword); status != http.StatusSeeOther {
		t.Errorf("from another address: %d", status)
	}
	proxied := d.browser(t, "127.0.0.2") // the configured proxy
	if status, _, _ := proxied.signIn(t, "otto", ottosPassword, "X-Forwarded-For",
		"198.51.100.9"); status != http.StatusSeeOther {
		t.Errorf("by the proxy: %d", status)
	}
	if status, _, _ := proxied.signIn(t, "otto", ottosPassword, "X-Forwarded-For",
		"127.0.0.1"); status != http.StatusTooManyRequests {
		t.Errorf("by the proxy, from the address that guessed: %d", status)
	}
	if status, head, _ := proxied.send(t, "/login", nil, "X-Forwarded-Proto", "https"); status != http.StatusOK ||
		head.Get("Strict-Transport-Security") == "" {
		t.Errorf("behind TLS of the proxy: %d, %v", status, head)
	}
	var addresses string
	if addresses = must(t, d.db, "report", "audit", "--format=csv",
		"--limit=1000"); !strings.Contains(addresses, "198.51.100.9") || strings.Contains(addresses, "198.51.100.200") {
		t.Error("the audit log names addresses that nobody vouches for, or not those of the proxy")
	}
}

// receivers are the addresses that accept telemetry.
var receivers = []string{"/api/v1/write", "/v1/metrics", "/api/v1/checkpoints"}

// tokens: a token for sending cannot read, a token for reading cannot send, and without a token both are refused.
func (d *door) tokens(t *testing.T) {
	sends, reads := d.tokenOf(t, "ingest"), d.tokenOf(t, "analyst")
	revoked := d.tokenOf(t, "viewer")
	d.secrets["ingest token"], d.secrets["analyst token"] = sends.token, reads.token
	paths := []string{
		"/", "/runs", "/audit", "/people", "/openapi.json", "/metrics", "/api/v1/explain/costs", "/api/v1/nothing",
	}
	for _, ds := range metrics.Datasets {
		paths = append(paths, "/api/v1/"+ds.Name)
	}
	asked := func(method, path, token string, header ...string) int {
		status, _, _ := d.ask(t, method, path, append(header, "Authorization", "Bearer "+token)...)
		return status
	}
	for _, path := range paths {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			// /metrics is open to this machine, but not to clients behind a proxy.
			if status := asked(method, path, sends.token, "X-Forwarded-For", "192.0.2.1"); status != http.StatusForbidden {
				t.Errorf("who sends in %ss %s: %d", method, path, status)
			}
			if status := asked(method, path, "glt_nobodys", "X-Forwarded-For", "192.0.2.1"); status != http.StatusUnauthorized {
				t.Errorf("nobody %ss %s: %d", method, path, status)
			}
		}
	}
	for _, path := range receivers {
		if status := asked(http.MethodPost, path, reads.token); status != http.StatusForbidden {
			t.Errorf("who reads sends to %s: %d", path, status)
		}
		if status := asked(http.MethodPost, path, "glt_nobodys"); status != http.StatusUnauthorized {
			t.Errorf("nobody sends to %s: %d", path, status)
		}
		if status, _, _ := d.ask(t, http.MethodPost, path); status != http.StatusUnauthorized {
			t.Errorf("who shows nothing sends to %s: %d", path, status)
		}
		if status := asked(http.MethodPost, path, sends.token); status == http.StatusForbidden ||
			status == http.StatusUnauthorized {
			t.Errorf("who may send does not to %s: %d", path, status)
		}
	}
	if status := asked(http.MethodGet, "/api/v1/audit", reads.token); status != http.StatusForbidden {
		t.Errorf("an analyst reads the audit log as a dataset: %d", status)
	}
	if status := asked(http.MethodGet, "/api/v1/costs", revoked.token); status != http.StatusOK {
		t.Errorf("a token before it is revoked: %d", status)
	}
	idOf := func(role string) string {
		return scan[string](t, connect(t, d.db), "select token_id::text from tokens where role = '"+role+"'")
	}
	must(t, d.db, "token", "revoke", idOf("viewer"))
	if status := asked(http.MethodGet, "/api/v1/costs", revoked.token); status != http.StatusUnauthorized {
		t.Errorf("a token after it is revoked: %d", status)
	}

	admin, leaked := d.tokenOf(t, "admin"), d.tokenOf(t, "auditor")
	end := "/api/v1/tokens/" + idOf("auditor") + "/revoke"
	for _, c := range []struct {
		by   string
		want int
	}{{leaked.token, http.StatusForbidden}, {admin.token, http.StatusOK}, {admin.token, http.StatusConflict}} {
		if status := asked(http.MethodPost, end, c.by); status != c.want {
			t.Errorf("%s: %d, want %d", end, status, c.want)
		}
	}
	if status := asked(http.MethodGet, "/api/v1/costs", leaked.token); status != http.StatusUnauthorized {
		t.Errorf("a token after REST revoked it: %d", status)
	}
}

// audited: every event at the door is one line in the audit log, and no one can change it, not even the owner of the
// table.
func (d *door) audited(t *testing.T, admin *browser) {
	const forged = "eve\nadmin,signed in\r\n2026\u2028x"
	d.browser(t, "127.0.0.4").signIn(t, forged, "wrong-and-long-enough")
	d.browser(t, "127.0.0.4").send(t, "/runs/x%0Ay", nil, "Authorization", "Bearer "+d.tokenOf(t, "ingest").token)
	must(t, d.db, "bi", "login", "bi_door", "--scope=team = 'x'")
	must(t, d.db, "bi", "drop", "bi_door")
	if status, _, page := admin.send(t, "/people", url.Values{
		"name": {"bad\nname"}, "role": {"viewer"},
	}); status != http.StatusUnprocessableEntity {
		t.Errorf("a name of two lines: %d %s", status, clip(page))
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, d.db, "report", "audit", "--format=csv",
		"--limit=10000"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		for _, field := range row {
			if strings.ContainsAny(field, "\r\n\u2028") {
				t.Errorf("an entry has more than a line: %q", row)
			}
			seen[field] = true
		}
	}
	for _, action := range []string{"signed in", "signed out", "sign-in failed", "refused", "user added", "user disabled",
		"password link made", "password chosen",
		"token created", "token revoked", "login made", "login dropped",
		"GET /runs/x\uFFFDy", "eve\uFFFDadmin,signed in\uFFFD\uFFFD2026\uFFFDx"} {
		if !seen[action] {
			t.Errorf("the audit log lacks %q", action)
		}
	}
	conn := connect(t, d.db)
	before := scan[string](t, conn, "select count(*) || md5(string_agg(hash::text, '' order by number)) from audit_log")
	for _, as := range []string{"", "set role gpuledger_reader; "} {
		for _, change := range []string{
			"update audit_log set actor = 'x'", "delete from audit_log",
			"truncate audit_log", "delete from audit_log where number = 1",
		} {
			err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), as+change)
				return err
			})
			if err == nil {
				t.Errorf("%s%s is done", as, change)
			}
		}
	}
	if after := scan[string](t, conn,
		"select count(*) || md5(string_agg(hash::text, '' order by number)) from audit_log"); after != before {
		t.Error("the audit log has changed")
	}
}

// keepsSecrets looks for secrets wherever they could be read: in the whole database, in the logs, in our own metrics,
// in errors and in the printed configuration.
func (d *door) keepsSecrets(t *testing.T, file string, admin *browser) {
	found := map[string]string{"the log": d.log.String()}
	for _, path := range []string{"/metrics", "/login/oidc", "/login/callback?state=x&code=y", "/welcome?code=none",
		"/data", "/api/v1/none",
		"/api/v1/costs?basis=x", "/people", "/tokens", "/account", "/audit", "/openapi.json"} {
		_, head, page := admin.send(t, path, nil)
		found[path] = page + fmt.Sprint(head)
	}
	if !strings.Contains(found["/login/oidc"], "does not answer") ||
		!strings.Contains(found["/data"], "127.0.0.1:1/bill.csv") {
		t.Errorf("the secrets are not near: %s", clip(found["/login/oidc"]))
	}
	for _, args := range [][]string{{"--config=" + file, "config", "print"}, {"--config=" + file, "config", "check"},
		{d.db, "--config=" + file, "import", "--source=bill"}, {d.db, "user", "list", "--output=json"},
		{d.db, "token", "list", "--output=json"}, {d.db, "doctor"},
		{"--database-url=postgres://u:" + canary + "@127.0.0.1:1/x", "user", "list"}} {
		_, out, errs := gpuledger(t, args...)
		found[strings.Join(args[max(0, len(args)-3):], " ")] = out + errs
	}
	bin, err := localpg.Find("")
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(filepath.Join(bin, "pg_dump"))
	if err != nil {
		t.Logf("no pg_dump in %s: the database is not looked through", bin)
	} else {
		dump, err := exec.Command(path, "--dbname="+strings.TrimPrefix(d.db, "--database-url=")).Output()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(dump, []byte("argon2id")) || !bytes.Contains(dump, []byte("COPY public.tokens")) {
			t.Error("the dump is not whole")
		}
		found["the database"] = string(dump)
	}
	d.secrets["canary"] = canary
	if len(d.secrets) < 10 || len(d.log.String()) < 1000 {
		t.Errorf("%d secrets, and a log of %d bytes", len(d.secrets), len(d.log.String()))
	}
	for place, text := range found {
		for what, secret := range d.secrets {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s has the %s: %q", place, what, text[max(0, i-80):i+3])
			}
		}
	}
}
