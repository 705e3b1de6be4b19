package api

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

var november = metrics.DataWindow{
	Interval: period.Interval{From: second("2026-11-01"), To: second("2026-11-20")}, Any: true,
}

func second(day string) period.Second {
	at, err := metrics.ParseTime("day", day, "UTC")
	if err != nil {
		panic(err)
	}
	return at
}

// problemAt is a refusal.
func problemAt(t *testing.T, s *httptest.Server, path string, status int) (p problem, body string) {
	t.Helper()
	a := get(t, s, http.MethodGet, path)
	if a.StatusCode != status || a.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%s: %d %s, want %d", path, a.StatusCode, a.body, status)
		return p, a.body
	}
	var text struct {
		problem
		Window json.RawMessage `json:"window"`
	}
	if err := json.Unmarshal([]byte(a.body), &text); err != nil {
		t.Errorf("%s: %v: %s", path, err, a.body)
	}
	return text.problem, a.body
}

// TestEveryDatasetKeepsTheRules: methods, entity tags, misspelt parameters, periods, earlier states and sharing work alike
// for all datasets.
func TestEveryDatasetKeepsTheRules(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}, data: november}
	var viewer *access.Viewer
	r := chi.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, r.WithContext(access.As(r.Context(), viewer)))
		})
	})
	New(f, slog.New(slog.DiscardHandler)).Routes(r)
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	for _, d := range metrics.Datasets {
		path := "/api/v1/" + d.Name
		if d.Compared { // it needs a period
			path += "?from=2026-11-05&to=2026-11-06&group_by=team"
		} else {
			path += "?"
		}
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			if slices.ContainsFunc(operations, func(o operation) bool { return o.path == "/"+d.Name }) {
				continue // operators can write it
			}
			if a := get(t, s, method, path); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: %d, Allow %q", method, path, a.StatusCode, a.Header.Get("Allow"))
			}
		}

		tag := func() string {
			t.Helper()
			a := get(t, s, http.MethodGet, path)
			if a.StatusCode != http.StatusOK || a.Header.Get("ETag") == "" {
				t.Errorf("%s: %d %s, tag %q", path, a.StatusCode, a.body, a.Header.Get("ETag"))
			}
			return a.Header.Get("ETag")
		}
		first := tag()
		if a := get(t, s, http.MethodGet, path, "If-None-Match", first); a.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %d", path, a.StatusCode)
		}
		f.version.Tag = "2"
		if second := tag(); second == first {
			t.Errorf("%s: the tag stays the same when the ledger changes", path)
		}
		f.version.Tag = "1"
		if d.InPart {
			viewer = &access.Viewer{Role: access.RoleAuditor, Scope: "x", Members: "1"}
			one := tag()
			viewer = &access.Viewer{Role: access.RoleAuditor, Scope: "x", Members: "2"}
			if two := tag(); one == first || two == one {
				t.Errorf("%s: the tag does not follow the scope", path)
			}
		}
		viewer = nil

		if p, _ := problemAt(t, s, path+"&gruop_by=team", http.StatusBadRequest); p.Parameter != "gruop_by" ||
			p.Nearest != "group_by" {
			t.Errorf("%s: %+v", path, p)
		}
		if p, _ := problemAt(t, s, path+"&order=nonsens", http.StatusBadRequest); p.Parameter != "order" {
			t.Errorf("%s: %+v", path, p)
		}
		if p, body := problemAt(t, s, path+"&filter=nosuchkey%20%3D%20x", http.StatusBadRequest); p.Parameter != "filter" {
			t.Errorf("%s: %s", path, body)
		}
		checkPeriods(t, s, f, d)
		checkStates(t, s, d, path)
	}
}

// checkPeriods: a period outside the data is refused with the window, one that reaches beyond has the window in its meta.
func checkPeriods(t *testing.T, s *httptest.Server, f *fakeReader, d *metrics.Dataset) {
	t.Helper()
	path := "/api/v1/" + d.Name
	if !d.Windowed {
		if p, _ := problemAt(t, s, path+"?from=2026-11-05", http.StatusBadRequest); p.Parameter != "from" {
			t.Errorf("%s: %+v", path, p)
		}
		return
	}
	for query, parameter := range map[string]string{
		"?from=2001-01-01&to=2001-02-01": "to", "?from=2027-01-01&to=2027-02-01": "from", "?from=2026-11-20&to=2026-11-21": "from",
		"?from=2026-10-30&to=2026-11-01": "to",
	} {
		p, body := problemAt(t, s, path+query, http.StatusBadRequest)
		if p.Parameter != parameter || p.Type != "urn:gpuledger:problem:outside-the-data" ||
			!strings.Contains(body, `"window":{"from":"2026-11-01T00:00:00Z","to":"2026-11-20T00:00:00Z"}`) {
			t.Errorf("%s%s: %s", path, query, body)
		}
	}
	beyond := path + "?from=2026-11-19&to=2026-12-01"
	var answer struct {
		Data []any
		Meta struct{ Window map[string]string }
	}
	a := get(t, s, http.MethodGet, beyond)
	if err := json.Unmarshal([]byte(a.body), &answer); err != nil || answer.Meta.Window["to"] != "2026-11-20T00:00:00Z" {
		t.Errorf("%s: %d %v %s", beyond, a.StatusCode, err, a.body)
	}
	if a := get(t, s, http.MethodGet, beyond+"&format=csv"); a.Header.Get(windowHeader) !=
		"2026-11-01T00:00:00Z/2026-11-20T00:00:00Z" {
		t.Errorf("%s as CSV: window %q", beyond, a.Header.Get(windowHeader))
	}
	f.data, f.version.Tag = metrics.DataWindow{}, "empty"
	if a := get(t, s, http.MethodGet, path+"?from=2001-01-01&to=2001-02-01"); a.StatusCode != http.StatusOK ||
		!strings.Contains(a.body, `"window":null`) {
		t.Errorf("%s of an empty ledger: %d %s", path, a.StatusCode, a.body)
	}
	f.data, f.version.Tag = november, "1"
}

// checkStates: options that a dataset does not have are refused by name, and the others are taken.
func checkStates(t *testing.T, s *httptest.Server, d *metrics.Dataset, path string) {
	t.Helper()
	for _, c := range []struct {
		query, parameter string
		takes            bool
	}{
		{"&as_of=2026-11-05", "as_of", d.Name == "costs"},
		{"&statement=2026-10", "statement", d.Name == "costs"},
		{"&sharing=after", "sharing", d.Shared},
		{"&currency=EUR", "currency", d.Grouped},
	} {
		if c.takes {
			if a := get(t, s, http.MethodGet, path+c.query); a.StatusCode != http.StatusOK {
				t.Errorf("%s%s: %d %s", path, c.query, a.StatusCode, a.body)
			}
			continue
		}
		if p, body := problemAt(t, s, path+c.query, http.StatusBadRequest); p.Parameter != c.parameter {
			t.Errorf("%s%s: %s", path, c.query, body)
		}
	}
}

func TestProblemsNameTheNearestName(t *testing.T) {
	s := serve(t, &fakeReader{})
	for path, want := range map[string]string{
		"/api/v1/cost": "costs", "/api/v1/costs?gruop-by=team": "group-by", "/api/v1/costs?gruop_by=team": "group_by",
		"/api/v1/costs?group-by=taem": "team", "/api/v1/costs?filter=taem%20%3D%20x": "team",
		"/api/v1/costs?granularity=dayly": "day", "/api/v1/costs?basis=efective": "effective",
		"/api/v1/costs?order=-effectiv_cost": "effective_cost", "/api/v1/costs?format=parqet": "parquet",
		"/api/v1/costs?filter=effectiv_cost%20%3E%201": "effective_cost", "/api/v1/costs?sharing=aftr": "after",
		"/api/v1/statement?ownr=team%3Dspeech&billing_period=2026-10": "owner",
	} {
		status := http.StatusBadRequest
		if path == "/api/v1/cost" {
			status = http.StatusNotFound
		}
		p, body := problemAt(t, s, path, status)
		if p.Nearest != want || !strings.Contains(p.Detail, "did you mean "+want) {
			t.Errorf("%s: %s", path, body)
		}
	}
}

// A group key as a parameter is answered with the filter that was meant, which works.
func TestAGroupKeyIsNoParameter(t *testing.T) {
	s := serve(t, &fakeReader{})
	for query, want := range map[string]string{
		"team=speech":           "write filter=team+%3D+speech (team = speech), or group_by=team",
		"cluster=it%27s%20ours": "write filter=cluster+%3D+%27it%27%27s+ours%27 (cluster = 'it''s ours'), or group_by=cluster",
	} {
		p, body := problemAt(t, s, "/api/v1/costs?"+query, http.StatusBadRequest)
		if !strings.Contains(p.Detail, want) {
			t.Errorf("%s: %s, want %s", query, body, want)
		}
		_, filter, _ := strings.Cut(want, "write ")
		filter, _, _ = strings.Cut(filter, " ")
		if _, err := parseRequest("costs", httptest.NewRequest(http.MethodGet, "/api/v1/costs?"+filter, nil)); err != nil {
			t.Errorf("%s: %v", filter, err)
		}
	}
}
