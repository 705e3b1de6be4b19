package packing

import (
	"cmp"
	"slices"
)

// StateLimit is the number of states after which the exact search stops and first-fit decreasing decides.
const StateLimit = 50_000

// Fewest returns a plan with the fewest cards of a model that hold the demand at once under valid placements. It
// searches with the fewest cards that the slices of the demand could need, then with one more, and so on: a branch
// fills one card completely, beginning with the largest remaining instance. A plan that is not Exact may have more
// cards than necessary.
func Fewest(model string, demand []Demand) Plan {
	p := newPacker(model, demand)
	if len(p.classes) == 0 {
		return Plan{Exact: true}
	}
	if len(p.classes) > maxClasses {
		panic("packing: more shapes than a card can have")
	}
	left := make([]int, len(p.classes))
	for k := range p.classes {
		left[k] = len(p.classes[k].names)
	}
	first := p.firstFit(left)
	least := p.atLeast(left)
	loads, exact := first, len(first) == least
	if !exact {
		p.fillUp(load{}, 0)
		for n := least; n < len(first) && !exact; n++ {
			p.failed = map[string]bool{}
			if found := p.search(left, n); found != nil {
				loads, exact = found, true
			} else if p.states > StateLimit {
				return p.plan(first, false)
			}
		}
		exact = true // all smaller numbers failed
	}
	return p.plan(loads, exact)
}

// atLeast is a lower bound on the cards: by compute slices, by memory slices, and by the most instances of a shape on
// one card.
func (p *packer) atLeast(left []int) int {
	compute, memory, most := 0, 0, 0
	for k, n := range left {
		compute += n * p.classes[k].Compute
		memory += n * p.classes[k].Memory
		most = max(most, ceil(n, p.most(k)))
	}
	return max(ceil(compute, p.card.Compute), ceil(memory, p.card.Memory), most)
}

// most is the most instances of a class on one card.
func (p *packer) most(k int) int {
	var l load
	for {
		if l[k]++; !p.holds(l) {
			return int(l[k]) - 1
		}
	}
}

func ceil(n, by int) int { return (n + by - 1) / by }

// firstFit puts the largest instances first, each onto the first card on which
// it still fits.
func (p *packer) firstFit(left []int) []load {
	var cards []load
	for k, n := range left {
		at := 0 // a card that was too full for one instance is too full for the next of its class
		for range n {
			for ; ; at++ {
				if at == len(cards) {
					cards = append(cards, load{})
				}
				l := cards[at]
				if l[k]++; p.holds(l) {
					cards[at] = l
					break
				}
			}
		}
	}
	return cards
}

// fillUp collects the loads that leave no room.
func (p *packer) fillUp(l load, from int) {
	more := false
	for k := range p.classes {
		next := l
		if next[k]++; !p.holds(next) {
			continue
		}
		more = true
		if k >= from {
			p.fillUp(next, k)
		}
	}
	if !more {
		p.full = append(p.full, l)
	}
}

// search returns the loads of at most n cards that hold the remaining demand; nil if there are none or the limit is
// reached.
func (p *packer) search(left []int, n int) []load {
	largest := slices.IndexFunc(left, func(n int) bool { return n > 0 })
	if largest < 0 {
		return []load{}
	}
	if n < p.atLeast(left) {
		return nil
	}
	key := key(left, n)
	if p.failed[key] {
		return nil
	}
	if p.states++; p.states > StateLimit {
		return nil
	}
	tried := map[load]bool{}
	for _, l := range p.full {
		for k := range left {
			l[k] = uint8(min(int(l[k]), left[k]))
		}
		if l[largest] == 0 || tried[l] {
			continue
		}
		tried[l] = true
		rest := slices.Clone(left)
		for k := range rest {
			rest[k] -= int(l[k])
		}
		if found := p.search(rest, n-1); found != nil {
			return append(found, l)
		}
	}
	p.failed[key] = true
	return nil
}

func key(left []int, n int) string {
	b := make([]byte, 0, 4*len(left)+4)
	for _, v := range append([]int{n}, left...) {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return string(b)
}

// plan gives names and places to loads, the fullest cards first.
func (p *packer) plan(loads []load, exact bool) Plan {
	slices.SortStableFunc(loads, func(a, b load) int {
		for k := range a {
			if c := cmp.Compare(b[k], a[k]); c != 0 {
				return c
			}
		}
		return 0
	})
	out := Plan{Exact: exact}
	given := make([]int, len(p.classes))
	for _, l := range loads {
		starts, _ := p.place(l)
		var card []Placed
		for k := range p.classes {
			for range l[k] {
				card = append(card, Placed{p.classes[k].names[given[k]], starts[len(card)]})
				given[k]++
			}
		}
		slices.SortFunc(card, func(a, b Placed) int { return cmp.Compare(a.Start, b.Start) })
		out.Cards = append(out.Cards, card)
	}
	return out
}
