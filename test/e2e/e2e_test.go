package e2e

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/export"
)

// contract lists the datasets and their fixed columns, as agreed with the users of the tables. It is not generated from
// the definitions.
var contract = []struct {
	dataset string
	query   string // parameters that make the answer worth comparing
	columns string
}{
	{
		"costs", "group_by=team,cause,pricing&granularity=day",
		"period_start period_end team cause pricing currency effective_cost billed_cost list_cost contracted_cost " +
			"gpu_hours used_gpu_hours active_gpu_hours energy_kwh state",
	},
	{
		"charges", "", "charge_id delivery_id source_file line provider billing_account account resource_id service_name " +
			"charge_category charge_class charge_period_start charge_period_end billing_period currency effective_cost " +
			"billed_cost list_cost contracted_cost role state",
	},
	{
		"postings", "", "posting_id charge_id part usage_id hour billing_period cause activity kind adjusts " +
			"business_unit team project model model_version stage environment cost_center experiment dataset user priority " +
			"queue method quality policy_version currency effective_cost billed_cost list_cost contracted_cost",
	},
	{"usage", "", "usage_id hour device slice_id run_id attempt cause activity seconds active_seconds energy_kwh"},
	{
		"runs", "", "run_id group_id cluster namespace name kind team project model experiment status started_at " +
			"ended_at attempts preemptions gpu_hours used_gpu_hours active_gpu_hours lost_gpu_hours effective_cost " +
			"billed_cost list_cost contracted_cost used_cost held_idle_cost overhead_cost lost_cost lost_cost_min " +
			"unobserved_cost host_cost metered_cost window_effective_cost spot_savings queue_wait_seconds budget " +
			"budget_ratio energy_kwh co2e_kg quality state currency",
	},
	{
		"attempts", "", "run_id attempt task started_at ended_at outcome reason pricing nodes gpus gpu_hours " +
			"effective_cost lost_cost lost_seconds loss_basis last_checkpoint_at",
	},
	{
		"reconciliation", "", "source delivery_id role provider billing_account account billing_period currency metric " +
			"source_total invoice_total posted_total difference charges unposted_charges state",
	},
	{"imports", "", "import_id source uri state started_at finished_at files rows_read accepted rejected"},
}

// TestServedLedger serves a small fleet and sends every query of the contract over HTTP, to SQL and to the command
// line.
func TestServedLedger(t *testing.T) {
	db := smallLedger(t)
	address, stop := serveLedger(t, db)
	s := &served{db: db, url: address}
	t.Run("formats", s.formats)
	t.Run("pages of rows", s.cursors)
	t.Run("problems", s.problems)
	t.Run("windows of the data", s.dataWindows)
	t.Run("entity tags", s.entityTags)
	t.Run("other addresses", s.others)
	t.Run("sql views", s.views)
	t.Run("pages show the same digits", s.pages)
	t.Run("one figure, one answer", s.oneFigure)
	t.Run("one target, one figure", s.oneTarget)
	t.Run("one label, one figure", s.oneLabel)
	t.Run("figures that sound alike", s.ties)
	t.Run("halves add up", s.halvesAddUp)
	t.Run("pages narrowed to a row", s.narrowed)
	t.Run("one period on every page", s.samePeriod)
	t.Run("spot recomputed outside", s.recomputeSpot)
	t.Run("filters", s.filters)
	t.Run("filters of columns", s.columnFilters)
	t.Run("windows", s.windows)
	t.Run("granularities", s.granularities)
	t.Run("group keys", s.groupKeys)
	t.Run("recompute outside", s.recompute)
	t.Run("recompute postings outside", s.recomputePostings)
	if code := stop(); code != exitOK {
		t.Errorf("serve ended with status %d", code)
	}
}

// served is a running server and its database.
type served struct{ db, url string }

// ask sends one request and returns status, head and body.
func (s *served) ask(t testing.TB, method, path string, header ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return resp.StatusCode, resp.Header, string(body)
}

// get requires a successful answer.
func (s *served) get(t testing.TB, path string) string {
	t.Helper()
	status, _, body := s.ask(t, http.MethodGet, path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, status, clip(body))
	}
	return body
}

// table reads a whole dataset.
func (s *served) table(t testing.TB, dataset, query string) *answer {
	t.Helper()
	a, cursor := decodeJSON(t, s.get(t, "/api/v1/"+dataset+"?limit=100000&"+query))
	if cursor != "" {
		t.Fatalf("%s has more than a page of 100,000 rows", dataset)
	}
	return a
}

func (s *served) formats(t *testing.T) {
	text := regexp.MustCompile(`^[=+\-@\t\r]`)
	for _, c := range contract {
		t.Run(c.dataset, func(t *testing.T) {
			want := s.table(t, c.dataset, c.query)
			path := "/api/v1/" + c.dataset + "?" + c.query + "&format="
			if len(want.rows) == 0 {
				t.Fatal("no rows")
			}
			for name := range strings.FieldsSeq(c.columns) {
				want.column(t, name)
			}
			binary := decodeParquet(t, s.get(t, path+"parquet"))
			for format, got := range map[string]*answer{"parquet": binary, "arrow": decodeArrow(t, s.get(t, path+"arrow"))} {
				sameCells(t, format, want, got)
			}
			body := s.get(t, path+"csv")
			plain := &answer{columns: want.columns}
			for _, row := range want.rows {
				cells := slices.Clone(row)
				for i, cell := range cells {
					if cell == null {
						cells[i] = ""
					} else if text.MatchString(cell) && !isNumber(cell) {
						cells[i] = "'" + cell
					}
				}
				plain.rows = append(plain.rows, cells)
			}
			sameCells(t, "csv", plain, decodeCSV(t, body))

			args := []string{s.db, "report", c.dataset, "--format=csv"}
			options, err := url.ParseQuery(c.query)
			if err != nil {
				t.Fatal(err)
			}
			for name := range options {
				args = append(args, "--"+strings.ReplaceAll(name, "_", "-")+"="+options.Get(name))
			}
			if cli := must(t, args...); cli != body {
				t.Error("the command line prints another CSV than the API")
			}
			for _, f := range export.Formats {
				if status, head, _ := s.ask(t, http.MethodGet, "/api/v1/"+c.dataset+"?limit=1&"+c.query, "Accept",
					f.ContentType()); status != http.StatusOK || head.Get("Content-Type") != f.ContentType() {
					t.Errorf("Accept %s answers %d %s", f.ContentType(), status, head.Get("Content-Type"))
				}
			}
		})
	}
}

func isNumber(s string) bool { return json.Valid([]byte(s)) }

func sameCells(t testing.TB, format string, want, got *answer) {
	t.Helper()
	if !slices.Equal(want.columns, got.columns) {
		t.Fatalf("%s has the columns %v, want %v", format, got.columns, want.columns)
	}
	if len(want.rows) != len(got.rows) {
		t.Fatalf("%s has %d rows, want %d", format, len(got.rows), len(want.rows))
	}
	for n := range want.rows {
		for i, cell := range want.rows[n] {
			if cell != got.rows[n][i] {
				t.Fatalf("%s: row %d, %s: %q, want %q", format, n+1, want.columns[i], got.rows[n][i], cell)
			}
		}
	}
}

// cursors follows next_cursor: every row comes once, in order.
func (s *served) cursors(t *testing.T) {
	for path, rows := range map[string]string{
		"runs?order=-lost_cost": "7", "postings?filter=cause+in+(lost,free)": "400",
		"costs?group_by=node,cause&granularity=hour": "1000", "attempts?": "",
	} {
		whole, _ := decodeJSON(t, s.get(t, "/api/v1/"+path+"&limit=100000"))
		if rows != "" {
			path += "&limit=" + rows
		}
		paged := &answer{columns: whole.columns}
		cursor, pages := "", 0
		for more := true; more; more = cursor != "" {
			var page *answer
			page, cursor = decodeJSON(t, s.get(t, "/api/v1/"+path+cursor))
			if cursor != "" {
				cursor = "&cursor=" + cursor
			}
			paged.rows = append(paged.rows, page.rows...)
			if pages++; pages > len(whole.rows) {
				t.Fatal("the pages do not end")
			}
		}
		if pages < 2 {
			t.Errorf("%s: one page proves nothing", path)
		}
		sameCells(t, path, whole, paged)
	}
}

// problems sends invalid queries: the answer is RFC 9457, with the wrong parameter.
func (s *served) problems(t *testing.T) {
	for path, want := range map[string]struct {
		status    int
		parameter string
	}{
		"anomalies": {404, ""}, "forecast?from=2026-11-01": {404, ""}, "COSTS": {404, ""},
		"costs?from=yesterday": {400, "from"}, "costs?to=2026-13-01": {400, "to"},
		"costs?from=2026-11-03&to=2026-11-03": {400, "to"},
		"costs?from=2001-01-01&to=2001-02-01": {400, "to"}, "charges?from=2101-01-01": {400, "from"},
		"costs?tz=Mars/Olympus": {400, "tz"}, "costs?billing_period=November": {400, "billing_period"},
		"costs?billing-period=2026-11-01": {400, "billing-period"},
		"costs?group_by=flavour":          {400, "group_by"}, "runs?group_by=effective_cost": {400, "group_by"},
		"imports?group_by=source": {400, "group_by"}, "costs?filter=team": {400, "filter"},
		"costs?filter=flavour+=+x": {400, "filter"}, "costs?filter=team+in+()": {400, "filter"},
		"costs?granularity=minute": {400, "granularity"},
		"costs?basis=cheap":        {400, "basis"}, "costs?sharing=never": {400, "sharing"},
		"runs?sharing=after": {400, "sharing"}, "costs?order=flavour": {400, "order"}, "costs?limit=0": {400, "limit"},
		"costs?limit=many": {400, "limit"}, "runs?as_of=2026-11-01": {400, "as_of"},
		"costs?statement=1": {400, "statement"}, "costs?org=as-of": {400, "org"},
		"costs?format=xml": {400, "format"}, "costs?cursor=abc": {400, "cursor"},
		"costs?flavour=1": {400, "flavour"}, "costs?limit=1&limit=2": {400, "limit"},
		"imports?from=2026-11-01": {400, "from"}, "explain/run/none": {404, ""},
		"explain/posting/xyz": {400, "subject"}, "explain/posting/" + strings.Repeat("0", 32): {404, ""},
	} {
		status, head, body := s.ask(t, http.MethodGet, "/api/v1/"+path)
		var p struct {
			Type, Title, Detail, Parameter string
			Status                         int
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil || status != want.status || p.Status != want.status ||
			p.Parameter != want.parameter ||
			head.Get("Content-Type") != "application/problem+json" || p.Type == "" || p.Title == "" || p.Detail == "" {
			t.Errorf("%s: %d %s %s", path, status, head.Get("Content-Type"), clip(body))
		}
	}
}

// dataWindows: the command and REST name the same window of the data.
func (s *served) dataWindows(t *testing.T) {
	const from, to = "2001-01-01", "2026-11-03"
	var rest, command struct {
		Meta struct{ Window map[string]string }
	}
	_, _, body := s.ask(t, http.MethodGet, "/api/v1/costs?from="+from+"&to="+to)
	if err := json.Unmarshal([]byte(body), &rest); err != nil || len(rest.Meta.Window) != 2 {
		t.Fatalf("%v: %s", err, clip(body))
	}
	_, out, said := gpuledger(t, s.db, "report", "costs", "--from="+from, "--to="+to, "--format=json")
	if err := json.Unmarshal([]byte(out), &command); err != nil || !maps.Equal(command.Meta.Window, rest.Meta.Window) ||
		!strings.Contains(said, "costs has data from "+rest.Meta.Window["from"]) {
		t.Errorf("REST has the window %v, the command %v, and says %s", rest.Meta.Window, command.Meta.Window, said)
	}
	code, _, said := gpuledger(t, s.db, "report", "costs", "--from="+from, "--to=2001-02-01")
	if code != exitOK || !strings.Contains(said, rest.Meta.Window["from"]) {
		t.Errorf("a period without data: exit %d, %s", code, said)
	}
}

func (s *served) entityTags(t *testing.T) {
	const path = "/api/v1/costs?group_by=team"
	_, head, _ := s.ask(t, http.MethodGet, path)
	tag := head.Get("ETag")
	status, _, body := s.ask(t, http.MethodGet, path, "If-None-Match", tag)
	if tag == "" || status != http.StatusNotModified || body != "" {
		t.Errorf("the same question again: tag %s, %d %s", tag, status, clip(body))
	}
	for _, other := range []string{path + "&format=csv", "/api/v1/costs?group_by=cause", path + "&from=2026-11-02"} {
		if status, head, _ := s.ask(t, http.MethodGet, other, "If-None-Match", tag); status != http.StatusOK ||
			head.Get("ETag") == tag {
			t.Errorf("%s is taken for another answer", other)
		}
	}
}

func (s *served) others(t *testing.T) {
	var doc struct {
		OpenAPI string
		Paths   map[string]struct {
			Get struct{ Parameters []any }
		}
	}
	if err := json.Unmarshal([]byte(s.get(t, "/openapi.json")), &doc); err != nil ||
		!strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("/openapi.json: %v, version %q", err, doc.OpenAPI)
	}
	for _, c := range contract {
		if len(doc.Paths["/api/v1/"+c.dataset].Get.Parameters) == 0 {
			t.Errorf("/openapi.json does not describe %s", c.dataset)
		}
	}
	for _, path := range []string{"/livez", "/readyz"} {
		s.get(t, path)
	}
	for line := range strings.Lines(s.get(t, "/metrics")) {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "gpuledger_") {
			t.Errorf("a metric of another name: %s", line)
		}
	}
	for _, path := range []string{"/", "/runs", "/reconciliation", "/charges", "/data", "/docs/metrics", "/docs/api"} {
		if body := s.get(t, path); !strings.Contains(body, "</html>") {
			t.Errorf("%s is no whole page", path)
		}
	}
}
