package e2e

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// changes: another role or scope, or a sign-out by an admin, ends a user's sessions, by page and by command.
func (d *door) changes(t *testing.T, admin *browser) {
	const first = "seven-kettles-on-the-moon"
	mia := d.browser(t, "127.0.0.5")
	mia.welcomed(t, must(t, d.db, "user", "add", "mia", "--role=viewer", "--scope=team = 'x'"), first)
	bills := func() int {
		status, _, _ := mia.send(t, "/reconciliation", nil)
		return status
	}
	if status := bills(); status != http.StatusForbidden {
		t.Errorf("a viewer sees the bills: %d", status)
	}
	if status, _, page := admin.send(t, "/people/change?name=mia", nil); status != http.StatusOK ||
		!strings.Contains(page, "team = &#39;x&#39;") {
		t.Errorf("the page to change her: %d %s", status, clip(page))
	}
	status, _, page := admin.send(t, "/people/change", url.Values{"name": {"mia"}, "role": {"analyst"}, "scope": {""}})
	if status != http.StatusSeeOther || mia.isIn(t) {
		t.Errorf("another role: %d, and she is in: %s", status, clip(page))
	}
	mia.signIn(t, "mia", first)
	if status := bills(); status != http.StatusOK {
		t.Errorf("an analyst does not see the fleet: %d", status)
	}
	if out := must(t, d.db, "user", "set", "mia",
		"--scope=team = 'y'"); out != "user mia has role analyst and sees team = 'y'\n" || mia.isIn(t) {
		t.Errorf("another scope: %q, and she is in", out)
	}
	must(t, d.db, "user", "set", "mia", "--role=auditor", "--no-scope")
	mia.signIn(t, "mia", first)
	if status, _, _ := admin.send(t, "/people/sign-out", url.Values{"name": {"mia"}}); status != http.StatusSeeOther ||
		mia.isIn(t) {
		t.Errorf("signing her out: %d, and she is in", status)
	}
	mia.signIn(t, "mia", first)
	must(t, d.db, "user", "sign-out", "mia")
	if mia.isIn(t) {
		t.Error("a command does not sign her out")
	}
	for _, args := range [][]string{
		{"user", "set", "mia"}, {"user", "set", "nobody", "--role=viewer"},
		{"user", "set", "admin", "--role=viewer"}, {"user", "set", "admin", "--scope=team = 'x'"},
		{"user", "set", "mia", "--role=king"}, {"user", "sign-out", "nobody"},
	} {
		if code, out, errs := gpuledger(t, append([]string{d.db}, args...)...); code != exitFailed || errs == "" {
			t.Errorf("%q: status %d: %s%s", args, code, out, errs)
		}
	}
	if log := must(t, d.db, "report", "audit", "--format=json", "--limit=1000",
		"--filter=action = 'user changed'"); !strings.Contains(log, `from`) || strings.Count(log, "user changed") != 3 {
		t.Errorf("the audit log says: %s", clip(log))
	}
}
