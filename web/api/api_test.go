package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// fakeReader has 250 imports and one run to explain.
type fakeReader struct {
	version metrics.Version
	data    metrics.DataWindow // of datasets that from and to select
	err     error
	broken  bool
	asked   metrics.Query
	mu      sync.Mutex    // of asked
	turn    chan struct{} // a question waits for a receive; nil: it does not wait
}

func (f *fakeReader) Window(_ context.Context, d *metrics.Dataset) (w metrics.DataWindow, err error) {
	if d.Windowed {
		w = f.data
	}
	return w, f.err
}

func (f *fakeReader) Version(context.Context) (metrics.Version, error) { return f.version, nil }

func (f *fakeReader) Explain(_ context.Context, subject string) (*metrics.Explanation, error) {
	if subject != "run/a/b" {
		return nil, fmt.Errorf("explain: %w", &metrics.NotFoundError{Subject: subject})
	}
	return &metrics.Explanation{Subject: subject}, nil
}

func (f *fakeReader) WriteWhole(_ context.Context, w io.Writer, subject string) error {
	if subject != "costs?from=2026-11-02" {
		return fmt.Errorf("explain: %w", &metrics.NotFoundError{Subject: subject})
	}
	_, err := io.WriteString(w, `{"behind":{"listed":[]}}`)
	return err
}

func (f *fakeReader) Conditions(context.Context, *access.Viewer) ([]string, error) {
	return []string{"cluster = a"}, nil
}

type brokenRows struct{ *metrics.SliceRows }

func (brokenRows) Err() error { return errors.New("secret host is down") }

func (f *fakeReader) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	f.mu.Lock()
	f.asked = q
	f.mu.Unlock()
	if f.turn != nil {
		select {
		case <-f.turn:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	var rows [][]metrics.Value
	from := 0
	if q.After != nil { // the last column of the order identifies a row
		if _, err := fmt.Sscanf(q.After[len(q.After)-1].Text, "%x", &from); err != nil {
			return nil, err
		}
		from++
	}
	for i := from; i < 250 && (q.Limit == 0 || len(rows) < q.Limit); i++ {
		row := make([]metrics.Value, len(q.Columns()))
		row[0] = metrics.Value{Valid: true, Text: fmt.Sprintf("%032x", i)}
		rows = append(rows, row)
	}
	if f.broken {
		return brokenRows{metrics.NewSliceRows(q.Columns(), rows)}, nil
	}
	return metrics.NewSliceRows(q.Columns(), rows), nil
}

func serve(t testing.TB, f Reader) *httptest.Server {
	t.Helper()
	r := chi.NewRouter()
	New(f, slog.New(slog.DiscardHandler)).Routes(r)
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	return s
}

type answer struct {
	*http.Response
	body string
}

func get(t testing.TB, s *httptest.Server, method, path string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

type page struct {
	Data []map[string]any
	Meta struct {
		Dataset       string
		Rows          int
		Generation    int64
		PolicyVersion string  `json:"policy_version"`
		NextCursor    *string `json:"next_cursor"`
	}
}

func TestPaging(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1", Generation: 7, Policy: "default-1"}}
	s := serve(t, f)
	seen := 0
	path := "/api/v1/imports?order=-rows_read"
	next := ""
	for pages := 0; ; pages++ {
		a := get(t, s, http.MethodGet, path+next)
		var p page
		if err := json.Unmarshal([]byte(a.body), &p); err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("%d %v: %s", a.StatusCode, err, a.body)
		}
		for _, row := range p.Data {
			if want := fmt.Sprintf("%032x", seen); row["import_id"] != want {
				t.Fatalf("row %d is %v", seen, row["import_id"])
			}
			seen++
		}
		if p.Meta.Generation != 7 || p.Meta.PolicyVersion != "default-1" || p.Meta.Dataset != "imports" ||
			p.Meta.Rows != len(p.Data) {
			t.Errorf("meta %+v", p.Meta)
		}
		if p.Meta.NextCursor == nil {
			if pages != 2 {
				t.Errorf("%d pages of 100", pages+1)
			}
			break
		}
		next = "&cursor=" + url.QueryEscape(*p.Meta.NextCursor)
	}
	if seen != 250 {
		t.Errorf("%d rows over all pages", seen)
	}
	if a := get(t, s, http.MethodGet, "/api/v1/imports?order=rows_read"+next); a.StatusCode != http.StatusBadRequest ||
		!strings.Contains(a.body, ":bad-cursor") || !strings.Contains(a.body, "another question") {
		t.Errorf("the cursor of another question answers %d %s", a.StatusCode, a.body)
	}
	f.version.Tag = "2"
	if a := get(t, s, http.MethodGet, path+next); a.StatusCode != http.StatusConflict ||
		!strings.Contains(a.body, `"parameter":"cursor"`) || !strings.Contains(a.body, ":expired-cursor") {
		t.Errorf("an expired cursor answers %d %s", a.StatusCode, a.body)
	}
}

func TestFormats(t *testing.T) {
	s := serve(t, &fakeReader{})
	for path, want := range map[string]string{
		"/api/v1/imports":                                "application/json",
		"/api/v1/imports?format=csv":                     "text/csv; charset=utf-8",
		"/api/v1/imports?format=parquet":                 "application/vnd.apache.parquet",
		"/api/v1/imports?format=arrow":                   "application/vnd.apache.arrow.stream",
		"/api/v1/imports?format=table":                   "text/plain; charset=utf-8",
		"/openapi.json":                                  "application/json",
		"/api/v1/explain/run/a/b":                        "application/json",
		"/api/v1/explain/run%2Fa%2Fb":                    "application/json",
		"/api/v1/explain/costs?from=2026-11-02&list=all": "application/json",
	} {
		full, head := get(t, s, http.MethodGet, path), get(t, s, http.MethodHead, path)
		if full.StatusCode != http.StatusOK || full.Header.Get("Content-Type") != want || full.body == "" {
			t.Errorf("%s: %d %s", path, full.StatusCode, full.Header.Get("Content-Type"))
		}
		if head.StatusCode != http.StatusOK || head.Header.Get("Content-Type") != want || head.body != "" ||
			head.Header.Get("ETag") != full.Header.Get("ETag") {
			t.Errorf("HEAD %s differs: %d %v", path, head.StatusCode, head.Header)
		}
	}
	if a := get(t, s, http.MethodGet, "/api/v1/imports?format=csv"); strings.Count(a.body, "\r\n") != 251 {
		t.Errorf("csv is cut to %d lines", strings.Count(a.body, "\r\n"))
	}
	for accept, want := range map[string]int{
		"text/csv": 200, "text/csv;q=0.5, application/vnd.apache.parquet": 200, "*/*": 200,
		"text/html,*/*;q=0.8": 200, "image/png": 406, "application/json;q=0": 406,
	} {
		if a := get(t, s, http.MethodGet, "/api/v1/imports", "Accept", accept); a.StatusCode != want {
			t.Errorf("Accept %s: %d", accept, a.StatusCode)
		}
	}
	if a := get(t, s, http.MethodGet, "/api/v1/imports", "Accept",
		"text/csv;q=0.5, application/vnd.apache.parquet"); !strings.HasPrefix(a.body, "PAR1") {
		t.Error("the higher q is not followed")
	}
}

func TestEntityTag(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}}
	s := serve(t, f)
	tag := get(t, s, http.MethodGet, "/api/v1/imports").Header.Get("ETag")
	if a := get(t, s, http.MethodGet, "/api/v1/imports", "If-None-Match",
		`"x", `+tag); a.StatusCode != http.StatusNotModified || a.body != "" {
		t.Errorf("known tag %s: %d, %d bytes", tag, a.StatusCode, len(a.body))
	}
	if a := get(t, s, http.MethodGet, "/api/v1/imports?limit=2", "If-None-Match", tag); a.StatusCode != http.StatusOK {
		t.Errorf("another question: %d", a.StatusCode)
	}
	f.version.Tag = "2"
	if a := get(t, s, http.MethodGet, "/api/v1/imports", "If-None-Match", tag); a.StatusCode != http.StatusOK ||
		a.Header.Get("ETag") == tag {
		t.Errorf("changed ledger: %d", a.StatusCode)
	}
}

func TestProblems(t *testing.T) {
	s := serve(t, &fakeReader{})
	for path, want := range map[string]struct {
		status    int
		parameter string
	}{
		"/api/v1/forecast":               {404, ""},
		"/api/v1/":                       {404, ""},
		"/api/v1/costs?group_by=colour":  {400, "group_by"},
		"/api/v1/costs?group-by=colour":  {400, "group-by"},
		"/api/v1/costs?from=x":           {400, "from"},
		"/api/v1/costs?fromm=2026-11-01": {400, "fromm"},
		"/api/v1/costs?limit=1&limit=2":  {400, "limit"},
		"/api/v1/costs?limit=100001":     {400, "limit"},
		"/api/v1/costs?format=xml":       {400, "format"},
		"/api/v1/costs?cursor=!":         {400, "cursor"},
		// {"o":9223372036854775807,"v":"x"}: of an earlier version of gpuledger
		"/api/v1/costs?cursor=eyJvIjo5MjIzMzcyMDM2ODU0Nzc1ODA3LCJ2IjoieCJ9": {400, "cursor"},
		"/openapi.json?vresion=3.1":                                         {400, "vresion"},
		"/api/v1/statement?ownr=team%3Dspeech&billing_period=2026-10":       {400, "ownr"},
		"/api/v1/costs?format=csv&cursor=eyJvIjoxLCJ2IjoieCJ9":              {400, "cursor"},
		"/api/v1/costs?group_by=team&group-by=project":                      {400, ""},
		"/api/v1/costs?filter=team+%3D":                                     {400, "filter"},
		"/api/v1/explain/run/none":                                          {404, ""},
		"/api/v1/explain/run/a/b?format=csv":                                {400, "format"},
		"/api/v1/explain/costs?list=5":                                      {400, "list"},
		"/api/v1/explain/costs?list=all":                                    {404, ""},
		"/api/v2/costs":                                                     {404, ""},
	} {
		a := get(t, s, http.MethodGet, path)
		var p problem
		if err := json.Unmarshal([]byte(a.body), &p); err != nil {
			t.Errorf("%s: %v: %s", path, err, a.body)
			continue
		}
		if a.StatusCode != want.status || p.Status != want.status ||
			a.Header.Get("Content-Type") != "application/problem+json" || p.Detail == "" ||
			want.parameter != "" && p.Parameter != want.parameter {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
}

func TestFailuresAreNotShown(t *testing.T) {
	f := &fakeReader{err: errors.New("password of db is hunter2")}
	s := serve(t, f)
	if a := get(t, s, http.MethodGet, "/api/v1/costs"); a.StatusCode != http.StatusInternalServerError ||
		strings.Contains(a.body, "hunter2") || a.Header.Get("ETag") != "" && a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	f.err, f.broken = nil, true
	if a := get(t, s, http.MethodGet, "/api/v1/imports"); a.StatusCode != http.StatusInternalServerError ||
		strings.Contains(a.body, "secret") {
		t.Errorf("rows that break off before anything was sent: %d %s", a.StatusCode, a.body)
	}
}

func TestDocument(t *testing.T) {
	text, err := json.Marshal(Document())
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		OpenAPI    string
		Paths      map[string]any
		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]any
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, d := range metrics.Datasets {
		s, ok := doc.Components.Schemas[d.Name]
		if _, path := doc.Paths["/api/v1/"+d.Name]; !ok || !path {
			t.Errorf("%s is not described", d.Name)
		}
		for _, c := range d.Columns {
			if s.Properties[c.Name] == nil || slices.Contains(s.Required, c.Name) !=
				(!c.OnlyGroups && !d.Varies(c) && (d.Grouped || !d.Regroups())) {
				t.Errorf("%s.%s is not described", d.Name, c.Name)
			}
		}
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("version %s", doc.OpenAPI)
	}
}
