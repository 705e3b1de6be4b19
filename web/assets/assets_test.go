package assets

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestFilesAreServedByTheirHash(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Stylesheet, Script, HTMX, FontText, FontWide, FontMono, Icon} {
		url := set.URL(name)
		if !regexp.MustCompile(`^/static/[a-z0-9-]+\.[0-9a-f]{12}\.[a-z0-9]+$`).MatchString(url) {
			t.Errorf("%s is at %q", name, url)
		}
		for _, encoding := range []string{"", "gzip"} {
			r := httptest.NewRequest(http.MethodGet, url, nil)
			r.Header.Set("Accept-Encoding", encoding)
			w := httptest.NewRecorder()
			set.ServeHTTP(w, r)
			if w.Code != http.StatusOK || w.Body.Len() == 0 || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
				t.Errorf("%s %q: status %d, %d bytes, %v", name, encoding, w.Code, w.Body.Len(), w.Header())
			}
		}
	}
	if set.URL("nothing.css") != "" {
		t.Error("an unknown name has an address")
	}
	w := httptest.NewRecorder()
	set.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/static/app.000000000000.css", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("a wrong hash answers %d", w.Code)
	}
}

func TestStylesheet(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	css := string(set.byName[Stylesheet].body)
	for _, want := range []string{
		`:root[data-theme="dark"]`, "prefers-color-scheme:dark",
		".g1000{flex-grow:1000}", "url(/static/inter-latin.", "@media print",
	} {
		if !strings.Contains(css, want) {
			t.Errorf("the style sheet lacks %s", want)
		}
	}
	// var(--x) that no token defines is a colour that silently falls away.
	for _, m := range regexp.MustCompile(`var\(--([a-z0-9_-]+)\)`).FindAllStringSubmatch(css, -1) {
		if !strings.Contains(css, "--"+m[1]+":") {
			t.Errorf("the style sheet uses --%s, which nothing defines", m[1])
		}
	}
	// Colours live in tokens only; print needs black and white.
	for _, name := range []string{"css/10-base.css", "css/20-shell.css", "css/30-parts.css", "css/40-charts.css"} {
		body, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`#[0-9A-Fa-f]{3,8}\b`).FindString(strings.ReplaceAll(string(body), "url(#p-",
			"")); m != "" {
			t.Errorf("%s names the colour %s instead of a token", name, m)
		}
	}
	// Themes are tokens and nothing else: browser tests look at the dark one for its colours.
	sheets, err := fs.Glob(files, "css/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatal("no style sheets: ", err)
	}
	for _, name := range sheets {
		body, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`data-theme|prefers-color-scheme`).Find(body); m != nil {
			t.Errorf("%s has rules for %s: what a theme changes is a token", name, m)
		}
	}
	if got, most := len(set.byName[Stylesheet].gzipped), 20<<10; got > most {
		t.Errorf("the style sheet has %d bytes gzipped, more than %d", got, most)
	}
}

func TestScriptsObeyThePolicy(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	script := string(set.byName[Script].body)
	// Single properties may be set from script (the tip's place); style text may not.
	for _, forbidden := range []string{"eval(", "innerHTML", "new Function", "cssText", `("style"`, "document.write"} {
		if strings.Contains(script, forbidden) {
			t.Errorf("app.js uses %s", forbidden)
		}
	}
}
