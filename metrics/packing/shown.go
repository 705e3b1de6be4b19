package packing

import (
	"maps"
	"slices"
)

// ShownDays is the days of demand that a shown layout must hold.
const ShownDays = 28

// Card is a card that had instances on a day.
type Card struct {
	ID  string
	Had []string // profiles of its last layout of the day
}

// Day is the use of one model's cards on a day.
type Day struct {
	Number int64 // day number, counted from any day
	Cards  []Card
	// Demand is the most instances held at once per profile; nil: the cards there were could not have held all of it at
	// once.
	Demand map[string]int
}

// Layout is a card's proposed layout; no instances: the card is released.
type Layout struct {
	Card
	Placed []Placed
}

// Actions for a card: nothing has to run on it, its layout is right, or it needs another one.
const (
	Release     = "release"
	Keep        = "keep"
	Repartition = "repartition"
)

// Action is the step from the card's present layout to this one.
func (l *Layout) Action() string {
	profiles := make([]string, len(l.Placed))
	for i, p := range l.Placed {
		profiles[i] = p.Profile
	}
	switch {
	case len(profiles) == 0:
		return Release
	case slices.Equal(slices.Sorted(slices.Values(l.Had)), slices.Sorted(slices.Values(profiles))):
		return Keep
	}
	return Repartition
}

// Shown returns for each day the better layouts to show: one per card, and only if they release cards. They hold, per
// profile, the most instances held at once on any of the 28 days up to that day. Shown layouts stay until they no
// longer hold that demand, a card that they need is gone, or other layouts release 5 % more cards.
func Shown(model string, days []Day) [][]Layout {
	out := make([][]Layout, len(days))
	var plan [][]Placed // the shown layouts, by card of on
	var on []string
	for i, d := range days {
		demand, known := map[string]int{}, true
		for _, other := range days[:i+1] {
			if other.Number <= d.Number-ShownDays || len(other.Cards) == 0 {
				continue
			}
			known = known && other.Demand != nil
			for profile, n := range other.Demand {
				demand[profile] = max(demand[profile], n)
			}
		}
		if !known || len(d.Cards) == 0 {
			plan, on = nil, nil
			continue
		}
		var list []Demand
		for _, profile := range slices.Sorted(maps.Keys(demand)) {
			list = append(list, Demand{profile, demand[profile]})
		}
		next := Fewest(model, list).Cards
		saves, stays := len(d.Cards)-len(next), len(d.Cards)-len(plan)
		if plan == nil || !holds(plan, demand) || !there(on, d.Cards) || 100*saves >= 105*stays && saves > stays {
			if plan, on = nil, nil; saves > 0 {
				plan = next
				for _, at := range Alike(next, d.Cards) {
					on = append(on, d.Cards[at].ID)
				}
			}
		}
		if plan == nil || len(d.Cards) <= len(plan) {
			plan, on = nil, nil
			continue
		}
		for _, c := range d.Cards {
			l := Layout{Card: c}
			if at := slices.Index(on, c.ID); at >= 0 {
				l.Placed = plan[at]
			}
			out[i] = append(out[i], l)
		}
	}
	return out
}

// holds reports whether a plan has a place for the whole demand.
func holds(plan [][]Placed, demand map[string]int) bool {
	left := maps.Clone(demand)
	for _, card := range plan {
		for _, p := range card {
			left[p.Profile]--
		}
	}
	for _, n := range left {
		if n > 0 {
			return false
		}
	}
	return true
}

// there reports whether cards include all ids.
func there(ids []string, cards []Card) bool {
	for _, id := range ids {
		if !slices.ContainsFunc(cards, func(c Card) bool { return c.ID == id }) {
			return false
		}
	}
	return true
}

// Alike gives each layout of a plan to the card with the most instances of the same profiles, of equals to the first.
// It returns their indexes, in the order of the plan.
func Alike(plan [][]Placed, cards []Card) []int {
	left := make([]int, len(cards))
	for i := range left {
		left[i] = i
	}
	var out []int
	for _, placed := range plan {
		best, most := 0, -1
		for at, i := range left {
			if n := common(cards[i].Had, placed); n > most {
				best, most = at, n
			}
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// common is the number of instances that a card and a layout share.
func common(had []string, placed []Placed) int {
	left, n := slices.Clone(had), 0
	for _, p := range placed {
		if i := slices.Index(left, p.Profile); i >= 0 {
			left = slices.Delete(left, i, i+1)
			n++
		}
	}
	return n
}
