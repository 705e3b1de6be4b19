package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web"
)

func server(t *testing.T, r *dashtest.Reader) http.Handler {
	t.Helper()
	h, err := web.New(web.Deps{Reader: r, Tenant: "Meridian"})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func get(t *testing.T, h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const runPage = "/runs/" + dashtest.RunID

var pages = []string{
	"/", "/?as=table", "/?attention=all", "/?team=speech&basis=billed", "/?from=2026-11-09&to=2026-11-13",
	"/runs", "/runs?order=name&status=succeeded", "/runs?q=nothing&team=none",
	runPage, runPage + "?as=table", "/runs/" + dashtest.TaskID,
	"/explain/run/" + dashtest.RunID, "/reconciliation", "/docs/metrics", "/docs/api",
	"/?by=provider", "/?provider=gcp", "/?currency=EUR", "/runs?provider=gcp",
	"/reconciliation?by=account&billing_period=2026-11", "/reconciliation?provider=nobody",
	"/charges", "/charges?page=2&order=line", "/charges?q=i-0a31&provider=aws", "/charges?delivery=" + dashtest.DeliveryID,
	"/data", "/data?status=refused", "/data/running", "/data/" + dashtest.ImportID,
	"/fleet", "/fleet?state=idle&q=asr", "/fleet?cluster=nowhere",
	"/fleet/now", "/fleet/devices/" + dashtest.DeviceID, "/policies",
	"/recommendations", "/recommendations?group=kind", "/spot", "/training", "/groups",
	"/training?group=model&order=-lost_cost", "/training?within=team:speech&as=table",
	"/docs/metrics?q=lost", "/docs/metrics?of=runs.lost_cost,cause.lost",
	"/periods", "/periods?check=2026-11", october, october + "&version=1&team=speech", october + "&against=1",
}

func TestPagesObeyThePolicy(t *testing.T) {
	h := server(t, dashtest.New())
	for _, path := range append(pages, "/no/such/page", "/livez", "/readyz", "/static/none.css") {
		w := get(t, h, path)
		if path != "/no/such/page" && path != "/static/none.css" && w.Code != http.StatusOK {
			t.Errorf("%s answers %d", path, w.Code)
		}
		csp := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(csp, "script-src 'self';") || strings.Contains(csp, "unsafe") ||
			w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", path, w.Header())
		}
		body := w.Body.String()
		for name, pattern := range map[string]string{
			"a style attribute": `<[^>]+\sstyle=`, "an inline script": `<script>|<script [^>]*>[^<]`,
			"an event handler":         `<[^>]+\son[a-z]+=`,
			"something from elsewhere": `(src|href)="https?:`, "a style element": `<style`, "a number that is none": `NaN|Inf\b`,
		} {
			if m := regexp.MustCompile(pattern).FindString(body); m != "" {
				t.Errorf("%s contains %s: %s", path, name, m)
			}
		}
	}
}

func TestEveryChartHasALabelAndATwin(t *testing.T) {
	h := server(t, dashtest.New())
	for _, path := range []string{"/", runPage} {
		body := get(t, h, path).Body.String()
		charts := regexp.MustCompile(`<svg class="chart[^>]*>`).FindAllString(body, -1)
		if len(charts) < 2 {
			t.Errorf("%s has %d charts", path, len(charts))
		}
		for _, c := range charts {
			if !regexp.MustCompile(`role="(img|group)"`).MatchString(c) || !regexp.MustCompile(`aria-label="[^"]{20,}"`).MatchString(c) {
				t.Errorf("%s: a chart without an answering label: %s", path, c)
			}
		}
		if !strings.Contains(body, "as=table") {
			t.Errorf("%s has no table twin", path)
		}
		twin := get(t, h, path+"?as=table").Body.String()
		if n := strings.Count(twin, "<svg class=\"chart"); n != 0 {
			t.Errorf("%s as table still draws %d charts", path, n)
		}
	}
}

func TestOverviewAddsUp(t *testing.T) {
	body := get(t, server(t, dashtest.New()), "/").Body.String()
	for _, want := range []string{
		"58\u202f¢ of each GPU dollar did work, 1 – 19 Nov 2026.", "rule-provisional",
		"7.6\u202f% provisional", "does not tie out", "1 of 2 tie out",
		"outside the GPU fleet is not included", "provisional, to 14:00", "AWS Cost and Usage Report",
		"2 runs lost up to $7.5k without a checkpoint", "Not held", "19 others",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the overview lacks %q", want)
		}
	}
	exact := regexp.MustCompile(`class="big[^>]*data-exact="([0-9.]+)"`).FindStringSubmatch(body)
	if exact == nil {
		t.Fatal("the headline has no exact value")
	}
	if got := strings.Count(body, `data-exact="`+exact[1]+`"`); got < 4 { // headline, causes twice, teams, classes
		t.Errorf("the headline's %s stands in %d places", exact[1], got)
	}
}

func TestRunPage(t *testing.T) {
	body := get(t, server(t, dashtest.New()), runPage).Body.String()
	for _, want := range []string{
		"$50,483 for five attempts. The one that finished cost $27,080; the other four, $23,403.",
		"$1,645 – $3,917", "assumed", "0 – $2,272",
		`data-exact-cost="50482.54"`, "Net spot saving", "$28,432", "gross $29,215", "Interruptions",
		"none</text>", "71 GB", "112.2\u202f%", "node failure", `href="/explain/run/`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the run page lacks %q", want)
		}
	}
	if w := get(t, server(t, dashtest.New()), "/runs/no/such/run"); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "This run is not in the ledger.") {
		t.Errorf("an unknown run answers %d", w.Code)
	}
}

func TestExplainIsAPageAndADrawer(t *testing.T) {
	h := server(t, dashtest.New())
	path := "/explain/run/" + dashtest.RunID
	page, drawer := get(t, h, path).Body.String(), get(t, h, path, "HX-Request", "true").Body.String()
	for _, want := range []string{
		"$50,482.54", "cur2-2026-11-00003.parquet:18204", "no checkpoint", "680 device-minutes",
	} {
		if !strings.Contains(page, want) || !strings.Contains(drawer, want) {
			t.Errorf("page or drawer lacks %q", want)
		}
	}
	if strings.Contains(drawer, "<html") || !strings.Contains(page, "<html") {
		t.Error("the drawer is a page or the page is a fragment")
	}
}

// The explanation of any figure, and its refusal, is a page and the content of the drawer.
func TestExplanationsOfFiguresArePagesAndDrawers(t *testing.T) {
	reader := dashtest.New()
	reader.Explained = map[string]*metrics.Explanation{"costs?filter=team+%3D+vision": {
		Subject: "costs?filter=team+%3D+vision", Formula: "the sum of its postings",
	}}
	h := server(t, reader)
	for path, want := range map[string]string{
		"/explain/costs?filter=team+%3D+vision": `href="/explain/costs?filter=team+%3D+vision" data-page`,
		"/explain/costs?filter=team+%3D+none":   "This is not in the ledger.",
	} {
		page, drawer := get(t, h, path), get(t, h, path, "HX-Request", "true")
		if page.Code != drawer.Code || !strings.Contains(drawer.Body.String(), want) {
			t.Errorf("%s answers %d and %d; the drawer lacks %q: %s", path, page.Code, drawer.Code, want, drawer.Body)
		}
		if strings.Contains(drawer.Body.String(), "<html") || !strings.Contains(page.Body.String(), "<html") {
			t.Errorf("%s: the drawer is a page or the page is a fragment", path)
		}
	}
}

func TestAFailedPanelLeavesTheOthersStanding(t *testing.T) {
	for dataset, holds := range map[string]string{
		"costs": "Costliest runs", "runs": "Where each dollar went",
		"reconciliation": "Where each dollar went", "imports": "Costliest runs",
	} {
		r := dashtest.New()
		r.Err[dataset] = errors.New("secret detail of the database")
		w := get(t, server(t, r), "/")
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, holds) ||
			!regexp.MustCompile(`ref [0-9a-f]{4}-[0-9a-f]{4}`).MatchString(body) {
			t.Errorf("%s fails: status %d, %q shown: %v", dataset, w.Code, holds, strings.Contains(body, holds))
		}
		if strings.Contains(body, "secret detail") {
			t.Errorf("%s fails: the page tells the cause", dataset)
		}
	}
	r := dashtest.New()
	r.Err["costs"] = context.DeadlineExceeded
	if body := get(t, server(t, r), "/").Body.String(); !strings.Contains(body, "timed out") {
		t.Error("a timeout is not called one")
	}
	r = dashtest.New()
	r.Err["extent"] = errors.New("down")
	if w := get(t, server(t, r), "/"); w.Code != http.StatusInternalServerError {
		t.Errorf("without a database the overview answers %d", w.Code)
	}
}

func TestFirstRun(t *testing.T) {
	r := dashtest.New()
	r.Empty = true
	h := server(t, r)
	for path, want := range map[string]string{
		"/": "Nothing is in the ledger yet.", "/runs": "Runs appear when workloads and telemetry are imported",
		"/reconciliation": "There is no bill to reconcile yet.", "/data": "Nothing has been imported yet.",
		"/charges": "Bill lines appear when a bill is imported.",
	} {
		if body := get(t, h, path).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s of an empty ledger lacks %q", path, want)
		}
	}
}

func TestRefusedParameters(t *testing.T) {
	h := server(t, dashtest.New())
	for _, path := range []string{
		"/?from=yesterday", "/?from=2026-11-05&to=2026-11-01", "/?basis=cheap", "/runs?page=0", "/runs?order=nothing",
		"/charges?order=nothing", "/charges?delivery=none",
		"/charges?billing_period=soon", "/?team=" + strings.Repeat("x", 300),
	} {
		if w := get(t, h, path); w.Code != http.StatusBadRequest ||
			!strings.Contains(w.Body.String(), "This address is not valid.") {
			t.Errorf("%s answers %d", path, w.Code)
		}
	}
	if w := get(t, h, "/?q="+strings.Repeat("x", 20<<10)); w.Code != http.StatusRequestURITooLong {
		t.Errorf("a huge address answers %d", w.Code)
	}
}

func TestHostileNamesStayText(t *testing.T) {
	const evil = `"><script>alert(1)</script>&'`
	r := dashtest.New()
	for _, rows := range r.Tables {
		for _, row := range rows {
			for _, key := range []string{
				"team", "name", "namespace", "source", "account", "provider", "export", "service_name", "uri",
				"file", "column", "detail", "reason", "resource_id", "usage_type", "source_file", "project",
				"closed_by", "reopened_by", "reopen_reason", "policy_versions", "actor", "action", "subject",
			} {
				if v, ok := row[key].(string); ok && v != "" {
					row[key] = v + evil
				}
			}
		}
	}
	h := server(t, r)
	for _, path := range append(pages, "/?team="+url.QueryEscape(evil), "/runs?q="+url.QueryEscape(evil),
		"/runs/"+url.PathEscape(evil)) {
		body := get(t, h, path).Body.String()
		if strings.Contains(body, "<script>alert") || strings.Contains(body, evil) {
			t.Errorf("%s lets a name become markup", path)
		}
	}
}

func TestTheme(t *testing.T) {
	h := server(t, dashtest.New())
	post := func(form url.Values, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/theme", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	w := post(url.Values{"theme": {"dark"}, "back": {"/runs?team=speech"}})
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/runs?team=speech" ||
		!strings.Contains(w.Header().Get("Set-Cookie"), "theme=dark") {
		t.Errorf("status %d, %v", w.Code, w.Header())
	}
	for _, back := range []string{
		"https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "",
	} {
		if w := post(url.Values{"theme": {"dark"}, "back": {back}}); w.Header().Get("Location") != "/" {
			t.Errorf("back to %q goes to %q", back, w.Header().Get("Location"))
		}
	}
	if w := post(url.Values{"theme": {"pink"}}); w.Code != http.StatusBadRequest {
		t.Errorf("an unknown theme answers %d", w.Code)
	}
	for _, value := range []string{"dark\x00", "\xff"} {
		if w := post(url.Values{"theme": {"dark"}, "back": {value}}); w.Code != http.StatusBadRequest {
			t.Errorf("a form with %q answers %d", value, w.Code)
		}
	}
	if w := post(url.Values{"theme": {"dark"}}, "Origin", "https://evil.example", "Sec-Fetch-Site",
		"cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("a cross-site change answers %d", w.Code)
	}
	if body := get(t, h, "/", "Cookie", "theme=dark").Body.String(); !strings.Contains(body, `data-theme="dark"`) {
		t.Error("the cookie does not set the theme")
	}
	if body := get(t, h, "/", "Cookie", `theme="><script>`).Body.String(); !strings.Contains(body, `data-theme="system"`) {
		t.Error("a broken cookie is not ignored")
	}
}

type panicking struct{}

func (panicking) Routes(r chi.Router) {
	r.Get("/api/panic", func(http.ResponseWriter, *http.Request) { panic("boom") })
}

func TestServer(t *testing.T) {
	h, err := web.New(web.Deps{
		Reader: dashtest.New(), API: panicking{},
		Ready: func(context.Context) error { return errors.New("host db.internal refused") },
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("gpuledger_up 1\n"))
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if w := get(t, h, "/readyz"); w.Code != http.StatusServiceUnavailable ||
		strings.Contains(w.Body.String(), "db.internal") {
		t.Errorf("readyz answers %d %q", w.Code, w.Body)
	}
	if w := get(t, h, "/metrics"); !strings.Contains(w.Body.String(), "gpuledger_up") {
		t.Errorf("metrics: %q", w.Body)
	}
	if w := get(t, h, "/api/panic"); w.Code != http.StatusInternalServerError ||
		w.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("a panic answers %d, %v", w.Code, w.Header())
	}
	head := httptest.NewRecorder()
	h.ServeHTTP(head, httptest.NewRequest(http.MethodHead, "/runs", nil))
	if head.Code != http.StatusOK {
		t.Errorf("HEAD answers %d", head.Code)
	}
}
