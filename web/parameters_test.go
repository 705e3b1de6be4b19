package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpuledger/test/dashtest"
	"gpuledger/web"
)

// A page refuses a parameter that it does not take, says which, and names the right one.
func TestPagesRefuseUnknownParameters(t *testing.T) {
	h, err := web.New(web.Deps{Reader: dashtest.New()})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range everyPage(t) {
		w := get(t, h, path+"?curency=USD")
		if text := w.Body.String(); w.Code != http.StatusBadRequest || !strings.Contains(text, "curency") ||
			!strings.Contains(text, "did you mean currency?") {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for path, want := range map[string]string{
		"/?gruop=team": "gruop", "/runs?chart=bars": "chart", "/explore?messure=billed_cost": "did you mean measure?",
		"/runs?team=a&team=b": "more than once", "/runs?team=%zz": "query string",
	} {
		if w := get(t, h, path); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, nothing of %q", path, w.Code, want)
		}
	}
}

// No page refuses a link or a form of another: each page takes the frame, and what others ask it for.
func TestNoPageRefusesALink(t *testing.T) {
	h, err := web.New(web.Deps{Reader: dashtest.New()})
	if err != nil {
		t.Fatal(err)
	}
	const frame = "from=2026-11-02&to=2026-11-19&basis=billed&complete=1&filter=team+%3D+foundation&currency=USD&" +
		"sharing=after&against=same_days&team=nlp&cluster=a&provider=aws"
	carried, err := url.ParseQuery(frame + "&billing_period=2026-11")
	if err != nil {
		t.Fatal(err)
	}
	seen, from := map[string]bool{}, map[string]string{}
	var next []string
	for _, path := range everyPage(t) {
		next = append(next, path, path+"?"+frame)
	}
	address := regexp.MustCompile(`(?:href|hx-get|action|data-src)="(/[^"]*)"`)
	for walked := 0; len(next) > 0; walked++ {
		at := next[0]
		next = next[1:]
		w := get(t, h, at)
		if w.Code == http.StatusBadRequest && strings.Contains(w.Body.String(), "not a parameter of this page") {
			t.Errorf("%s refuses %s", from[at], at)
		}
		for _, m := range address.FindAllStringSubmatch(w.Body.String(), -1) {
			u, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil || strings.HasPrefix(u.Path, "/api/") || strings.HasPrefix(u.Path, "/static/") {
				continue
			}
			var names []string // one link of each kind
			for name := range u.Query() {
				if !carried.Has(name) {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			kind := u.Path
			if i := strings.LastIndexByte(kind[1:], '/'); i > 0 {
				kind = kind[:i+1]
			}
			if kind += "?" + strings.Join(names, "&"); !seen[kind] {
				seen[kind] = true
				u.Fragment = ""
				next = append(next, u.RequestURI())
				from[u.RequestURI()] = at
			}
		}
		if walked > 2000 {
			t.Fatal("the pages have no end of links")
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d kinds of links", len(seen))
	}
}
