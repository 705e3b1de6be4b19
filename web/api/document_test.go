package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/metrics"
	"gpuledger/web/operate"
)

var update = flag.Bool("update", false, "rewrite openapi.json")

// openapi.json is what the server answers. The clients are generated from it.
func TestDocumentIsCurrent(t *testing.T) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(Document()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", text.Bytes(), 0o644); err != nil { //nolint:gosec // others read it
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, text.Bytes()) {
		t.Error("openapi.json is not what the server answers: go test ./web/api -run TestDocumentIsCurrent -update, " +
			"then make clients")
	}
}

// Every route is described, and every description has a route.
func TestTheDocumentListsTheRoutes(t *testing.T) {
	r := chi.NewRouter()
	New(&fakeReader{}, slog.New(slog.DiscardHandler)).Operated(operate.Desk{Shelf: &operate.Shelf{}}).
		Deferring(t.Context(), Later{}, time.Now).Routes(r)
	routed := map[string]bool{}
	err := chi.Walk(r, func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		switch {
		case method == http.MethodHead, pattern == anywhere, pattern == "/openapi.json":
		case strings.HasPrefix(pattern, "/odata/"): // OData describes itself, in $metadata
		case pattern == root+"/{dataset}":
			for _, d := range metrics.Datasets {
				routed[method+" "+root+"/"+d.Name] = true
			}
		default:
			routed[method+" "+strings.Replace(pattern, "/*", "/{subject}", 1)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Described() {
		name := r.Method + " " + r.Path
		if r.Tag != tagTelemetry && !routed[name] {
			t.Errorf("%s is described, but has no route", name)
		}
		delete(routed, name)
	}
	for name := range routed {
		t.Errorf("%s is not described", name)
	}
}

// Every operation has an id, a tag, a summary, an answer that succeeds with an example, and answers that fail.
func TestDescriptionsAreWhole(t *testing.T) {
	ids, tags := map[string]bool{}, map[string]bool{}
	for _, tag := range Tags {
		tags[tag.Name] = true
	}
	sentence := regexp.MustCompile(`^[A-Z].*\.$`)
	for _, r := range Described() {
		name := r.Method + " " + r.Path
		if r.ID == "" || ids[r.ID] || !tags[r.Tag] || !sentence.MatchString(r.Summary) {
			t.Errorf("%s: id %q, tag %q, summary %q", name, r.ID, r.Tag, r.Summary)
		}
		ids[r.ID] = true
		failed, shown := 0, false
		for _, a := range r.Answers {
			if a.Says() == "" {
				t.Errorf("%s: the answer %d has no description", name, a.Status)
			}
			if a.Failed() {
				failed++
			}
			shown = shown || a.Status == http.StatusNoContent ||
				!a.Failed() && slices.ContainsFunc(a.Contents, func(c Content) bool { return c.Example != nil })
		}
		protocol := r.ID == remoteWriteID || r.ID == otlpID || r.ID == "statement" // their formats are described elsewhere
		if failed < 4 || !shown && !protocol {
			t.Errorf("%s: %d answers that fail, an example: %v", name, failed, shown)
		}
		if r.Body != nil && !protocol && r.Body.Contents[0].Example == nil {
			t.Errorf("%s: the body has no example", name)
		}
		for _, p := range r.Parameters {
			if p.Doc == "" || p.Schema == nil || p.In == "path" && p.Example == nil {
				t.Errorf("%s: parameter %s is not described", name, p.Name)
			}
		}
	}
}

// The examples of questions are valid, each documented parameter is one that the API reads, and others are refused.
func TestDocumentedParametersAreTaken(t *testing.T) {
	for _, d := range metrics.Datasets {
		route := datasetRoute(d)
		if _, err := parseRequest(d.Name, httptest.NewRequest(http.MethodGet, route.Path+"?"+route.Query, nil)); err != nil {
			t.Errorf("%s?%s: %v", route.Path, route.Query, err)
		}
		for _, p := range route.Parameters {
			if p.In != "query" {
				continue
			}
			_, err := parseRequest(d.Name, httptest.NewRequest(http.MethodGet, route.Path+"?"+p.Name+"=", nil))
			if err != nil && strings.Contains(err.Error(), "is not a parameter") {
				t.Errorf("%s does not take %s: %v", d.Name, p.Name, err)
			}
		}
	}
	for _, o := range metrics.OptionList {
		if !slices.ContainsFunc(parameters(metrics.Datasets[0]), func(p Parameter) bool {
			return p.Name == strings.ReplaceAll(o.Name, "-", "_")
		}) && o.Name != "against" && o.Name != "focus-version" {
			t.Errorf("the option %s of costs is not in the document", o.Name)
		}
	}
}

// The document has an entry for each status with which the API refuses a request.
func TestEveryProblemIsDescribed(t *testing.T) {
	source, err := os.ReadFile("problem.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`Status: http\.Status(\w+)`).FindAllStringSubmatch(string(source), -1)
	if len(found) < 8 {
		t.Fatalf("%d statuses", len(found))
	}
	texts := map[string]bool{"Internal Server Error": true}
	for _, s := range Problems {
		texts[http.StatusText(s.Status)] = true
	}
	spaced := regexp.MustCompile(`([a-z])([A-Z])`)
	for _, m := range found {
		if text := spaced.ReplaceAllString(m[1], "$1 $2"); !texts[text] {
			t.Errorf("Problems lacks %s", text)
		}
	}
}
