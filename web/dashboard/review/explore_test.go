package review

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
)

// explorerAt reads an address of the explorer.
func explorerAt(t *testing.T, query string) (*explorer, error) {
	t.Helper()
	r := httptest.NewRequest("GET", "/explore?"+query, nil)
	d, err := readDataset(r.URL.Query().Get("dataset"))
	if err != nil {
		return nil, err
	}
	s, err := page.ReadFiltered(r, d.Name, func(s page.Scope) string { return s.By })
	if err != nil {
		return nil, err
	}
	q, err := readQuestion(s)
	extent := metrics.Extent{Stored: period.Interval{From: 1788220800, To: 1796083200}} // September to November 2026
	return &explorer{q: q, Context: &page.Context{Scope: s.Over(extent.Stored), Extent: extent}}, err
}

func TestExplorerRefusesWhatItCannotDraw(t *testing.T) {
	for _, c := range []struct{ query, says string }{
		{"dataset=cots", "did you mean costs"},
		{"dataset=charges", "cannot be added up"},
		{"dataset=owner_coverage", "cannot be added up"},
		{"measure=efective_cost", "did you mean effective_cost"},
		{"by=tem", "did you mean team"},
		{"by=team,cause,cluster,node", "more than three keys"},
		{"by=team,team", "twice"},
		{"chart=pie", "heatmap"},
		{"granularity=minute", "must be auto, hour"},
		{"dataset=runs&granularity=day", "not split by time"},
		{"groups=41", "from 1 to 40"},
		{"order=name", "size or change"},
		{"pin=team+%3D", "pin"},
		{"change=tem+%3D+x", "change"},
		{"vs=team+%3D+a+and+team+%3D+b", "two groups"},
		{"vs=tem+in+(a,b)", "did you mean team"},
	} {
		if _, err := explorerAt(t, c.query); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s is refused as %v, want %q", c.query, err, c.says)
		}
	}
}

func TestExplorerRefusesTooManySteps(t *testing.T) {
	for query, fine := range map[string]bool{
		"granularity=hour": false, "granularity=day": true, "dataset=costs&chart=heatmap": true,
		"granularity=hour&from=2026-11-01&to=2026-11-30": true,
	} {
		e, err := explorerAt(t, query)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.panel(); (err == nil) != fine {
			t.Errorf("%s: %v, want it drawn: %v", query, err, fine)
		}
	}
}

func TestMarksDrill(t *testing.T) {
	value := func(s string) []metrics.Value { return []metrics.Value{text(s)} }
	for _, c := range []struct {
		query string
		at    panel.At
		want  map[string]string
	}{
		{"dataset=costs&by=team", panel.At{Keys: []string{"team"}, Values: value("it's")},
			map[string]string{"by": "project", "filter": "team = 'it''s'"}},
		{"dataset=costs&by=cluster,team", panel.At{Keys: []string{"cluster"}, Values: value("a")},
			map[string]string{"by": "team", "filter": "cluster = 'a'"}},
		{"dataset=costs&by=team&filter=cluster+%3D+a", panel.At{Keys: []string{"team"}, Values: value("")},
			map[string]string{"by": "project", "filter": "cluster = a and team is null"}},
		{"dataset=costs&by=team&granularity=day", panel.At{From: "2026-11-01", To: "2026-11-02"},
			map[string]string{"from": "2026-11-01", "to": "2026-11-02", "by": "team", "granularity": ""}},
		{"dataset=costs&by=team", panel.At{Others: true, Except: "team not in ('a')"},
			map[string]string{"by": "team", "filter": "team not in (a)"}},
	} {
		e, err := explorerAt(t, c.query)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(e.drill(c.at))
		if err != nil || to.Path != "/explore" {
			t.Fatalf("%s leads to %v, %v", c.query, to, err)
		}
		for name, want := range c.want {
			got := to.Query().Get(name)
			if name == "filter" {
				a, _ := metrics.ParseFilter(got)
				b, _ := metrics.ParseFilter(want)
				got, want = metrics.FilterText(a), metrics.FilterText(b)
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", c.query, name, got, want)
			}
		}
	}
}

func TestTwoGroupsAreChosenOneByOne(t *testing.T) {
	at := panel.At{Keys: []string{"team"}, Values: []metrics.Value{text("vision")}}
	for query, want := range map[string]string{
		"by=team":                                  "Compare",
		"by=team&vs=team+%3D+speech":               "Compare with speech",
		"by=project&vs=team+in+(speech,+vision)":   "Exclude",
		"by=team&from=2026-11-01&to=2026-12-01":    "What changed",
		"by=team&pin=team+%3D+vision&order=change": "Unpin",
	} {
		e, err := explorerAt(t, query)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, l := range e.acts(at, true) {
			found = found || l.Text == want
			to, _ := url.Parse(l.Href)
			if _, err := explorerAt(t, to.RawQuery); err != nil {
				t.Errorf("%s: %s leads to a refused address: %v", query, l.Text, err)
			}
		}
		if !found {
			t.Errorf("%s has no link %q", query, want)
		}
	}
}

func TestBreadcrumbReadsTheFilter(t *testing.T) {
	filter := "team = speech and not (project = x) and cluster != y and user is null"
	e, err := explorerAt(t, "by=run&filter="+url.QueryEscape(filter))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, l := range e.crumbs() {
		words = append(words, l.Text)
	}
	want := "All › team speech › not project = x › without cluster y › no user"
	if got := strings.Join(words, " › "); got != want {
		t.Errorf("breadcrumb is %q, want %q", got, want)
	}
}
