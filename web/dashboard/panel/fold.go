package panel

import (
	"slices"

	"gpuledger/internal/money"
)

// folded are the groups that are drawn: the largest, and one for all others if the figures add up. Groups that do not
// add up are cut; left says how many.
func (d *drawing) folded() (groups []*group, left int) {
	most := d.Most
	if most == 0 {
		most = DefaultMost
	}
	kept, rest := d.groups, []*group(nil)
	switch {
	case len(d.Keep) > 0:
		kept, rest = d.kept()
	case len(d.groups) > most:
		kept, rest = d.groups[:most], d.groups[most:]
	}
	if len(rest) == 0 {
		return kept, 0
	}
	if !adds(d.column) {
		return kept, len(rest)
	}
	others := &group{cells: map[int]*money.Amount{}, parts: map[string]*money.Amount{}}
	for _, g := range rest {
		others.folded++
		others.total, others.before = plus(others.total, g.total), plus(others.before, g.before)
		for name, a := range g.parts {
			others.parts[name] = plus(others.parts[name], a)
		}
		for at, a := range g.cells {
			others.cells[at] = plus(others.cells[at], a)
		}
	}
	return append(slices.Clone(kept), others), 0
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
