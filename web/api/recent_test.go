package api

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// The same page comes from memory, in each encoding, until any transaction ends.
func TestPagesOfOneStateAreAskedOnce(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1", State: "10:10:"}}
	s := serve(t, f)
	const page = "/api/v1/imports?limit=3"
	read := func(path string, header ...string) (asked bool, a answer) {
		t.Helper()
		f.asked = metrics.Query{}
		a = get(t, s, http.MethodGet, path, header...)
		if a.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, a.Status)
		}
		return f.asked.Dataset != nil, a
	}
	for _, encoding := range []string{"identity", "gzip", "zstd"} {
		first, one := read(page, "Accept-Encoding", encoding)
		again, two := read(page, "Accept-Encoding", encoding)
		if !first || again {
			t.Errorf("%s: first asked %v, again %v", encoding, first, again)
		}
		for _, name := range []string{"Content-Encoding", "Content-Type", "ETag", "Vary", "Cache-Control"} {
			if one.Header.Get(name) != two.Header.Get(name) {
				t.Errorf("%s: %s is %q, then %q", encoding, name, one.Header.Get(name), two.Header.Get(name))
			}
		}
		if one.body != two.body || one.body == "" {
			t.Errorf("%s: %q, then %q", encoding, one.body, two.body)
		}
	}
	if asked, _ := read("/api/v1/imports?limit=4"); !asked {
		t.Error("another question is not asked")
	}
	if asked, _ := read(page + "&format=csv"); !asked {
		t.Error("an export is not asked")
	}
	f.version.State = "10:11:"
	if asked, _ := read(page); !asked {
		t.Error("not asked after a transaction")
	}
	f.version.State = ""
	for range 2 {
		if asked, _ := read(page); !asked {
			t.Error("not asked without a state")
		}
	}
	f.version.State = "10:12:"
	for range 2 {
		if asked, _ := read("/api/v1/changes?limit=3"); !asked {
			t.Error("rows that expire by the clock are not asked")
		}
	}
}

func TestErrorsAreNotRemembered(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1", State: "10:10:"}, err: errors.New("away")}
	s := serve(t, f)
	if a := get(t, s, http.MethodGet, "/api/v1/imports"); a.StatusCode != http.StatusInternalServerError ||
		a.Header.Get("ETag") != "" || a.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%s, %v", a.Status, a.Header)
	}
	f.err = nil
	if a := get(t, s, http.MethodGet, "/api/v1/imports"); a.StatusCode != http.StatusOK {
		t.Error(a.Status)
	}
}

func TestPagesOfAScopeStayInIt(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1", State: "10:10:"}}
	r := chi.NewRouter()
	New(f, nil).Routes(r)
	for _, scope := range []string{"", "a", "b"} {
		for _, members := range []string{"1", "2"} {
			f.asked = metrics.Query{}
			req := httptest.NewRequest(http.MethodGet, "/api/v1/costs", nil)
			v := &access.Viewer{Role: access.RoleAnalyst, Scope: scope, Members: members}
			r.ServeHTTP(httptest.NewRecorder(), req.WithContext(access.As(req.Context(), v)))
			if asked := f.asked.Dataset != nil; asked != (scope != "" || members == "1") {
				t.Errorf("scope %q with members %s: asked %v", scope, members, asked)
			}
		}
	}
}
