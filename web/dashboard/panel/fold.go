package panel

import (
	"cmp"
	"slices"

	"gpuledger/internal/money"
	"gpuledger/metrics"
)

// folded are the groups that are drawn: the first and those that the panel names, and one for all others if the
// figures add up. Groups that do not add up are cut; left says how many.
func (d *drawing) folded() (groups []*group, left int) { return d.fold(cmp.Or(d.Most, DefaultMost)) }

// few is folded for charts that have room for another number of groups.
func (d *drawing) few(most int) []*group {
	groups, _ := d.fold(cmp.Or(d.Most, most))
	return groups
}

func (d *drawing) fold(most int) (groups []*group, left int) {
	kept, rest := d.parted(most)
	switch {
	case len(rest) == 0:
		return kept, 0
	case !adds(d.column):
		return kept, len(rest)
	}
	others := &group{cells: map[int]*money.Amount{}, parts: map[string]*money.Amount{}, folded: len(rest), kept: kept}
	for _, g := range rest {
		others.total, others.before = plus(others.total, g.total), plus(others.before, g.before)
		for name, a := range g.parts {
			others.parts[name] = plus(others.parts[name], a)
		}
		for at, a := range g.cells {
			others.cells[at] = plus(others.cells[at], a)
		}
	}
	return append(kept, others), 0
}

// parted are the groups that are drawn alone, and all others.
func (d *drawing) parted(most int) (kept, rest []*group) {
	if len(d.Keep) > 0 {
		return d.kept()
	}
	for i, g := range d.groups {
		if i < most || d.pinned(g) {
			kept = append(kept, g)
		} else {
			rest = append(rest, g)
		}
	}
	return kept, rest
}

// kept are the groups of the panel's Keep, in its order, and all others.
func (d *drawing) kept() (kept, rest []*group) {
	for _, value := range d.Keep {
		for _, g := range d.groups {
			if g.values[0].Valid && g.values[0].Text == value {
				kept = append(kept, g)
			}
		}
	}
	for _, g := range d.groups {
		if !slices.Contains(kept, g) {
			rest = append(rest, g)
		}
	}
	return kept, rest
}

// pinned reports whether the panel draws a group however small it is.
func (d *drawing) pinned(g *group) bool {
	return d.Pins != nil && metrics.Matches(d.Pins, func(key string) (string, bool) {
		i := slices.IndexFunc(d.keys, func(k metrics.Key) bool { return k.Name == key })
		if i < 0 {
			return "", false
		}
		return g.values[i].Text, g.values[i].Valid
	})
}
