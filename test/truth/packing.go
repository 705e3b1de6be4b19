package truth

import (
	"math/big"
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// Slices of an A100.
const (
	cardCompute = 7
	cardMemory  = 8
)

// leftover is the rest of a card around a set of instances, in the best case.
type leftover struct {
	compute     int64 // slices in no instance
	largest     int64 // compute slices of the largest profile that still fits
	deadCompute int64 // slices that no choice of further profiles takes
	deadMemory  int64
}

// index is the fragmentation index (docs/figures.md, 17.5).
func (l leftover) index() *big.Rat {
	if l.compute == 0 {
		return new(big.Rat)
	}
	return big.NewRat(l.compute-min(l.largest, l.compute), l.compute)
}

// placements calls f with every way to place instances on an empty card, or the known one: the memory slices that they
// take, and the number of compute slices.
func placements(have []string, told []int, f func(used uint8, compute int64)) {
	var place func(i int, used uint8, compute int64)
	place = func(i int, used uint8, compute int64) {
		if i == len(have) {
			f(used, compute)
			return
		}
		p := world.ProfileOf(have[i])
		for _, s := range world.StartsFor(p, told, i) {
			if m := world.Window(s, p.Memory); used&m == 0 && compute+p.Compute <= cardCompute {
				place(i+1, used|m, compute+p.Compute)
			}
		}
	}
	place(0, 0, 0)
}

// leftoverOf tries every placement, or the known one, and, on each, every choice of further profiles.
func leftoverOf(have []string, told []int) leftover {
	var most struct{ compute, memory int64 }
	var l leftover
	var memory int64
	l.compute = cardCompute
	for _, name := range have {
		l.compute -= world.ProfileOf(name).Compute
		memory += world.ProfileOf(name).Memory
	}
	placements(have, told, func(used uint8, compute int64) {
		var grow func(used uint8, compute, more int64)
		grow = func(used uint8, compute, more int64) {
			most.compute, most.memory = max(most.compute, compute), max(most.memory, more)
			for j := range world.A100Profiles {
				p := &world.A100Profiles[j]
				for _, s := range p.Starts {
					if m := world.Window(s, p.Memory); used&m == 0 && compute+p.Compute <= cardCompute {
						if more == 0 {
							l.largest = max(l.largest, p.Compute)
						}
						grow(used|m, compute+p.Compute, more+p.Memory)
					}
				}
			}
		}
		grow(used, compute, 0)
	})
	l.deadCompute = l.compute - (most.compute - (cardCompute - l.compute))
	l.deadMemory = cardMemory - memory - most.memory
	return l
}

// count is how many instances of each of a100Profiles.
type count [6]int

func countOf(names []string) (c count) {
	for _, name := range names {
		c[slices.IndexFunc(world.A100Profiles, func(p world.MIGProfile) bool { return p.Name == name })]++
	}
	return c
}

// cardsFor is the fewest cards that hold the given instances of each profile at once: over every choice for the next
// card, the best result for the rest.
func cardsFor(want count) int {
	loads := allLoads()
	known := map[count]int{{}: 0}
	var fewest func(left count) int
	fewest = func(left count) int {
		if n, ok := known[left]; ok {
			return n
		}
		best := 1 << 30
		for load := range loads {
			next, took := left, false
			for j := range next {
				take := min(load[j], left[j])
				next[j] -= take
				took = took || take > 0
			}
			if took {
				best = min(best, 1+fewest(next))
			}
		}
		known[left] = best
		return best
	}
	return fewest(want)
}

// allLoads are all sets of instances that one card can hold.
func allLoads() map[count]bool {
	loads := map[count]bool{}
	var grow func(used uint8, compute int64, c count)
	grow = func(used uint8, compute int64, c count) {
		loads[c] = true
		for j := range world.A100Profiles {
			p := &world.A100Profiles[j]
			for _, s := range p.Starts {
				if m := world.Window(s, p.Memory); used&m == 0 && compute+p.Compute <= cardCompute {
					next := c
					next[j]++
					grow(used|m, compute+p.Compute, next)
				}
			}
		}
	}
	grow(0, 0, count{})
	return loads
}

// FitsCard reports whether instances at these first memory slices are valid on
// one card.
func FitsCard(profiles []string, starts []int) bool {
	var used uint8
	var compute int64
	for i, name := range profiles {
		p := world.ProfileOf(name)
		if p == nil || !slices.Contains(p.Starts, starts[i]) || used&world.Window(starts[i], p.Memory) != 0 {
			return false
		}
		used |= world.Window(starts[i], p.Memory)
		compute += p.Compute
	}
	return compute <= cardCompute
}

// fgdOf is how much of the free parts of a machine a task with that many GPUs could not use there (section 3.3 of the
// reference).
func fgdOf(free []*big.Rat, task *big.Rat) *big.Rat {
	whole := big.NewRat(1, 1)
	all, largest, wholes := new(big.Rat), new(big.Rat), int64(0)
	for _, r := range free {
		all.Add(all, r)
		if r.Cmp(largest) > 0 {
			largest = r
		}
		if r.Cmp(whole) >= 0 {
			wholes++
		}
	}
	wants, runs := task, largest.Cmp(task) >= 0
	if task.Cmp(whole) >= 0 {
		wants, runs = whole, big.NewRat(wholes, 1).Cmp(task) >= 0
	}
	if !runs {
		return all
	}
	stuck := new(big.Rat)
	for _, r := range free {
		if r.Cmp(wants) < 0 {
			stuck.Add(stuck, r)
		}
	}
	return stuck
}
