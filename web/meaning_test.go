package web_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/dashtest"
)

var (
	headCell   = regexp.MustCompile(`(?s)<th scope="col"[^>]*>.*?</th>`)
	factName   = regexp.MustCompile(`(?s)<dt>.*?</dt>`)
	tileName   = regexp.MustCompile(`(?s)<section class="panel tile[^>]*>\s*<h3>.*?</h3>`)
	panels     = regexp.MustCompile(`(?s)<section class="panel.*?</section>`)
	definition = regexp.MustCompile(`(?:data-def="|href="/docs/metrics#)([^"]+)"`)
	tags       = regexp.MustCompile(`<[^>]*>`)
)

// undefined lists the figures of a page that name no definition.
func undefined(body string) []string {
	var out []string
	_, body, _ = strings.Cut(body, `<main`)
	look := func(kind string, pieces []string) {
		for _, piece := range pieces {
			name := strings.TrimSpace(html.UnescapeString(tags.ReplaceAllString(piece, "")))
			m := definition.FindStringSubmatch(piece)
			if m == nil {
				out = append(out, kind+" "+name)
			} else if _, ok := metrics.Define(html.UnescapeString(m[1])); !ok {
				out = append(out, kind+" "+name+" names "+m[1]+", which is not defined")
			}
		}
	}
	main, _, _ := strings.Cut(body, `</main`)
	look("head", headCell.FindAllString(main, -1))
	look("fact", factName.FindAllString(main, -1))
	look("tile", tileName.FindAllString(main, -1))
	for _, p := range panels.FindAllString(main, -1) {
		if strings.Contains(p, `<svg class="chart`) {
			look("chart", []string{p[:strings.Index(p, "</header>")+len("</header>")]})
		}
	}
	return out
}

func TestEveryFigureNamesItsDefinition(t *testing.T) {
	h := server(t, dashtest.New())
	for _, path := range pages {
		if strings.HasPrefix(path, metrics.ReferencePath) {
			continue // it is the definitions
		}
		w := get(t, h, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s answers %d", path, w.Code)
		}
		for _, name := range undefined(w.Body.String()) {
			t.Errorf("%s: %s has no definition", path, name)
		}
	}
}
