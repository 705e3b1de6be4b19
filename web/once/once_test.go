package once_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/web/once"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// memory keeps answers as the database does.
type memory struct {
	mu   sync.Mutex
	rows map[string]*row
	err  error
}

type row struct {
	access.Attempt
	answer *access.KeptAnswer
}

func (m *memory) Claim(_ context.Context, a access.Attempt) (access.Claim, access.KeptAnswer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.rows[a.Client+a.Key]
	switch {
	case m.err != nil:
		return 0, access.KeptAnswer{}, m.err
	case was == nil:
		m.rows[a.Client+a.Key] = &row{Attempt: a}
		return access.Claimed, access.KeptAnswer{}, nil
	case was.Digest != a.Digest:
		return access.Misused, access.KeptAnswer{}, nil
	case was.answer == nil:
		return access.Running, access.KeptAnswer{}, nil
	}
	return access.Answered, *was.answer, nil
}

func (m *memory) Keep(_ context.Context, a access.Attempt, answer access.KeptAnswer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[a.Client+a.Key].answer = &answer
	return nil
}

func (m *memory) Release(_ context.Context, a access.Attempt) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.rows, a.Client+a.Key)
	return nil
}

// rig counts the changes that a route makes.
type rig struct {
	memory
	http.Handler
	changes int
	answer  http.HandlerFunc
}

func newRig() *rig {
	g := &rig{memory: memory{rows: map[string]*row{}}}
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Location", "/x")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, "%d %s", g.changes, body)
	}
	o := once.Options{Keeper: g, Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler),
		Away: func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }}
	g.Handler = once.Changes(o)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.changes++
		g.answer(w, r)
	}))
	return g
}

func (g *rig) ask(method, path, key, token, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if key != "" {
		r.Header.Set(once.Header, key)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w
}

func TestTheSameRequestChangesOnce(t *testing.T) {
	g := newRig()
	first := g.ask("POST", "/api/v1/budgets", "k", "ada", "b")
	again := g.ask("POST", "/api/v1/budgets", `"k"`, "ada", "b")
	if g.changes != 1 || first.Code != http.StatusCreated || first.Header().Get(once.Replayed) != "" {
		t.Errorf("%d changes, %d %v", g.changes, first.Code, first.Header())
	}
	if again.Code != first.Code || again.Body.String() != "1 b" || again.Header().Get(once.Replayed) != "true" ||
		again.Header().Get("Location") != "/x" || again.Header().Get("Content-Type") != "application/json" {
		t.Errorf("again: %d %s %v", again.Code, again.Body, again.Header())
	}
	for name, c := range map[string]struct{ method, path, key, token, body string }{
		"without a key": {"POST", "/api/v1/budgets", "", "ada", "b"}, "another key": {"POST", "/api/v1/budgets", "l", "ada", "b"},
		"another client": {"POST", "/api/v1/budgets", "k", "bob", "b"}, "a read": {"GET", "/api/v1/budgets", "k", "ada", ""},
		"a page": {"POST", "/budgets", "k", "ada", "b"},
	} {
		before := g.changes
		if w := g.ask(c.method, c.path, c.key, c.token, c.body); g.changes != before+1 || w.Code != http.StatusCreated {
			t.Errorf("%s: %d changes, %d", name, g.changes-before, w.Code)
		}
	}
	for name, c := range map[string]struct {
		method, path, key, body string
		status                  int
	}{
		"another body":    {"POST", "/api/v1/budgets", "k", "c", 422},
		"another address": {"POST", "/api/v1/annotations", "k", "b", 422},
		"another query":   {"POST", "/api/v1/budgets?x", "k", "b", 422},
		"another method":  {"DELETE", "/api/v1/budgets", "k", "b", 422},
		"a long key":      {"POST", "/api/v1/budgets", strings.Repeat("k", 256), "b", 400},
		"a key of blanks": {"POST", "/api/v1/budgets", "a b", "b", 400},
		"an empty key":    {"POST", "/api/v1/budgets", `""`, "b", 400},
	} {
		before := g.changes
		w := g.ask(c.method, c.path, c.key, "ada", c.body)
		if g.changes != before || w.Code != c.status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d changes, %d %s", name, g.changes-before, w.Code, w.Body)
		}
	}
}

// A refused request changed nothing: it may be sent again with its key. So may one whose route failed.
func TestRefusalsAreNotKept(t *testing.T) {
	g := newRig()
	created := g.answer
	for name, answer := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusConflict) },
		"failed":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"panic":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"too large to keep": func(w http.ResponseWriter, _ *http.Request) {
			for range 3 {
				_, _ = w.Write(make([]byte, 512<<10))
			}
		},
	} {
		g.answer = answer
		func() {
			defer func() { _ = recover() }()
			w := g.ask("POST", "/api/v1/x", "k", "ada", "")
			if name == "too large to keep" && w.Body.Len() != 3*512<<10 {
				t.Errorf("%d bytes of a large answer", w.Body.Len())
			}
		}()
		g.answer = created
		if w := g.ask("POST", "/api/v1/x", "k", "ada", ""); w.Code != http.StatusCreated || w.Header().Get(once.Replayed) != "" {
			t.Errorf("after %s: %d %v", name, w.Code, w.Header())
		}
		g.rows = map[string]*row{}
	}
}

func TestTheFirstStillRuns(t *testing.T) {
	g := newRig()
	began, end, done := make(chan bool), make(chan bool), make(chan int)
	g.answer = func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-end
		w.WriteHeader(http.StatusOK)
	}
	go func() { done <- g.ask("POST", "/api/v1/x", "k", "ada", "").Code }()
	<-began
	if w := g.ask("POST", "/api/v1/x", "k", "ada", ""); w.Code != http.StatusConflict || w.Header().Get("Retry-After") == "" {
		t.Errorf("meanwhile: %d %v", w.Code, w.Header())
	}
	close(end)
	if code := <-done; code != http.StatusOK || g.changes != 1 {
		t.Errorf("%d, %d changes", code, g.changes)
	}
	if w := g.ask("POST", "/api/v1/x", "k", "ada", ""); w.Code != http.StatusOK || w.Header().Get(once.Replayed) != "true" {
		t.Errorf("then: %d %v", w.Code, w.Header())
	}
}

func TestWithoutTheDatabaseNothingIsAnswered(t *testing.T) {
	g := newRig()
	for err, status := range map[error]int{io.ErrUnexpectedEOF: 503, errors.New("secret"): 500} {
		g.err = err
		w := g.ask("POST", "/api/v1/x", "k", "ada", "")
		if w.Code != status || g.changes != 0 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %d %s", err, w.Code, w.Body)
		}
	}
}
