package web_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web"
)

// asked records the queries of a page.
type asked struct {
	*dashtest.Reader
	mu   sync.Mutex
	list []metrics.Query
}

func (a *asked) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	a.mu.Lock()
	a.list = append(a.list, q)
	a.mu.Unlock()
	return a.Reader.Query(ctx, q)
}

func served(t *testing.T) (http.Handler, *asked) {
	t.Helper()
	reader := &asked{Reader: dashtest.New()}
	h, err := web.New(web.Deps{Reader: reader})
	if err != nil {
		t.Fatal(err)
	}
	return h, reader
}

func filtered(path, filter string) string {
	return path + map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + "filter=" + url.QueryEscape(filter)
}

// links are the addresses of a page that begin with a path.
func links(body, path string) (out []*url.URL) {
	for _, m := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(body, -1) {
		if u, err := url.Parse(html.UnescapeString(m[1])); err == nil && u.Path == path {
			out = append(out, u)
		}
	}
	return out
}

// A filter narrows the rows, together with the page's other filters, and is carried to pages that
// do not have its keys, which say so.
func TestPagesTakeAFilter(t *testing.T) {
	h, _ := served(t)
	const filter = "status = failed or attempts > 3"
	all, some := get(t, h, "/runs?kind=training"), get(t, h, filtered("/runs?kind=training", filter))
	if all.Code != http.StatusOK || some.Code != http.StatusOK {
		t.Fatal(all.Code, some.Code)
	}
	a, b := len(links(all.Body.String(), runPage)), len(links(some.Body.String(), runPage))
	n, m := strings.Count(all.Body.String(), "<tr"), strings.Count(some.Body.String(), "<tr")
	if m >= n || m < 2 || a == 0 || b == 0 {
		t.Errorf("%d of %d rows; the run with four attempts: %d, %d links", m, n, a, b)
	}
	has(t, "the chip", text(some.Body.String()), "where status = failed or attempts &gt; 3", "kind is training")
	removed, kept := false, 0
	for _, u := range links(some.Body.String(), "/runs") {
		switch q := u.Query(); {
		case q.Get("filter") == filter:
			kept++
		case q.Get("kind") == "training" && q.Get("basis") == "":
			removed = true
		}
	}
	if !removed || kept < 5 {
		t.Errorf("the chip removes it: %v; %d links keep it", removed, kept)
	}
	has(t, "forms keep it", some.Body.String(), `name="filter" value="status = failed or attempts &gt; 3"`)
	// Elsewhere status is another one, and attempts are none.
	const carried = "attempts > 3"
	elsewhere := get(t, h, filtered("/runs", "("+filter+") and "+carried)).Body.String()
	for _, path := range []string{"/waste", "/"} {
		for _, u := range links(elsewhere, path) {
			if u.Query().Get("filter") != carried {
				t.Errorf("another page has the filter %s", u)
			}
			has(t, path, text(get(t, h, u.String()).Body.String()), "where attempts &gt; 3 not applicable here")
		}
	}
	none := get(t, h, filtered("/runs", "attempts > 99"))
	has(t, "nothing found", text(none.Body.String()), "Nothing matches where attempts &gt; 99.")
	lines := get(t, h, filtered("/charges", "billed_cost < 0")).Body.String()
	has(t, "bill lines", text(lines), "where billed_cost &lt; 0", "Bill lines that match the filter.", "discount")
	if strings.Contains(text(lines), "posted cost of these lines") {
		t.Error("sums of lines that postings cannot choose")
	}
	exports := links(lines, "/api/v1/charges")
	if len(exports) != 2 { // as CSV, and the question behind the table
		t.Errorf("the exports are %v", exports)
	}
	for _, u := range exports {
		if u.Query().Get("filter") != "billed_cost < 0" {
			t.Errorf("the export is not of the rows that are shown: %s", u)
		}
	}
}

// Conditions on keys apply to all figures of the page; conditions on figures select
// rows of the table, which then has no total row.
func TestAFilterOnFiguresIsOfTheTable(t *testing.T) {
	for _, c := range []struct {
		filter      string
		keys, total bool
	}{
		{"team != nobody", true, true},
		{"saving_per_month > 100", false, false},
		{"team != nobody and saving_per_month > 100", true, false},
	} {
		h, reader := served(t)
		w := get(t, h, filtered("/recommendations", c.filter))
		if w.Code != http.StatusOK {
			t.Fatal(c.filter, w.Code, text(w.Body.String()))
		}
		body := w.Body.String()
		if got := strings.Contains(text(body), "the totals above the table cover all rows"); got == c.total {
			t.Errorf("%s: the note about figures: %v", c.filter, got)
		}
		if got := strings.Contains(body, "<tfoot"); got != c.total {
			t.Errorf("%s: a row of all: %v", c.filter, got)
		}
		if got := strings.Contains(text(body), "Not applied to this table: saving_per_month &gt; 100."); got == c.total {
			t.Errorf("%s: the note of the further table: %v", c.filter, got)
		}
		wholes := 0
		for _, q := range reader.list {
			if q.Dataset.Name != "recommendations" || len(q.GroupBy) != 1 || q.GroupBy[0].Name != "currency" {
				continue
			}
			wholes++
			named := strings.Join(metrics.FilterKeys(q.Filter), " ")
			if strings.Contains(named, "team") != c.keys || q.Having != nil {
				t.Errorf("%s: the whole is of %q, having %v", c.filter, named, q.Having)
			}
		}
		if wholes != 1 {
			t.Errorf("%s: %d questions for the whole", c.filter, wholes)
		}
		for _, u := range links(body, "/api/v1/recommendations") {
			panel, got := u.Query().Has("group-by"), u.Query().Get("filter") // figures of a further table are others
			if strings.Contains(got, "team != nobody") != c.keys || strings.Contains(got, "saving") != (!c.total && !panel) {
				t.Errorf("%s: exported is %s", c.filter, u.Query())
			}
		}
	}
}

// An invalid filter is refused with a suggestion.
func TestInvalidFilters(t *testing.T) {
	h, _ := served(t)
	for page, want := range map[string][]string{
		filtered("/runs", "taem = x"):                         {"did you mean team?", "Remove all filters"},
		filtered("/charges", "biled_cost > 1"):                {"did you mean billed_cost?"},
		filtered("/waste", "idle_csot > 1"):                   {"did you mean idle_cost?"},
		filtered("/runs", "team = a) or (team = b"):           {"expected and, or or the end"},
		filtered("/runs", "team ="):                           {"filter"},
		filtered("/runs", strings.Repeat("team = a or ", 99)): {"longer than 1000 bytes"},
		filtered("/", "taem = x"):                             {"did you mean team?"},
		filtered("/", "team = a and attempst > 3"):            {"attempst"},
		filtered("/fleet", "team ="):                          {"filter"},
	} {
		w := get(t, h, page)
		if w.Code != http.StatusBadRequest {
			t.Errorf("%s answers %d", page, w.Code)
		}
		has(t, page, text(w.Body.String()), want...)
	}
}

// The example in the form is a valid condition of the page, and the form keeps the
// other parameters of the address.
func TestAConditionCanBeTyped(t *testing.T) {
	field := regexp.MustCompile(`<form[^>]*class="one">(.*?)<label for="filter">.*?placeholder="([^"]+)"`)
	for _, path := range []string{
		"/runs?kind=training", "/charges", "/waste", "/recommendations",
		"/", "/devices", "/spot", "/queue", "/inference", "/slices",
	} {
		h, _ := served(t)
		m := field.FindStringSubmatch(get(t, h, path).Body.String())
		if m == nil {
			t.Errorf("%s has no field for a condition", path)
			continue
		}
		if strings.Contains(path, "kind=training") && !strings.Contains(m[1], `name="kind" value="training"`) {
			t.Errorf("%s: the form loses what the page was narrowed to: %s", path, m[1])
		}
		example := html.UnescapeString(m[2])
		w := get(t, h, filtered(path, example))
		if w.Code != http.StatusOK {
			t.Errorf("%s refuses its own example %q: %d", path, example, w.Code)
		}
		has(t, path, w.Body.String(), `id="filter" type="text" name="filter" value="`+html.EscapeString(example)+`"`)
	}
}

// The values of a key lead back to the page with a further filter, with and without scripts.
func TestValuesOfAKeyFilterThePage(t *testing.T) {
	h, _ := served(t)
	const back = "/waste?from=2026-11-02&filter=kind+%3D+idle_held"
	at := func(more string) string { return "/filter?of=waste&back=" + url.QueryEscape(back) + more }
	keys := get(t, h, at("")).Body.String()
	if got := links(keys, "/filter"); len(got) < 5 || got[0].Query().Get("back") != back {
		t.Errorf("keys: %v", got)
	}
	body := get(t, h, at("&key=team")).Body.String()
	want := url.Values{"from": {"2026-11-02"}, "filter": {"kind = idle_held and team = 'search-ranking'"}}.Encode()
	found := false
	for _, u := range links(body, "/waste") {
		found = found || u.Query().Encode() == want
	}
	if !found {
		t.Errorf("no link to %s", want)
	}
	w := get(t, h, at("&key=project&value=it%27s"))
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther ||
		got != "/waste?from=2026-11-02&filter=kind+%3D+idle_held+and+project+%3D+%27it%27%27s%27" {
		t.Errorf("a typed value leads to %d %s", w.Code, got)
	}
	for _, wrong := range []string{at("&key=nosuch"), "/filter?of=nosuch", "/filter?back=/?basis=nosuch"} {
		if w := get(t, h, wrong); w.Code != http.StatusBadRequest {
			t.Errorf("%s answers %d", wrong, w.Code)
		}
	}
	w = get(t, h, "/filter?key=team&value=x&back=https://elsewhere.example/")
	if got := w.Header().Get("Location"); got != "/?filter=team+%3D+%27x%27" {
		t.Errorf("it leads to %s", got)
	}
}
