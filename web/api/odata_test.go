package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// odataAnswer is a page of entities, or an error.
type odataAnswer struct {
	Context string           `json:"@odata.context"`
	Count   *int             `json:"@odata.count"`
	Next    string           `json:"@odata.nextLink"`
	Value   []map[string]any `json:"value"`
	Error   struct{ Code, Message, Target string }
}

func entities(t *testing.T, a answer) (p odataAnswer) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	if v := a.Header.Values("OData-Version"); len(v) != 1 || v[0] != "4.0" {
		t.Errorf("versions %v", v)
	}
	return p
}

// A client follows absolute links to the end: each entity once, as many as $top says, after $skip.
func TestODataPages(t *testing.T) {
	f := &fakeReader{version: metrics.Version{Tag: "1"}}
	s := serve(t, f)
	follow := func(path string, header ...string) (names []string, pages int) {
		for ; path != ""; pages++ {
			a := get(t, s, http.MethodGet, path, header...)
			p := entities(t, a)
			if a.StatusCode != http.StatusOK || p.Context != s.URL+"/odata/v4/$metadata#imports" {
				t.Fatalf("%d %s", a.StatusCode, a.body)
			}
			for _, row := range p.Value {
				names = append(names, fmt.Sprint(row["import_id"]))
			}
			if path = strings.TrimPrefix(p.Next, s.URL); path == p.Next && path != "" {
				t.Fatalf("the link %s is not absolute", p.Next)
			}
		}
		return names, pages
	}
	names, pages := follow("/odata/v4/imports", "Prefer", "odata.maxpagesize=100")
	if len(names) != 250 || pages != 3 || names[249] != fmt.Sprintf("%032x", 249) {
		t.Errorf("%d rows on %d pages", len(names), pages)
	}
	if names, pages = follow("/odata/v4/imports?$top=120", "Prefer", "maxpagesize=50"); len(names) != 120 || pages != 3 {
		t.Errorf("of 120, %d rows on %d pages", len(names), pages)
	}
	if names, pages = follow("/odata/v4/imports"); len(names) != 250 || pages != 1 {
		t.Errorf("%d rows on %d pages", len(names), pages)
	}
	get(t, s, http.MethodGet, "/odata/v4/imports?$skip=30&$top=5")
	if f.asked.Offset != 30 || f.asked.Limit != 6 {
		t.Errorf("$skip asks from %d for %d", f.asked.Offset, f.asked.Limit)
	}
	p := entities(t, get(t, s, http.MethodGet, "/odata/v4/imports?$count=true&$top=0"))
	if p.Count == nil || *p.Count != 250 || len(p.Value) != 0 || p.Next != "" {
		t.Errorf("%+v", p)
	}
	if a := get(t, s, http.MethodGet, "/odata/v4/imports/$count"); a.body != "250" {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	p = entities(t, get(t, s, http.MethodGet, "/odata/v4/imports", "Prefer", "odata.maxpagesize=100"))
	f.version.Tag = "2"
	a := get(t, s, http.MethodGet, strings.TrimPrefix(p.Next, s.URL))
	if p = entities(t, a); a.StatusCode != http.StatusConflict || p.Error.Target != "$skiptoken" {
		t.Errorf("after a change: %d %s", a.StatusCode, a.body)
	}
}

func TestODataFaults(t *testing.T) {
	f := &fakeReader{data: metrics.DataWindow{Any: true, Interval: period.Interval{From: 86400 * 20000,
		To: 86400 * 20010}}}
	s := serve(t, f)
	for path, want := range map[string]struct {
		status int
		target string
	}{
		"imports?$filter=nix eq 'a'":          {400, "$filter"},
		"imports?$orderby=nix":                {400, "$orderby"},
		"imports?$skiptoken=x":                {400, "$skiptoken"},
		"imports?$expand=x":                   {501, "$expand"},
		"imports?$filter=year(at) eq 1":       {501, "$filter"},
		"imports?$format=xml":                 {406, ""},
		"imports?$format=json&$format=json":   {400, "$format"},
		"nix":                                 {404, ""},
		"imports('1')":                        {404, ""},
		"imports/nix":                         {404, ""},
		"costs?from=2001-01-01&to=2001-02-01": {400, "to"},
		"?nix=1":                              {400, "nix"},
		"imports?%zz":                         {400, "query"},
	} {
		a := get(t, s, http.MethodGet, "/odata/v4/"+strings.ReplaceAll(path, " ", "%20"))
		p := entities(t, a)
		if a.StatusCode != want.status || p.Error.Target != want.target || p.Error.Code == "" || p.Error.Message == "" ||
			!strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
	}
	// What a filter chooses outside the data has no rows: a refresh of an empty day does not fail.
	a := get(t, s, http.MethodGet, "/odata/v4/costs?$filter=period_start%20lt%202001-01-01T00:00:00Z&$count=true")
	if p := entities(t, a); a.StatusCode != http.StatusOK || p.Value == nil || len(p.Value) != 0 || *p.Count != 0 {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	f.err = fmt.Errorf("secret host is down")
	a = get(t, s, http.MethodGet, "/odata/v4/imports?$top=5")
	if p := entities(t, a); a.StatusCode != 500 || p.Error.Code != "internal-error" || strings.Contains(a.body, "secret") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

func TestODataServiceListsWhatTheViewerMaySee(t *testing.T) {
	s := serve(t, &fakeReader{})
	p := entities(t, get(t, s, http.MethodGet, "/odata/v4/"))
	if len(p.Value) != len(metrics.Datasets) || p.Context != s.URL+"/odata/v4/$metadata" ||
		p.Value[0]["kind"] != "EntitySet" {
		t.Errorf("%d sets, %s", len(p.Value), p.Context)
	}
	a := get(t, s, http.MethodGet, "/odata/v4/$metadata", "Accept", "application/json;odata.metadata=minimal;q=1.0")
	if a.StatusCode != http.StatusOK || !strings.HasPrefix(a.Header.Get("Content-Type"), "application/xml") ||
		!strings.Contains(a.body, `<EntitySet Name="costs" EntityType="gpuledger.costs">`) {
		t.Errorf("%d %s", a.StatusCode, a.Header)
	}
	scoped := access.As(t.Context(), &access.Viewer{Role: access.RoleViewer, Scope: "s"})
	for _, d := range metrics.Datasets {
		if seen := (metrics.Query{Dataset: d}).SeenBy(access.From(scoped)) == nil; seen != d.InPart {
			t.Errorf("%s is listed for scoped users: %t", d.Name, seen)
		}
	}
	tag := get(t, s, http.MethodGet, "/odata/v4/imports?$top=1").Header.Get("ETag")
	a = get(t, s, http.MethodGet, "/odata/v4/imports?$top=1", "If-None-Match", tag)
	if tag == "" || a.StatusCode != http.StatusNotModified {
		t.Errorf("the same again, with tag %s: %d", tag, a.StatusCode)
	}
	a = get(t, s, http.MethodGet, "/odata/v4/imports?$top=1", "X-Forwarded-Proto", "https")
	if p := entities(t, a); !strings.HasPrefix(p.Context, "https://") {
		t.Errorf("behind a proxy with TLS: %s", p.Context)
	}
}
