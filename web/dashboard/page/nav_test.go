package page

import "testing"

// The rail folds what finance opens once a month, and unfolds it around the page in sight.
func TestTheRailUnfoldsAroundThePage(t *testing.T) {
	for active, want := range map[string]bool{"overview": false, "runs": false, "data": true, "coverage": true} {
		found := false
		for _, g := range (Scope{}).navigation(active, []RailPage{{RailBooks, "Coverage", "/coverage"}}, false) {
			if g.Title == RailBooks {
				found = true
				if g.Unfolded() != want {
					t.Errorf("%s: the books are unfolded: %v, want %v", active, g.Unfolded(), want)
				}
			} else if len(g.Links) > 0 && !g.Unfolded() {
				t.Errorf("%s: %q is folded", active, g.Title)
			}
		}
		if !found {
			t.Fatal("no books")
		}
	}
}
