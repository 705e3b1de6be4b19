package owner

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/allocation/policy"
)

func TestValuesThatLookAlikeAreReported(t *testing.T) {
	got := LookAlikes([]Value{
		{"team", "ML_Platform", 2}, {"team", "ml-platform", 40}, {"team", "vision", 9}, {"project", "ml-platform", 3},
		{"team", "MLPlatform", 2}, {"stage", "fine-tuning", 4},
		{"stage", "fine_tuning", 5}, {"team", "--", 1}, {"team", "_", 1},
	})
	want := []LookAlike{{"team", []string{"ml-platform", "MLPlatform", "ML_Platform"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A policy accepts the proposed mapping, and it merges the values.
func TestTheProposedMappingMakesThemOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var values []Value
		seen := map[string]bool{}
		for range rapid.IntRange(2, 8).Draw(t, "values") {
			if text := rapid.StringMatching(`(?i)a[-_. ]?b[-_. ]?["'c]?`).Draw(t, "text"); !seen[text] {
				seen[text] = true
				values = append(values, Value{"team", text, rapid.Int64Range(1, 3).Draw(t, "workloads")})
			}
		}
		for _, l := range LookAlikes(values) {
			v, err := policy.Parse([]byte("{version: v1, values: [" + l.Mapping() + "]}"))
			if err != nil {
				t.Fatalf("%s: %v", l.Mapping(), err)
			}
			for _, text := range l.Values {
				if v.Mapped("team", text) != l.Values[0] {
					t.Fatalf("%s leaves %q", l.Mapping(), text)
				}
			}
		}
	})
}
