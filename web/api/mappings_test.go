package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// someMappings has every mapping but gone.
type someMappings struct{ *fakeReader }

func (m someMappings) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	if strings.Contains(metrics.FilterText(q.Filter), "gone") {
		return metrics.NewSliceRows(q.Columns(), nil), nil
	}
	return m.fakeReader.Query(ctx, q)
}

// serveAs serves a reader to a viewer.
func serveAs(t *testing.T, f Reader, v *access.Viewer) *httptest.Server {
	t.Helper()
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(access.As(r.Context(), v)))
		})
	})
	New(f, slog.New(slog.DiscardHandler)).Routes(r)
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	return s
}

// One mapping is the rows of the dataset with its name; an unknown one is 404.
func TestOneMapping(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}}
	s := serveAs(t, someMappings{f}, &access.Viewer{Role: access.RoleAuditor})
	a := get(t, s, http.MethodGet, "/api/v1/mappings/renamed-2027")
	if a.StatusCode != http.StatusOK || a.Header.Get("ETag") == "" || !strings.Contains(a.body, `"dataset":"mappings"`) ||
		f.asked.Dataset.Name != "mappings" || metrics.FilterText(f.asked.Filter) != "name = renamed-2027" {
		t.Errorf("%d %s, asked %+v", a.StatusCode, a.body[:min(len(a.body), 200)], f.asked)
	}
	if again := get(t, s, http.MethodGet, "/api/v1/mappings/renamed-2027", "If-None-Match",
		a.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("again: %d", again.StatusCode)
	}
	if other := get(t, s, http.MethodGet, "/api/v1/mappings/other"); other.Header.Get("ETag") == a.Header.Get("ETag") {
		t.Error("two mappings have one tag")
	}
	if p, body := problemAt(t, s, "/api/v1/mappings/gone", http.StatusNotFound); p.Title != "not found" ||
		!strings.Contains(body, "there is no mapping gone") {
		t.Errorf("%s", body)
	}
	if p, _ := problemAt(t, s, "/api/v1/mappings/renamed-2027?limit=3", http.StatusBadRequest); p.Parameter != "limit" {
		t.Errorf("%+v", p)
	}
	for _, method := range []string{http.MethodPut, http.MethodPost, http.MethodDelete} {
		if a := get(t, s, method, "/api/v1/mappings/renamed-2027"); a.StatusCode != http.StatusMethodNotAllowed ||
			a.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q", method, a.StatusCode, a.Header.Get("Allow"))
		}
	}
	scoped := serveAs(t, someMappings{f}, &access.Viewer{Role: access.RoleAuditor, Scope: "x"})
	problemAt(t, scoped, "/api/v1/mappings/renamed-2027", http.StatusForbidden)
	problemAt(t, scoped, "/api/v1/mappings/gone", http.StatusForbidden)
}

// Scoped users read in a header of formats without meta that their part of the journal is not the whole month.
func TestAPartialAnswerSaysSo(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}}
	for scope, want := range map[string]bool{"": false, "x": true} {
		s := serveAs(t, f, &access.Viewer{Role: access.RoleAuditor, Scope: scope})
		for path, noted := range map[string]bool{"journal?format=csv": want, "journal?format=parquet": want,
			"costs?format=csv": false, "journal": false} {
			a := get(t, s, http.MethodGet, "/api/v1/"+path)
			if got := a.Header.Get(noteHeader); a.StatusCode != http.StatusOK || (got != "") != noted {
				t.Errorf("scope %q, %s: %d %q %s", scope, path, a.StatusCode, got, a.body[:min(len(a.body), 200)])
			}
		}
	}
}
