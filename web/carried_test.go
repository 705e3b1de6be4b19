package web_test

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gpuledger/test/dashtest"
	"gpuledger/web"
)

// Every link of a page keeps the period, the basis, the filter and the currency of its address.
func TestLinksCarryTheFrame(t *testing.T) {
	h, err := web.New(web.Deps{Reader: dashtest.New()})
	if err != nil {
		t.Fatal(err)
	}
	pages := everyPage(t)
	const frame = "from=2026-11-02&to=2026-11-19&basis=billed&" +
		"filter=team+%3D+foundation&currency=USD&sharing=after&against=same_days"
	link := regexp.MustCompile(`<a[^>]* href="(/[^"]*)"[^>]*>(?:<bdi>)?([^<]*)`)
	bar := regexp.MustCompile(`(?s)<section class="bar.*?<main`)
	lost := map[string][]string{}
	walked := 0
	for _, path := range pages {
		address := path + "?" + frame
		if path == "/filter" {
			address = "/filter?key=team&back=" + url.QueryEscape("/?"+frame)
		}
		w := get(t, h, address)
		if w.Code != 200 {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(bar.ReplaceAllString(w.Body.String(), "<main"), -1) {
			u, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case u.Fragment != "" || u.Query().Has("of"): // a definition
				continue
			case m[2] == "Clear the filter" || m[2] == "Show all recorded time":
				continue
			case m[2] == "All" && u.Path == path: // the first crumb
				continue
			case u.Path == "/charges" && u.Query().Get("from") == "" && // lines of a bill, whatever their hours
				(u.Query().Has("billing_account") || u.Query().Has("charge") || u.Query().Has("delivery")):
				continue
			case !slices.Contains(pages, u.Path) && !strings.HasPrefix(u.Path, "/runs/"):
				continue
			}
			walked++
			q := u.Query()
			for _, name := range []string{"from", "to", "basis", "filter", "currency", "sharing", "against"} {
				if !q.Has(name) {
					lost[path+" → "+u.Path] = append(lost[path+" → "+u.Path], name)
				}
			}
		}
	}
	for where, names := range lost {
		t.Errorf("%s loses %s", where, strings.Join(slices.Compact(names), ", "))
	}
	if walked < 500 {
		t.Errorf("%d links", walked)
	}
}
