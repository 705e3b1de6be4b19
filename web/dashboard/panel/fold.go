package panel

import "gpuledger/internal/money"

// folded are the groups that are drawn: the largest, and one for all others if the figures add up. Groups that do not
// add up are cut; left says how many.
func (d *drawing) folded() (groups []*group, left int) {
	most := d.Most
	if most == 0 {
		most = DefaultMost
	}
	if len(d.groups) <= most {
		return d.groups, 0
	}
	if !adds(d.column) {
		return d.groups[:most], len(d.groups) - most
	}
	others := &group{cells: map[int]*money.Amount{}, parts: map[string]*money.Amount{}}
	for _, g := range d.groups[most:] {
		others.folded++
		others.total, others.before = plus(others.total, g.total), plus(others.before, g.before)
		for name, a := range g.parts {
			others.parts[name] = plus(others.parts[name], a)
		}
		for at, a := range g.cells {
			others.cells[at] = plus(others.cells[at], a)
		}
	}
	return append(append([]*group{}, d.groups[:most]...), others), 0
}
