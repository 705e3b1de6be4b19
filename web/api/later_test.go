package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// deferring serves f with deferred queries. The header X-As names the asker, and X-Scope the scope.
func deferring(t *testing.T, f *fakeReader, bounds Later) *httptest.Server {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	bounds.Dir = t.TempDir()
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			v := &access.Viewer{Kind: access.BySession, ID: r.Header.Get("X-As"), Role: access.RoleAuditor,
				Scope: r.Header.Get("X-Scope")}
			next.ServeHTTP(w, r.WithContext(access.As(r.Context(), v)))
		})
	})
	New(f, slog.New(slog.DiscardHandler)).Deferring(ctx, bounds, time.Now).Routes(r)
	s := httptest.NewServer(r)
	t.Cleanup(func() {
		s.Close()
		stop()
		for ends := time.Now().Add(10 * time.Second); ; { // a query that is being made still loses the name of its file
			left, err := os.ReadDir(bounds.Dir)
			if err == nil && len(left) == 0 {
				break
			}
			if time.Now().After(ends) {
				t.Fatalf("files are left: %v %v", left, err)
			}
		}
	})
	return s
}

const later1 = "respond-async, wait=10"

// submitted is the address of a deferred question.
func submitted(t *testing.T, s *httptest.Server, path, as string) string {
	t.Helper()
	a := get(t, s, http.MethodGet, path, "Prefer", later1, "X-As", as)
	var q queryStatus
	if err := json.Unmarshal([]byte(a.body), &q); err != nil || a.StatusCode != http.StatusAccepted ||
		a.Header.Get("Location") != queriesPath+"/"+q.ID || a.Header.Get("Retry-After") == "" ||
		a.Header.Get("Preference-Applied") != "respond-async" || q.Result != nil {
		t.Fatalf("%s: %d %v %s", path, a.StatusCode, a.Header, a.body)
	}
	return a.Header.Get("Location")
}

// settled waits until a query is done or has failed.
func settled(t *testing.T, s *httptest.Server, address, as string) (q queryStatus) {
	t.Helper()
	for ends := time.Now().Add(20 * time.Second); ; {
		a := get(t, s, http.MethodGet, address, "X-As", as)
		if err := json.Unmarshal([]byte(a.body), &q); err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", address, a.StatusCode, a.body)
		}
		if q.State == stateDone || q.State == stateFailed {
			return q
		}
		if time.Now().After(ends) {
			t.Fatalf("%s is %s", address, q.State)
		}
	}
}

func TestALongQuestionIsAnsweredLater(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}, turn: make(chan struct{})}
	s := deferring(t, f, Later{})
	const path = "/api/v1/imports?format=csv"
	address := submitted(t, s, path, "ann")
	if a := get(t, s, http.MethodGet, address+"/result", "X-As", "ann"); a.StatusCode != http.StatusConflict {
		t.Errorf("a result before its time: %d %s", a.StatusCode, a.body)
	}
	close(f.turn)
	q := settled(t, s, address, "ann")
	if q.State != stateDone || q.Result == nil || q.ExpiresAt == nil || q.Dataset != "imports" || q.Question != path {
		t.Fatalf("%+v", q)
	}
	at := get(t, s, http.MethodGet, path, "X-As", "ann")
	a := get(t, s, http.MethodGet, *q.Result, "X-As", "ann", "Accept-Encoding", "identity")
	if a.StatusCode != http.StatusOK || a.body != at.body || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		int64(len(a.body)) != q.Bytes || a.Header.Get("ETag") == "" {
		t.Errorf("later: %d %v, %d bytes; at once %d", a.StatusCode, a.Header, len(a.body), len(at.body))
	}
	if part := get(t, s, http.MethodGet, *q.Result, "X-As", "ann", "Range", "bytes=3-9"); part.body != a.body[3:10] ||
		part.StatusCode != http.StatusPartialContent {
		t.Errorf("a range: %d %q", part.StatusCode, part.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		out := get(t, s, method, *q.Result, "X-As", "ann", "Range", "bytes=99999999-")
		if out.StatusCode != http.StatusRequestedRangeNotSatisfiable ||
			out.Header.Get("Content-Type") != "application/problem+json" ||
			out.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", q.Bytes) ||
			(method == http.MethodGet) != strings.Contains(out.body, "urn:gpuledger:problem:range-not-satisfiable") ||
			strings.Contains(out.body, "invalid range") {
			t.Errorf("%s of a range outside: %d %v %s", method, out.StatusCode, out.Header, out.body)
		}
	}
	for _, other := range [][]string{{"X-As", "bob"}, {"X-As", "ann", "X-Scope", "11111111-1111-1111-1111-111111111111"}} {
		for _, path := range []string{address, *q.Result} {
			if a := get(t, s, http.MethodGet, path, other...); a.StatusCode != http.StatusNotFound {
				t.Errorf("%v gets %s: %d %s", other, path, a.StatusCode, a.body)
			}
		}
		if a := get(t, s, http.MethodDelete, address, other...); a.StatusCode != http.StatusNotFound {
			t.Errorf("%v deletes: %d", other, a.StatusCode)
		}
		if a := get(t, s, http.MethodGet, queriesPath, other...); a.body != "{\"data\":[]}\n" {
			t.Errorf("%v lists: %s", other, a.body)
		}
	}
	if a := get(t, s, http.MethodGet, queriesPath, "X-As", "ann"); !strings.Contains(a.body, q.ID) {
		t.Errorf("the list: %s", a.body)
	}
	if a := get(t, s, http.MethodDelete, address, "X-As", "ann"); a.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %d %s", a.StatusCode, a.body)
	}
	for _, gone := range []string{address, *q.Result} {
		if a := get(t, s, http.MethodGet, gone, "X-As", "ann"); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s once deleted: %d", gone, a.StatusCode)
		}
	}
}

// The answer to a deferred query has the notes of one that is given at once.
func TestADeferredPartSaysSo(t *testing.T) {
	s := deferring(t, &fakeReader{version: metrics.Version{Tag: "1"}}, Later{})
	for scope, want := range map[string]bool{"": false, "11111111-1111-1111-1111-111111111111": true} {
		as := []string{"X-As", "ann", "X-Scope", scope}
		a := get(t, s, http.MethodGet, "/api/v1/journal?format=csv", append([]string{"Prefer", later1}, as...)...)
		for ends := time.Now().Add(20 * time.Second); ; {
			out := get(t, s, http.MethodGet, a.Header.Get("Location")+"/result", as...)
			if out.StatusCode == http.StatusConflict && time.Now().Before(ends) {
				continue
			}
			if out.StatusCode != http.StatusOK || (out.Header.Get(noteHeader) != "") != want {
				t.Errorf("scope %q: %d %v", scope, out.StatusCode, out.Header)
			}
			break
		}
	}
}

func TestDeferredQueriesAreBounded(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}, turn: make(chan struct{})}
	s := deferring(t, f, Later{OfOne: 2, Kept: 3, Largest: 4 << 10})
	const path = "/api/v1/imports?format=csv&limit=5"
	first, second := submitted(t, s, path, "ann"), submitted(t, s, path, "ann")
	refused := func(what, want string) {
		t.Helper()
		if a := get(t, s, http.MethodGet, path, "Prefer", later1, "X-As", "ann"); a.StatusCode !=
			http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" || !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s", what, a.StatusCode, a.body)
		}
	}
	refused("a third at once", "not answered yet")
	submitted(t, s, path, "bob") // another asker is not held up
	// One that is deleted while it is made is not missed.
	if a := get(t, s, http.MethodDelete, first, "X-As", "ann"); a.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %d %s", a.StatusCode, a.body)
	}
	close(f.turn)
	settled(t, s, second, "ann")
	for range 2 {
		settled(t, s, submitted(t, s, path, "ann"), "ann")
	}
	refused("a fourth answer", "answers are kept")
	if q := settled(t, s, submitted(t, s, "/api/v1/imports?format=csv", "eve"), "eve"); q.State != stateFailed ||
		!strings.Contains(fmt.Sprint(q.Problem), "narrow it") {
		t.Errorf("too large an answer: %+v %v", q, q.Problem)
	}
}

func TestDeferredAnswersExpire(t *testing.T) {
	s := deferring(t, &fakeReader{version: metrics.Version{Tag: "1"}}, Later{Age: 300 * time.Millisecond})
	address := submitted(t, s, "/api/v1/imports", "ann")
	for ends := time.Now().Add(20 * time.Second); ; {
		if a := get(t, s, http.MethodGet, address, "X-As", "ann"); a.StatusCode == http.StatusNotFound {
			break
		}
		if time.Now().After(ends) {
			t.Fatal("the answer is kept")
		}
	}
}

func TestDeferredQueriesSayWhyTheyFail(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}}
	s := deferring(t, f, Later{})
	for path, want := range map[string]int{
		"/api/v1/imports?ordr=x": 400, "/api/v1/import": 404, "/api/v1/imports?cursor=x": 400,
	} { // errors in the question are refused at once
		if a := get(t, s, http.MethodGet, path, "Prefer", later1); a.StatusCode != want {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
	f.err = errors.New("password of db is hunter2")
	q := settled(t, s, submitted(t, s, "/api/v1/imports", "ann"), "ann")
	if q.State != stateFailed || q.Problem == nil || q.Problem.Status != http.StatusInternalServerError ||
		!strings.HasPrefix(q.Problem.Type, "urn:gpuledger:problem:") || strings.Contains(fmt.Sprint(q.Problem), "hunter2") {
		t.Errorf("%+v %v", q, q.Problem)
	}
	if a := get(t, s, http.MethodGet, queriesPath+"/"+q.ID+"/result", "X-As", "ann"); a.StatusCode != http.StatusConflict {
		t.Errorf("the result of a failure: %d %s", a.StatusCode, a.body)
	}
}
