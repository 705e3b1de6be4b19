package nearest

import (
	"strings"
	"testing"
)

func TestSuggestNamesWhatIsAlike(t *testing.T) {
	names := []string{"team", "effective_cost", "--group-by", "sources"}
	for typed, want := range map[string]string{
		"taem": "team", "effectiv_cost": "effective_cost", "Effective-Cost": "effective_cost", "sourcs": "sources",
		"gruop-by": "--group-by", "frobnicate": "", "x": "", strings.Repeat("team", 40): "",
	} {
		if want != "" {
			want = " (did you mean " + want + "?)"
		}
		if got := Suggest(typed, names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	if got := Suggest("team", nil); got != "" {
		t.Errorf("out of nothing: %q", got)
	}
	if got := Names("tame", names); got[0] != "team" || len(got) != len(names) {
		t.Errorf("%q", got)
	}
}
