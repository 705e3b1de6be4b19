package costs

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// The address names up to three keys of costs; anything else is refused with a reason.
func TestTreeOfChosenKeys(t *testing.T) {
	for _, c := range []struct{ tree, keys, refused string }{
		{"", "team,project", ""},
		{"cause", "cause", ""},
		{"team, project,cause", "team,project,cause", ""},
		{"team,project,cause,node", "", "more than three keys"},
		{"team,team", "", "names team twice"},
		{"team,projct", "", "did you mean project?"},
		{"team,", "", "is not a key of costs"},
	} {
		s, err := page.ReadScope(httptest.NewRequest("GET", "/?tree="+url.QueryEscape(c.tree), nil))
		if err != nil {
			t.Fatal(err)
		}
		keys, err := treeKeys(s)
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%q: %v, want %q", c.tree, err, c.refused)
			}
			continue
		}
		if err != nil || strings.Join(keys, ",") != c.keys {
			t.Errorf("%q: %v %v, want %s", c.tree, keys, err, c.keys)
		}
	}
}

// Each set that the page offers can be drawn, and its link keeps the frame.
func TestOfferedTreesAreRead(t *testing.T) {
	s, err := page.ReadScope(httptest.NewRequest("GET", "/?basis=billed&tree=cause", nil))
	if err != nil {
		t.Fatal(err)
	}
	menu := treeMenu(s, "cause")
	for i, item := range menu.Items {
		u, err := url.Parse(item.Href)
		if err != nil || u.Query().Get("basis") != "billed" {
			t.Fatalf("%s leads to %s: %v", item.Text, item.Href, err)
		}
		there, err := page.ReadScope(httptest.NewRequest("GET", u.RequestURI(), nil))
		if err != nil {
			t.Fatal(err)
		}
		if keys, err := treeKeys(there); err != nil || !slices.Equal(keys, trees[i]) {
			t.Errorf("%s draws %v: %v", item.Text, keys, err)
		}
		if _, err := metrics.Parse("costs", metrics.Options{GroupBy: strings.Join(trees[i], ",")}); err != nil {
			t.Error(err)
		}
	}
}
