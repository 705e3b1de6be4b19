package page

import "testing"

// The rail folds pages that finance opens once a month, except around the current page.
func TestTheRailUnfoldsAroundThePage(t *testing.T) {
	for active, want := range map[string]bool{"overview": false, "runs": false, "data": true, "coverage": true} {
		found := false
		for _, g := range (Scope{}).navigation(active, []RailPage{{RailBooks, "Coverage", "/coverage"}}, false) {
			if g.Title == RailBooks {
				found = true
				if g.Unfolded() != want {
					t.Errorf("%s: Books unfolded: %v, want %v", active, g.Unfolded(), want)
				}
			} else if len(g.Links) > 0 && !g.Unfolded() {
				t.Errorf("%s: %q is folded", active, g.Title)
			}
		}
		if !found {
			t.Fatal("the rail has no Books")
		}
	}
}
