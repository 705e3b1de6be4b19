package gate_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/web/gate"
)

// kept has sessions by their secrets, and records refusals and accesses.
type kept struct {
	sessions map[string]*access.Viewer
	refused  []string
	saw      []string
	broken   error // result of Saw
}

func (k *kept) Session(_ context.Context, secret string, _ time.Time) (*access.Viewer, error) {
	return k.sessions[secret], nil
}

func (k *kept) Token(context.Context, string, time.Time) (*access.Viewer, error) { return nil, nil }

func (k *kept) Denied(_ context.Context, v *access.Viewer, what, _ string, _ time.Time) error {
	k.refused = append(k.refused, v.Actor()+" "+what)
	return nil
}

func (k *kept) Saw(_ context.Context, v *access.Viewer, what, _ string, _ time.Time) error {
	k.saw = append(k.saw, v.Actor()+" "+what)
	return k.broken
}

// An admin who views the pages as another user reads what that user reads, and can only end the
// view.
func TestWhoSeesAsAnotherChangesNothing(t *testing.T) {
	k := &kept{sessions: map[string]*access.Viewer{
		"admin": {Kind: access.BySession, ID: "1", Name: "ada", Role: access.RoleAdmin},
		"as":    {Kind: access.BySession, ID: "2", Name: "otto", By: "ada", Role: access.RoleAdmin},
		"part":  {Kind: access.BySession, ID: "3", Name: "pia", Role: access.RoleAdmin, Scope: "s"},
	}}
	g := gate.New(gate.Options{Keeper: k, Now: func() time.Time { return time.Unix(1_793_577_600, 0) },
		Pages: map[string]gate.Need{"GET /audit": {Right: access.Audit, Whole: true}}})
	r := chi.NewRouter()
	r.Use(g.Check(r))
	done := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	changed := []string{
		"/people", "/people/disable", "/tokens/revoke", "/account/end", "/account/myself", "/logout", "/policies",
	}
	for _, path := range changed {
		r.Post(path, done)
	}
	r.Put("/api/*", done)
	for _, path := range []string{"/people", "/account", "/audit", "/static/*"} {
		r.Get(path, done)
	}
	ask := func(secret, method, path string) int {
		q := httptest.NewRequest(method, path, strings.NewReader(""))
		q.AddCookie(&http.Cookie{Name: "gpuledger-session", Value: secret})
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		if w.Code == http.StatusForbidden && !strings.Contains(w.Body.String(), `"type":"urn:gpuledger:problem:not-allowed"`) {
			t.Errorf("%s %s: %s", method, path, w.Body)
		}
		return w.Code
	}
	const passes, refused = http.StatusNoContent, http.StatusForbidden
	for _, c := range []struct {
		secret, method, path string
		want                 int
	}{
		{"admin", "POST", "/people/disable", passes}, {"admin", "POST", "/tokens/revoke", passes},
		{"admin", "GET", "/audit", passes},
		{"as", "GET", "/people", passes}, {"as", "GET", "/account", passes}, {"as", "GET", "/audit", passes},
		{"as", "POST", "/people", refused}, {"as", "POST", "/people/disable", refused},
		{"as", "POST", "/account/end", refused}, {"as", "POST", "/policies", refused},
		{"as", "PUT", "/api/v1/x", refused}, {"as", "POST", "/account/myself", passes}, {"as", "POST", "/logout", passes},
		// A scoped admin cannot grant access beyond the scope, and does not see the whole audit log.
		{"part", "GET", "/people", refused}, {"part", "POST", "/people", refused}, {"part", "GET", "/audit", refused},
		{"part", "POST", "/account/end", passes},
		{"nobody", "GET", "/static/app.css", passes}, {"nobody", "GET", "/account", http.StatusSeeOther},
	} {
		if got := ask(c.secret, c.method, c.path); got != c.want {
			t.Errorf("%s asks %s %s and gets %d, want %d", c.secret, c.method, c.path, got, c.want)
		}
	}
	if !slices.Contains(k.refused, "ada POST /people") {
		t.Errorf("the log does not name who really asked: %q", k.refused)
	}
}
