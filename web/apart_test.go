package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web"
	"gpuledger/web/dashboard/page"
)

// faulty answers questions to one dataset only when let, or not at all.
type faulty struct {
	*dashtest.Reader
	dataset string
	answer  func(ctx context.Context) error // nil: as usual
}

func (f *faulty) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	if q.Dataset.Name == f.dataset {
		if err := f.answer(ctx); err != nil {
			return nil, err
		}
	}
	return f.Reader.Query(ctx, q)
}

// A page of three panels; the two of them about the difference ask variance, which the explorer's own does not.
const changed = "/explore?dataset=costs&measure=effective_cost&by=team&from=2026-11-10&to=2026-11-12&change=team+%3D+speech"

func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func apart(t *testing.T, answer func(context.Context) error, limits page.Limits) http.Handler {
	t.Helper()
	h, err := web.New(web.Deps{Reader: &faulty{Reader: dashtest.New(), dataset: "variance", answer: answer}, Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// part is the section of a panel.
func part(t *testing.T, body, name string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<section[^>]*data-panel="` + name + `".*?</section>`).FindString(body)
	if m == "" {
		t.Fatalf("the page has no panel %s: %s", name, body)
	}
	return m
}

// A panel that fails, panics or takes too long says so in its place; the rest of the page is as ever.
func TestAFailedPanelHarmsNoOther(t *testing.T) {
	sound := part(t, get(t, apart(t, func(context.Context) error { return nil }, page.Limits{}), changed).Body.String(), "explore")
	if !strings.Contains(sound, "data-mark") {
		t.Fatalf("the sound panel has no marks: %s", sound)
	}
	for name, c := range map[string]struct {
		answer func(context.Context) error
		limits page.Limits
		says   string
	}{
		"fails":  {func(context.Context) error { return errors.New("the database fell over") }, page.Limits{}, "could not be read"},
		"panics": {func(context.Context) error { panic("a bug") }, page.Limits{}, "could not be read"},
		"hangs":  {hang, page.Limits{Part: 20 * time.Millisecond, Page: time.Minute}, "timed out after 20ms"},
		"is cut off, says the driver": {func(ctx context.Context) error {
			<-ctx.Done()
			return errors.New("cancelled")
		}, page.Limits{Part: 20 * time.Millisecond, Page: time.Minute}, "timed out after 20ms"},
	} {
		t.Run(name, func(t *testing.T) {
			h := apart(t, c.answer, c.limits)
			w := get(t, h, changed)
			body := w.Body.String()
			if w.Code != http.StatusOK || !strings.HasSuffix(body, "</html>") {
				t.Fatalf("%d, %s", w.Code, body)
			}
			if got := part(t, body, "explore"); got != sound {
				t.Errorf("the sound panel differs: %s", got)
			}
			for _, name := range []string{"bridge", "movers"} {
				failed := part(t, body, name)
				if !strings.Contains(failed, c.says) || strings.Contains(body, "fell over") ||
					!strings.Contains(failed, `hx-get="/explore?`) || !strings.Contains(failed, "panel="+name) {
					t.Errorf("%s: %s", name, failed)
				}
			}
		})
	}
}

// A panel has its own address: alone for scripts, in a page for all others.
func TestAPanelHasAnAddress(t *testing.T) {
	h := apart(t, func(context.Context) error { return nil }, page.Limits{})
	whole := get(t, h, changed).Body.String()
	for _, name := range []string{"explore", "bridge", "movers"} {
		alone := get(t, h, changed+"&panel="+name, "HX-Request", "true")
		if got := alone.Body.String(); alone.Code != http.StatusOK || got != part(t, whole, name) {
			t.Errorf("%s alone: %d, %s", name, alone.Code, got)
		}
		in := get(t, h, changed+"&panel="+name).Body.String()
		if part(t, in, name) != part(t, whole, name) || strings.Count(in, "data-panel=") != 1 || !strings.Contains(in, "<h1>") {
			t.Errorf("%s in a page: %s", name, in)
		}
	}
	if w := get(t, h, changed+"&panel=none", "HX-Request", "true"); w.Code != http.StatusNotFound {
		t.Errorf("a panel that the page lacks: %d, %s", w.Code, w.Body)
	}
	if regexp.MustCompile(`[?;&]panel=`).MatchString(whole) {
		t.Error("links carry the name of a panel")
	}
}

// The head of a page is sent before its panels are drawn, packed or not, and a slow panel is left to be loaded apart.
func TestASlowPanelIsLoadedApart(t *testing.T) {
	let := make(chan struct{})
	h := apart(t, func(ctx context.Context) error {
		select {
		case <-let:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}, page.Limits{Page: 50 * time.Millisecond})
	s := httptest.NewServer(h)
	defer s.Close()
	for _, packed := range []bool{false, true} {
		client := &http.Client{Transport: &http.Transport{DisableCompression: !packed}}
		out, err := client.Get(s.URL + changed)
		if err != nil {
			t.Fatal(err)
		}
		if out.Uncompressed != packed || out.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("packed %v: %v, %v", packed, out.Uncompressed, out.Header)
		}
		body, err := io.ReadAll(out.Body)
		out.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		slow := part(t, string(body), "bridge")
		if !strings.Contains(slow, `hx-trigger="load"`) || !strings.Contains(slow, `aria-busy="true"`) ||
			!strings.Contains(slow, `<a href="/explore?`) || !strings.HasSuffix(string(body), "</html>") {
			t.Errorf("packed %v: %s", packed, slow)
		}
		client.CloseIdleConnections()
	}
	close(let)
	if w := get(t, h, changed+"&panel=bridge", "HX-Request", "true"); part(t, w.Body.String(), "bridge") == "" ||
		!strings.Contains(w.Body.String(), `data-as="sql"`) || strings.Contains(w.Body.String(), "aria-busy") {
		t.Errorf("apart: %s", w.Body)
	}
}

// What a page has is sent while its panels are still being drawn.
func TestTheHeadIsSentFirst(t *testing.T) {
	let := make(chan struct{})
	h, err := web.New(web.Deps{Reader: &faulty{Reader: dashtest.New(), dataset: "variance", answer: func(context.Context) error {
		<-let
		return nil
	}}, Limits: page.Limits{Page: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	for range 2 {
		out, err := s.Client().Get(s.URL + "/variance?from=2026-11-10&to=2026-11-12")
		if err != nil {
			t.Fatal(err)
		}
		seen := ""
		for block := make([]byte, 512); !strings.Contains(seen, `<main id="content"`); {
			n, err := out.Body.Read(block)
			if seen += string(block[:n]); err != nil {
				t.Fatalf("the answer ends with %v: %s", err, seen)
			}
		}
		select {
		case <-let:
		default:
			close(let) // only now does the story come
		}
		rest, err := io.ReadAll(out.Body)
		if out.Body.Close(); err != nil || !strings.Contains(seen+string(rest), `data-panel="bridge"`) {
			t.Fatalf("%v: %s", err, rest)
		}
	}
}

// Of one page, five panels at most are drawn at once.
func TestAFewPanelsAtOnce(t *testing.T) {
	site := &page.Site{}
	lane, ctx := site.Lane(httptest.NewRequest(http.MethodGet, "/", nil))
	began, let := make(chan bool, 12), make(chan bool)
	var parts []templ.Component
	for range cap(began) {
		parts = append(parts, lane.Start(ctx, page.Scope{}, page.Part{Name: "p", Draw: func(context.Context) (templ.Component, error) {
			began <- true
			<-let
			return templ.NopComponent, nil
		}}))
	}
	for range 5 {
		<-began
	}
	select {
	case <-began:
		t.Error("a sixth is drawn")
	case <-time.After(50 * time.Millisecond):
	}
	close(let)
	for _, p := range parts {
		if err := p.Render(ctx, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	lane.Close()
	if len(began) != 7 {
		t.Errorf("%d of 12 were drawn", len(began)+5)
	}
}
