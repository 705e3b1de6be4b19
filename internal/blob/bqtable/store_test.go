package bqtable_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/bqtable"
)

// fake answers the calls of a query as the REST API does: tables.get,
// jobs.insert, jobs.query, getQueryResults with pages.
type fake struct {
	t      *testing.T
	mu     sync.Mutex
	fields []any // of the table
	days   [][]any
	rows   map[string][]any // by day
	ran    []string         // statements
	jobs   map[string]result
	refuse func(w http.ResponseWriter, r *http.Request) bool
	kind   string // of the table
}

type result struct {
	fields []any
	rows   []any
}

func cell(v any) map[string]any { return map[string]any{"v": v} }

func row(values ...any) map[string]any {
	cells := make([]any, len(values))
	for i, v := range values {
		cells[i] = cell(v)
	}
	return map[string]any{"f": cells}
}

func field(name, typ string) map[string]any { return map[string]any{"name": name, "type": typ} }

func nested(name, mode string, fields ...any) map[string]any {
	return map[string]any{"name": name, "type": "RECORD", "mode": mode, "fields": fields}
}

func micros(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err) // a mistake in the test
	}
	return fmt.Sprint(at.UnixMicro())
}

func (f *fake) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		f.t.Error(err)
	}
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refuse != nil && f.refuse(w, r) {
		return
	}
	switch p := r.URL.Path; {
	case strings.HasSuffix(p, "/tables/export"):
		f.answer(w, map[string]any{"kind": "bigquery#table", "type": f.kind,
			"timePartitioning": map[string]any{"type": "DAY"},
			"schema":           map[string]any{"fields": f.fields}})
	case r.Method == http.MethodPost && (strings.HasSuffix(p, "/jobs") || strings.HasSuffix(p, "/queries")):
		f.insert(w, r, strings.HasSuffix(p, "/queries"))
	case strings.Contains(p, "/queries/"):
		f.page(w, r, p[strings.LastIndexByte(p, '/')+1:])
	case strings.Contains(p, "/jobs/"):
		f.answer(w, job(p[strings.LastIndexByte(p, '/')+1:]))
	default:
		f.t.Errorf("unexpected call %s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotImplemented)
	}
}

func job(id string) map[string]any {
	return map[string]any{"kind": "bigquery#job",
		"jobReference": map[string]any{"projectId": "p", "jobId": id, "location": "US"},
		"status":       map[string]any{"state": "DONE"},
		"statistics":   map[string]any{"query": map[string]any{"statementType": "SELECT"}},
		"configuration": map[string]any{
			"query": map[string]any{"destinationTable": map[string]any{"projectId": "p", "datasetId": "anon", "tableId": id}},
		}}
}

func (f *fake) insert(w http.ResponseWriter, r *http.Request, quick bool) {
	var in struct {
		Query         any `json:"query"`
		Configuration struct {
			Query struct {
				Query           string `json:"query"`
				QueryParameters []struct {
					Name  string `json:"name"`
					Value struct {
						Value       string `json:"value"`
						ArrayValues []struct {
							Value string `json:"value"`
						} `json:"arrayValues"`
					} `json:"parameterValue"`
				} `json:"queryParameters"`
			} `json:"query"`
		} `json:"configuration"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		f.t.Error(err)
	}
	id := fmt.Sprintf("job%d", len(f.jobs))
	text := in.Configuration.Query.Query
	if quick {
		text = fmt.Sprint(in.Query)
	}
	said := text
	res := result{}
	if strings.Contains(text, "group by 1, 2") {
		res.fields = []any{
			field("day", "TIMESTAMP"), field("part", "TIMESTAMP"), field("row_count", "INTEGER"), field("newest", "TIMESTAMP"),
		}
		for _, d := range f.days {
			res.rows = append(res.rows, row(d...))
		}
	} else {
		res.fields = f.fields
		for _, p := range in.Configuration.Query.QueryParameters {
			said += fmt.Sprintf(" @%s=%s%v", p.Name, p.Value.Value, p.Value.ArrayValues)
			if p.Name == "day" {
				res.rows = f.rows[p.Value.Value[:10]]
			}
		}
	}
	f.ran = append(f.ran, said)
	f.jobs[id] = res
	if quick {
		f.answer(w, map[string]any{"jobComplete": true, "jobReference": job(id)["jobReference"],
			"schema": map[string]any{"fields": res.fields},
			"rows":   res.rows, "totalRows": fmt.Sprint(len(res.rows))})
		return
	}
	f.answer(w, job(id))
}

// page answers two rows at a time.
func (f *fake) page(w http.ResponseWriter, r *http.Request, id string) {
	res := f.jobs[id]
	at := 0
	if token := r.URL.Query().Get("pageToken"); token != "" {
		_, _ = fmt.Sscan(token, &at) // it is ours
	}
	to := min(at+2, len(res.rows))
	if r.URL.Query().Get("maxResults") == "0" {
		to = at
	}
	out := map[string]any{"jobComplete": true, "jobReference": job(id)["jobReference"],
		"schema":    map[string]any{"fields": res.fields},
		"totalRows": fmt.Sprint(len(res.rows)), "rows": res.rows[at:to]}
	if to < len(res.rows) {
		out["pageToken"] = fmt.Sprint(to)
	}
	f.answer(w, out)
}

func start(t *testing.T) (*fake, blob.Stores) {
	t.Helper()
	f := &fake{t: t, kind: "TABLE", jobs: map[string]result{}, rows: map[string][]any{}}
	f.fields = []any{field("cost", "FLOAT"), field("n", "INTEGER"), field("price", "NUMERIC"),
		field("export_time", "TIMESTAMP"),
		nested("project", "NULLABLE", field("id", "STRING"),
			nested("labels", "REPEATED", field("key", "STRING"), field("value", "STRING"))),
		nested("credits", "REPEATED", field("name", "STRING"), field("amount", "FLOAT")),
		field("big", "BIGNUMERIC"), field("day", "DATE"), field("ok", "BOOLEAN")}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, blob.Stores{
		bqtable.Scheme: bqtable.New(bqtable.Options{Endpoint: server.URL + "/bigquery/v2/", Client: server.Client()}),
	}
}

func TestDaysAreFilesOfJSONLines(t *testing.T) {
	f, stores := start(t)
	f.days = [][]any{
		{micros("2026-03-01T00:00:00Z"), micros("2026-03-01T00:00:00Z"), "2", micros("2026-03-01T22:00:00Z")},
		{micros("2026-03-01T00:00:00Z"), micros("2026-03-02T00:00:00Z"), "1", micros("2026-03-01T23:59:59.5Z")},
		{micros("2026-03-02T00:00:00Z"), nil, "1", micros("2026-03-02T01:00:00Z")},
	}
	f.rows["2026-03-01"] = []any{
		row("0.1", "9007199254740993", "1.230000000", micros("2026-03-01T22:00:00.000001Z"),
			map[string]any{"f": []any{cell("proj"), cell([]any{cell(row("k", "v\"1"))})}},
			[]any{cell(row("cud", "-2.63E-8")), cell(row("x", "-1.0"))},
			"0.00000000000000000000000000000000000001", "2026-03-01", "true"),
		row("1e21", nil, "-0.000000001", micros("2026-03-01T22:00:00Z"), nil, []any{}, nil, nil, nil),
		row("NaN", "0", "99999999999999999999999999999.999999999", micros("2026-03-01T23:59:59.5Z"),
			map[string]any{"f": []any{cell(nil), cell([]any{})}}, []any{}, nil, nil, "false"),
	}
	f.rows["2026-03-02"] = []any{row("3", nil, nil, micros("2026-03-02T01:00:00Z"), nil, []any{}, nil, nil, nil)}
	files, err := stores.List(t.Context(), "bq://p.billing.export")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	if a := files[0]; a.Name != "export/2026-03-01.json" || a.Path != "bq://p.billing.export/2026-03-01.json" ||
		a.Version == "" || a.Version == files[1].Version || a.Modified.String() != "2026-03-01T23:59:59Z" {
		t.Errorf("%+v", a)
	}
	want := `{"cost":0.1,"n":"9007199254740993","price":"1.23","export_time":"2026-03-01 22:00:00.000001 UTC","project":{"id":"proj","labels":[{"key":"k","value":"v\"1"}]},"credits":[{"name":"cud","amount":-2.63e-08},{"name":"x","amount":-1}],"big":"0.00000000000000000000000000000000000001","day":"2026-03-01","ok":true}
{"cost":1e+21,"price":"-0.000000001","export_time":"2026-03-01 22:00:00 UTC","credits":[]}
{"cost":"NaN","n":"0","price":"99999999999999999999999999999.999999999","export_time":"2026-03-01 23:59:59.5 UTC","project":{"labels":[]},"credits":[],"ok":false}
`
	for range 2 { // each pass sees the same rows
		in, err := files[0].Open(blob.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil || string(got) != want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, want)
		}
	}
	if head, err := files[1].Head(10); err != nil || string(head) != `{"cost":3,` {
		t.Errorf("%q %v", head, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.ran) != 3 { // the days, and one query for each that was read
		t.Errorf("%d queries: %s", len(f.ran), f.ran)
	}
	if q := f.ran[1]; !strings.Contains(q, "_PARTITIONTIME in unnest(@partitions)") ||
		!strings.Contains(q, "2026-03-02 00:00:00") {
		t.Errorf("a day must be read from its partitions only: %s", q)
	}
	if q := f.ran[2]; strings.Contains(q, "_PARTITIONTIME") { // rows that are not in a partition yet
		t.Errorf("%s", q)
	}
}

func TestADayThatGrewHasAnotherVersion(t *testing.T) {
	f, stores := start(t)
	f.kind = "VIEW" // has no partitions
	list := func(rows string) string {
		f.mu.Lock()
		f.days = [][]any{{micros("2026-03-01T00:00:00Z"), nil, rows, micros("2026-03-01T22:00:00Z")}}
		f.mu.Unlock()
		files, err := stores.List(t.Context(), "bq://p.billing.export")
		if err != nil {
			t.Fatal(err)
		}
		return files[0].Version
	}
	if a, b, c := list("2"), list("2"), list("3"); a != b || a == c {
		t.Errorf("%s %s %s", a, b, c)
	}
	if strings.Contains(f.ran[0], "_PARTITIONTIME") {
		t.Errorf("a view has no _PARTITIONTIME: %s", f.ran[0])
	}
}

func TestRefusals(t *testing.T) {
	f, stores := start(t)
	f.days = [][]any{{micros("2026-03-01T00:00:00Z"), nil, "1", micros("2026-03-01T22:00:00Z")}}
	files, err := stores.List(t.Context(), "bq://p.billing.export")
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(code int, reason string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"error":{"code":%d,"message":"no","errors":[{"reason":%q,"message":"no"}]}}`, code, reason)
			return true
		}
	}
	refuse(http.StatusForbidden, "accessDenied")
	_, err = stores.List(t.Context(), "bq://p.billing.export")
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || !strings.Contains(d.Needs, "bigquery.tables.get") {
		t.Errorf("%v", err)
	}
	_, err = files[0].Head(10)
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || !strings.Contains(d.Needs, "bigquery.jobs.create") {
		t.Errorf("%v", err)
	}
	for code, words := range map[int]string{
		http.StatusNotFound: "no such table", http.StatusUnauthorized: "credentials are refused",
	} {
		refuse(code, "x")
		if _, err := stores.List(t.Context(), "bq://p.billing.export"); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%d: %v", code, err)
		}
	}
	f.mu.Lock()
	f.refuse, f.fields = nil, []any{field("cost", "FLOAT")}
	f.mu.Unlock()
	for uri, words := range map[string]string{
		"bq://p.billing.export": "no column export_time", "bq://p.billing": "write bq://",
		"bq://p.d.t`; drop": "write bq://", "bq://": "write bq://",
	} {
		if _, err := stores.List(t.Context(), uri); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}
