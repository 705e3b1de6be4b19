package mig

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsStrandedWhileThePlacementIsUnknown: for every layout of every card some placement lets a profile take
// all the rest, by the dominant share. So stranded capacity depends on the positions of instances, which exporters do
// not report.
func TestNothingIsStrandedWhileThePlacementIsUnknown(t *testing.T) {
	layouts, placed := 0, 0
	seen := map[string]bool{}
	for i := range cards {
		model, card := strings.Join(cards[i].words, " "), cards[i].card
		geometry := fmt.Sprint(card.Compute, card.Memory, len(card.offers))
		if seen[geometry] {
			continue
		}
		seen[geometry] = true
		names := card.Profiles()
		var grow func(from int, layout []string)
		grow = func(from int, layout []string) {
			var shapes []Shape
			compute := 0
			for _, p := range layout {
				s := card.ShapeOf(p)
				shapes, compute = append(shapes, s), compute+s.Compute
			}
			if compute > card.Compute || len(card.occupied(shapes, nil)) == 0 {
				return
			}
			w, err := Weigh(model, layout, nil, Dominant)
			if err != nil {
				t.Fatal(err)
			}
			if layouts++; w.Stranded != 0 {
				t.Errorf("%s in %v: %d of %d are stranded", model, layout, w.Stranded, w.Denominator)
			}
			for _, s := range startsOfAll(card, shapes) {
				if known, err := Weigh(model, layout, s, Dominant); err == nil && known.Stranded > 0 {
					placed++
					break
				}
			}
			for j := from; j < len(names); j++ {
				grow(j, append(slices.Clone(layout), names[j]))
			}
		}
		grow(0, nil)
	}
	if layouts < 50 || placed == 0 {
		t.Errorf("%d layouts, of which %d can be placed so that something is stranded", layouts, placed)
	}
}

// startsOfAll lists the valid placements of a layout.
func startsOfAll(card Card, shapes []Shape) [][]int {
	all := [][]int{nil}
	for i, s := range shapes {
		var next [][]int
		for _, starts := range all {
			for _, at := range card.Starts(s) {
				if one := append(slices.Clone(starts), at); len(card.occupied(shapes[:i+1], one)) > 0 {
					next = append(next, one)
				}
			}
		}
		all = next
	}
	return all
}
