package mig

import (
	"cmp"
	"slices"
)

// CardsFor is how many cards of the model hold instances of the profiles, each
// on the first card that has room for it, the largest instances first.
func CardsFor(model string, profiles []string) int {
	card := CardOf(model)
	shapes := make([]Shape, len(profiles))
	for i, p := range profiles {
		shapes[i] = card.ShapeOf(p)
	}
	slices.SortFunc(shapes, func(a, b Shape) int {
		return cmp.Or(cmp.Compare(b.Memory, a.Memory), cmp.Compare(b.Compute, a.Compute))
	})
	type filled struct {
		shapes  []Shape
		compute int
	}
	var cards []filled
next:
	for _, s := range shapes {
		for i := range cards {
			both := append(slices.Clip(cards[i].shapes), s)
			if cards[i].compute+s.Compute <= card.Compute && len(card.occupied(both, nil)) > 0 {
				cards[i] = filled{both, cards[i].compute + s.Compute}
				continue next
			}
		}
		cards = append(cards, filled{[]Shape{s}, s.Compute})
	}
	return len(cards)
}
