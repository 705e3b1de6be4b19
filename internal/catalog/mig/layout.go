package mig

import "fmt"

// MaxSlices is the largest number of GPU instances that a layout may name.
const MaxSlices = 64

// Weights is how a card divides over the instances of a layout (rules 3.4 to 3.6). Σ Slices + Free + Stranded =
// Denominator.
type Weights struct {
	Denominator uint64
	Slices      []uint64 // per profile, in the order given
	Free        uint64   // remainder on which a profile can still be placed
	Stranded    uint64   // remainder that no profile can use
	Derived     []bool   // per profile: not in the table of the model
	Assumed     bool     // the placement is unknown: the best valid one is assumed
}

// Weigh returns the weights of a layout of the model by a measure. starts holds the first memory slice of each profile
// if the placement is known, else it is nil.
//
// If the raw weights together exceed 1, each is divided by their sum. It returns an error for more than MaxSlices
// profiles, starts of another length or a measure out of bounds.
func Weigh(model string, profiles []string, starts []int, by Measure) (Weights, error) {
	if err := by.validate(); err != nil {
		return Weights{}, err
	}
	if len(profiles) > MaxSlices {
		return Weights{}, fmt.Errorf("a layout of %d MIG instances: no card has more than %d", len(profiles), MaxSlices)
	}
	if starts != nil && len(starts) != len(profiles) {
		return Weights{}, fmt.Errorf("%d placements for %d MIG instances", len(starts), len(profiles))
	}
	card := CardOf(model)
	scale := by.on(card)
	unit := scale.unit
	w := Weights{Slices: make([]uint64, len(profiles)), Derived: make([]bool, len(profiles)), Assumed: starts == nil}
	shapes := make([]Shape, len(profiles))
	sum := 0
	for i, p := range profiles {
		shapes[i] = card.ShapeOf(p)
		raw := scale.raw(shapes[i].Compute, shapes[i].Memory)
		w.Slices[i], w.Derived[i] = uint64(raw), shapes[i].Derived
		sum += raw
	}
	w.Denominator = uint64(max(unit, sum))
	if rest := unit - sum; rest > 0 {
		placeable := min(rest, card.placeable(shapes, starts, scale))
		w.Free, w.Stranded = uint64(placeable), uint64(rest-placeable)
	}
	return w, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// startsOf lists the memory slices at which a shape may begin: instances are aligned to their own size, no single slice
// starts at the last memory slice of a card of eight, and a 4g of seven starts only at 0.
func (c Card) startsOf(s Shape) []int {
	if s.Memory >= c.Memory || c.Memory == 8 && s.Compute >= 4 {
		return []int{0}
	}
	var starts []int
	for at := 0; at+s.Memory <= c.Memory; at += s.Memory {
		if c.Memory == 8 && at+s.Compute > c.Compute {
			break // no compute slice is left for these memory slices
		}
		starts = append(starts, at)
	}
	return starts
}

// placeable returns the largest total raw weight of further profiles over all
// valid placements of the existing ones, or over the known placement.
func (c Card) placeable(existing []Shape, known []int, scale scale) int {
	compute := c.Compute
	for _, s := range existing {
		compute -= s.Compute
	}
	masks := c.occupied(existing, known)
	if compute < 0 {
		return 0
	}
	search := search{card: c, scale: scale, memo: make(map[[2]int]int)}
	best := 0
	for mask := range masks {
		best = max(best, search.fill(mask, compute))
	}
	return best
}

func window(at, size int) uint16 { return uint16(1<<size-1) << max(at, 0) }

type search struct {
	card  Card
	scale scale
	memo  map[[2]int]int
}

// fill returns the largest raw weight that still fits around the occupied memory slices with the given number of
// compute slices left.
func (s search) fill(mask uint16, compute int) int {
	key := [2]int{int(mask), compute}
	if best, ok := s.memo[key]; ok {
		return best
	}
	best := 0
	for _, o := range s.card.offers {
		if o.compute > compute {
			continue
		}
		for _, at := range s.card.startsOf(Shape{Compute: o.compute, Memory: o.memory}) {
			if take := window(at, o.memory); mask&take == 0 {
				best = max(best, s.scale.raw(o.compute, o.memory)+s.fill(mask|take, compute-o.compute))
			}
		}
	}
	s.memo[key] = best
	return best
}
