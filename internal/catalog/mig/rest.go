package mig

import "slices"

// Rest is the part of a card that the instances of a layout leave, in slices.
type Rest struct {
	Compute, Memory int // outside the instances
	// Largest is how many compute slices the largest profile has that could still be placed; 0 if no profile can.
	Largest int
	// DeadCompute and DeadMemory are the slices that further profiles could not take, each for the choice of profiles
	// that takes most of it.
	DeadCompute, DeadMemory int
}

// RestOf returns the rest of a layout of the model. starts holds the first memory slice of each profile if the
// placement is known, else it is nil and the best valid placement counts. A layout without a valid placement leaves
// nothing that could be placed.
func RestOf(model string, profiles []string, starts []int) Rest {
	card := CardOf(model)
	shapes := make([]Shape, len(profiles))
	r := Rest{Compute: card.Compute, Memory: card.Memory}
	for i, p := range profiles {
		shapes[i] = card.ShapeOf(p)
		r.Compute -= shapes[i].Compute
		r.Memory -= shapes[i].Memory
	}
	r.Compute, r.Memory = max(r.Compute, 0), max(r.Memory, 0)
	if len(starts) != len(profiles) {
		starts = nil
	}
	for mask := range card.occupied(shapes, starts) {
		for _, o := range card.offers {
			if o.compute <= r.Compute && o.compute > r.Largest && card.fits(mask, Shape{Compute: o.compute, Memory: o.memory}) {
				r.Largest = o.compute
			}
		}
	}
	r.DeadCompute = r.Compute - min(r.Compute, card.placeable(shapes, starts, scale{
		unit: card.Compute, compute: 1, blended: true,
	}))
	r.DeadMemory = r.Memory - min(r.Memory, card.placeable(shapes, starts, scale{
		unit: card.Memory, memory: 1, blended: true,
	}))
	return r
}

// Allowed reports whether a card of the model can hold instances of the profiles at these first memory slices: each
// starts where its profile may, as far as the table has it, and they do not overlap.
func Allowed(model string, profiles []string, starts []int) bool {
	if len(starts) != len(profiles) {
		return false
	}
	card := CardOf(model)
	shapes := make([]Shape, len(profiles))
	for i, p := range profiles {
		shapes[i] = card.ShapeOf(p)
		if !shapes[i].Derived && !slices.Contains(card.startsOf(shapes[i]), starts[i]) {
			return false
		}
	}
	return len(card.occupied(shapes, starts)) > 0
}

// Starts lists the memory slices at which a shape may begin on the card.
func (c Card) Starts(s Shape) []int { return c.startsOf(s) }

// fits reports whether a shape has room around the occupied memory slices.
func (c Card) fits(mask uint16, s Shape) bool {
	for _, at := range c.startsOf(s) {
		if mask&window(at, s.Memory) == 0 {
			return true
		}
	}
	return false
}

// occupied lists the sets of memory slices that instances may take, over all
// valid placements or the known one.
func (c Card) occupied(existing []Shape, known []int) map[uint16]bool {
	masks := map[uint16]bool{0: true}
	for i, s := range existing {
		next := make(map[uint16]bool)
		starts := c.startsOf(s)
		if known != nil {
			starts = known[i : i+1]
		}
		for mask := range masks {
			for _, at := range starts {
				if take := window(at, s.Memory); at >= 0 && at+s.Memory <= c.Memory && mask&take == 0 {
					next[mask|take] = true
				}
			}
		}
		masks = next
	}
	return masks
}
