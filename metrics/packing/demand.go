package packing

import (
	"cmp"
	"slices"

	"gpuledger/internal/catalog/mig"
)

// Demand is the number of instances of a profile needed at once.
type Demand struct {
	Profile string
	Count   int
}

// Placed is an instance with its place on a card.
type Placed struct {
	Profile string
	Start   int // first memory slice
}

// Plan puts a demand on cards.
type Plan struct {
	Cards [][]Placed // at least one instance each, by start
	// Exact: no plan has fewer cards. Otherwise this is the result of first-fit decreasing, after StateLimit states.
	Exact bool
}

// class is the demand for one shape: profiles of different names may be the same to a card.
type class struct {
	mig.Shape
	names []string // one per instance, in the order of the demand
}

// packer packs the demand of one model.
type packer struct {
	card    mig.Card
	classes []class       // largest first
	valid   map[load]bool // results of earlier checks of a card
	full    []load        // loads of a card with no room left
	failed  map[string]bool
	states  int
}

// maxClasses is the most shapes in a demand: more than any card offers.
const maxClasses = 16

// load is the number of instances of each class on a card.
type load [maxClasses]uint8

func newPacker(model string, demand []Demand) *packer {
	p := &packer{card: mig.CardOf(model), valid: map[load]bool{}}
	for _, d := range demand {
		s := p.card.ShapeOf(d.Profile)
		s.Derived = false
		at := slices.IndexFunc(p.classes, func(c class) bool { return c.Shape == s })
		if at < 0 {
			at = len(p.classes)
			p.classes = append(p.classes, class{Shape: s})
		}
		for range d.Count {
			p.classes[at].names = append(p.classes[at].names, d.Profile)
		}
	}
	p.classes = slices.DeleteFunc(p.classes, func(c class) bool { return len(c.names) == 0 })
	slices.SortFunc(p.classes, func(a, b class) int {
		return cmp.Or(cmp.Compare(b.Memory, a.Memory), cmp.Compare(b.Compute, a.Compute))
	})
	return p
}

// holds reports whether one card can hold the load.
func (p *packer) holds(l load) bool {
	if ok, known := p.valid[l]; known {
		return ok
	}
	_, ok := p.place(l)
	p.valid[l] = ok
	return ok
}

// place finds a start for every instance of a load, classes in order.
func (p *packer) place(l load) ([]int, bool) {
	compute := 0
	for k := range p.classes {
		compute += int(l[k]) * p.classes[k].Compute
	}
	if compute > p.card.Compute {
		return nil, false
	}
	var starts []int
	var put func(k, n, from int, taken uint32) bool
	put = func(k, n, from int, taken uint32) bool {
		for k < len(p.classes) && n == int(l[k]) {
			k, n, from = k+1, 0, 0
		}
		if k == len(p.classes) {
			return true
		}
		s := p.classes[k].Shape
		for _, at := range p.card.Starts(s) {
			take := (uint32(1)<<s.Memory - 1) << at
			if at < from || taken&take != 0 { // instances of one class are in order
				continue
			}
			starts = append(starts, at)
			if put(k, n+1, at+1, taken|take) {
				return true
			}
			starts = starts[:len(starts)-1]
		}
		return false
	}
	ok := put(0, 0, 0, 0)
	return starts, ok
}
