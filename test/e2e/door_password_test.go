package e2e

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// passwords: a user who enters the old password can choose another, and is signed out everywhere else. Guesses are
// slowed.
func (d *door) passwords(t *testing.T) {
	const first, second = "nine-umbrellas-in-a-teacup", "eight-ladders-in-the-river"
	mara := d.browser(t, "127.0.0.5")
	mara.welcomed(t, must(t, d.db, "user", "add", "mara", "--role=viewer", "--scope=team = 'x'"), first)
	elsewhere := d.browser(t, "127.0.0.6")
	elsewhere.signIn(t, "mara", first)
	before := mara.session()
	change := func(old, chosen string) (int, string) {
		status, _, page := mara.send(t, "/account/password", url.Values{
			"old": {old}, "password": {chosen}, "again": {chosen},
		})
		return status, page
	}
	if status, page := change("not-the-old-one-at-all", second); status != http.StatusUnprocessableEntity ||
		!strings.Contains(page, "The old password is wrong.") {
		t.Errorf("without the old password: %d %s", status, clip(page))
	}
	if status, _, _ := mara.send(t, "/account/password",
		url.Values{"old": {first}, "password": {second}, "again": {second}},
		"Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
		t.Errorf("from another site: %d", status)
	}
	if status, page := change(first, second); status != http.StatusSeeOther || mara.session() == before || !mara.isIn(t) ||
		elsewhere.isIn(t) {
		t.Errorf("with the old password: %d, she is in: %v, elsewhere: %v: %s", status, mara.isIn(t), elsewhere.isIn(t),
			clip(page))
	}
	for range 5 {
		change("not-the-old-one-at-all", first)
	}
	if status, _ := change(second, first); status != http.StatusTooManyRequests {
		t.Errorf("after too many guesses: %d", status)
	}
	if status, _, _ := elsewhere.signIn(t, "mara", second); status != http.StatusSeeOther {
		t.Errorf("with the new password: %d", status)
	}
}
