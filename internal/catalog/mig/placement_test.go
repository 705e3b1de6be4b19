package mig

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestKnownPlacements: random instances at random memory slices are allowed if no slice is used twice and every profile
// may start there; then instances, placeable and stranded add up to the whole card, and placeable is the result of
// trying every further choice.
func TestKnownPlacements(t *testing.T) {
	type offer struct {
		profile                 string
		compute, memory, weight int // weight in fifty-sixths
		starts                  []int
	}
	a100 := []offer{
		{"1g.5gb", 1, 1, 8, []int{0, 1, 2, 3, 4, 5, 6}},
		{"1g.10gb", 1, 2, 14, []int{0, 2, 4, 6}}, {"2g.10gb", 2, 2, 16, []int{0, 2, 4}},
		{"3g.20gb", 3, 4, 28, []int{0, 4}}, {"4g.20gb", 4, 4, 32, []int{0}}, {"7g.40gb", 7, 8, 56, []int{0}},
	}
	rapid.Check(t, func(t *rapid.T) {
		var profiles []string
		var starts []int
		var taken [8]int
		compute, weight, allowed := 0, 0, true
		for range rapid.IntRange(1, 4).Draw(t, "instances") {
			o := rapid.SampledFrom(a100[:5]).Draw(t, "profile")
			at := rapid.SampledFrom(o.starts).Draw(t, "start")
			if rapid.IntRange(0, 9).Draw(t, "wrong") == 0 {
				at = rapid.IntRange(0, 9).Draw(t, "anywhere")
			}
			profiles, starts = append(profiles, o.profile), append(starts, at)
			compute, weight = compute+o.compute, weight+o.weight
			allowed = allowed && slices.Contains(o.starts, at)
			for s := at; s < at+o.memory && s < 8; s++ {
				taken[s]++
				allowed = allowed && taken[s] == 1
			}
		}
		if got := Allowed("NVIDIA A100-SXM4-40GB", profiles, starts); got != (allowed && compute <= 7) {
			t.Fatalf("%v at %v: allowed is %v", profiles, starts, got)
		}
		if !allowed || compute > 7 {
			return
		}
		w, err := Weigh("NVIDIA A100-SXM4-40GB", profiles, starts, Dominant)
		if err != nil {
			t.Fatal(err)
		}
		var more func(taken [8]int, compute int) int
		more = func(taken [8]int, compute int) (best int) {
			for _, o := range a100 {
				for _, at := range o.starts {
					next, free := taken, compute+o.compute <= 7
					for s := at; s < at+o.memory; s++ {
						next[s]++
						free = free && next[s] == 1
					}
					if free {
						best = max(best, o.weight+more(next, compute+o.compute))
					}
				}
			}
			return best
		}
		rest := max(0, 56-weight)
		placeable := min(rest, more(taken, compute))
		unit := uint64(max(56, weight))
		if w.Free*unit != uint64(placeable)*w.Denominator || w.Stranded*unit != uint64(rest-placeable)*w.Denominator ||
			w.Assumed {
			t.Fatalf("%v at %v: free %d, stranded %d of %d; want %d and %d of %d", profiles, starts, w.Free, w.Stranded,
				w.Denominator, placeable, rest-placeable, unit)
		}
		sum := w.Free + w.Stranded
		for _, s := range w.Slices {
			sum += s
		}
		if sum != w.Denominator {
			t.Fatalf("%v at %v: parts make %d of %d", profiles, starts, sum, w.Denominator)
		}
	})
	// behind a 1g.5gb at slice 6 nothing may begin; before it a 2g.10gb has room
	w, err := Weigh("NVIDIA A100-SXM4-40GB", []string{"3g.20gb", "1g.5gb"}, []int{0, 6}, Dominant)
	if err != nil || w.Free*56 != 16*w.Denominator || w.Stranded*56 != 4*w.Denominator {
		t.Errorf("%+v %v, want 16 and 4 of 56", w, err)
	}
}
