package gate_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/web/gate"
)

// oneToken is a keeper that knows one token.
type oneToken struct{ token string }

func (o oneToken) Session(context.Context, string, time.Time) (*access.Viewer, error) {
	return nil, nil
}

func (o oneToken) Token(_ context.Context, token string, _ time.Time) (*access.Viewer, error) {
	if token != o.token {
		return nil, nil
	}
	return &access.Viewer{Kind: access.ByToken, ID: "t", Name: "excel", Role: access.RoleAdmin}, nil
}

func (oneToken) Denied(context.Context, *access.Viewer, string, string, time.Time) error { return nil }
func (oneToken) Saw(context.Context, *access.Viewer, string, string, time.Time) error    { return nil }

// A token is a password for reading OData, whatever the user name, and nowhere else: a browser would repeat it with
// forms of other sites.
func TestATokenIsAPasswordForODataAlone(t *testing.T) {
	g := gate.New(gate.Options{Keeper: oneToken{"s3cret"}, Now: time.Now})
	r := chi.NewRouter()
	r.Use(g.Check(r))
	ok := func(http.ResponseWriter, *http.Request) {}
	r.Get("/odata/v4/{dataset}", ok)
	r.Get("/api/v1/{dataset}", ok)
	r.Post("/periods", ok)
	for _, c := range []struct {
		method, path, user, password string
		status                       int
	}{
		{"GET", "/odata/v4/costs", "anyone", "s3cret", 200}, {"GET", "/odata/v4/costs", "", "s3cret", 200},
		{"GET", "/odata/v4/costs", "s3cret", "", 401}, {"GET", "/odata/v4/costs", "x", "wrong", 401},
		{"GET", "/api/v1/costs", "x", "s3cret", 401}, {"POST", "/periods", "x", "s3cret", 303},
	} {
		q := httptest.NewRequest(c.method, c.path, nil)
		q.SetBasicAuth(c.user, c.password)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, q)
		if w.Code != c.status {
			t.Errorf("%s %s with %q and %q: %d, want %d", c.method, c.path, c.user, c.password, w.Code, c.status)
		}
		said := w.Body.String()
		if w.Code == 401 && strings.Contains(said, "may have expired") != (c.path == "/odata/v4/costs") {
			t.Errorf("%s with the password %q says %s", c.path, c.password, said)
		}
		asks := w.Header().Values("WWW-Authenticate")
		if w.Code == 401 && c.path == "/odata/v4/costs" && (len(asks) != 2 || asks[0][:6] != "Basic ") {
			t.Errorf("a spreadsheet is asked for %v", asks)
		}
		if w.Code == 401 && c.path != "/odata/v4/costs" && (len(asks) != 1 || asks[0][:7] != "Bearer ") {
			t.Errorf("%s asks for %v", c.path, asks)
		}
	}
}
