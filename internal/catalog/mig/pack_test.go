package mig

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCardsFor(t *testing.T) {
	times := func(n int, profile string) (list []string) {
		for range n {
			list = append(list, profile)
		}
		return list
	}
	for _, c := range []struct {
		model    string
		profiles []string
		want     int
	}{
		{"NVIDIA A100-SXM4-40GB", nil, 0},
		{"NVIDIA A100-SXM4-40GB", times(7, "1g.5gb"), 1},
		{"NVIDIA A100-SXM4-40GB", times(8, "1g.5gb"), 2},
		{"NVIDIA A100-SXM4-40GB", times(5, "1g.10gb"), 2}, // four to a card: its memory
		{"NVIDIA A100-SXM4-40GB", append(times(2, "3g.20gb"), "1g.5gb"), 2},
		{"NVIDIA A100-SXM4-40GB", times(2, "4g.20gb"), 2},
		{"NVIDIA H100 80GB HBM3", []string{"1g.10gb", "4g.40gb", "2g.20gb"}, 1},
		{"NVIDIA A30", times(5, "1g.6gb"), 2},
		{"a card that nobody knows", times(14, "1g.5gb"), 2},
	} {
		if got := CardsFor(c.model, c.profiles); got != c.want {
			t.Errorf("%s %v: %d cards, want %d", c.model, c.profiles, got, c.want)
		}
	}
}

// A card holds at most what it has: never fewer cards than slices need, never
// more than instances are.
func TestCardsForIsWithinItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const model = "NVIDIA A100-SXM4-40GB"
		profiles := rapid.SliceOfN(rapid.SampledFrom([]string{"1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb",
			"7g.40gb"}), 0, 12).Draw(t, "profiles")
		compute, memory := 0, 0
		for _, p := range profiles {
			s := CardOf(model).ShapeOf(p)
			compute, memory = compute+s.Compute, memory+s.Memory
		}
		if got := CardsFor(model, profiles); got < max((compute+6)/7, (memory+7)/8) || got > len(profiles) {
			t.Fatalf("%v: %d cards", profiles, got)
		}
	})
}
