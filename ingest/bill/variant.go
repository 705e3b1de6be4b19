package bill

import (
	"slices"
	"strings"
)

// oneVariant leaves out a bill's whole month if files of two exports hold the same day of it:
// both hold the same money, so one of them counts whole, or neither; the days of only one of
// them must not count alone.
func (p *Plan) oneVariant(groups [][]*candidate) [][]*candidate {
	type month struct{ scope, dataset, month string }
	of := func(c *candidate) month {
		return month{c.unit.Scope, c.unit.Dataset, c.unit.Partition[:min(len("2026-11"), len(c.unit.Partition))]}
	}
	both := map[month][]string{} // months with the names of the variants
	for _, group := range groups {
		names := map[string]bool{}
		for _, c := range group {
			names[c.unit.Variant] = true
		}
		if delete(names, ""); len(names) > 1 {
			both[of(group[0])] = sortedKeys(names)
		}
	}
	if len(both) == 0 {
		return groups
	}
	left := map[month][]*candidate{}
	var order []month
	groups = slices.DeleteFunc(groups, func(group []*candidate) bool {
		m := of(group[0])
		if both[m] == nil {
			return false
		}
		if left[m] == nil {
			order = append(order, m)
		}
		left[m] = append(left[m], group...)
		p.leaveOut(group)
		return true
	})
	for _, m := range order {
		p.refuseErr(p.undecidedBecause(left[m], "two exports", "some of these files are "+strings.Join(both[m], " and some ")+
			", and both contain the same costs of "+m.month+", so none of these are loaded; import one of the two exports"))
	}
	return groups
}
