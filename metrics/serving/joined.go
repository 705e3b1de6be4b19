package serving

import (
	"cmp"
	"maps"
	"slices"
)

// join is the model, and the quantisation of it, that a replica's served name
// stands for: what the policy says, else what the rule finds. A server that
// names none serves the owner's.
func (d *Day) join(r *Replica, served string) (model, version string) {
	if served == "" {
		return r.OwnerModel, ""
	}
	n, ok := d.names[served]
	if !ok {
		n = d.models.Name(served)
		d.names[served] = n
	}
	if mapped, ok := r.Policy.Model(served); ok {
		n = Name{Served: served, Model: mapped, Version: Quantisation(served, mapped), By: ByPolicy}
	}
	d.joined[joinedName{served, n.Model, n.By}] = n
	return n.Model, n.Version
}

// joinedName tells apart what policies of different nodes make of one name.
type joinedName struct {
	served, model string
	by            Join
}

func (k joinedName) compare(o joinedName) int {
	return cmp.Or(cmp.Compare(k.served, o.served), cmp.Compare(k.model, o.model), cmp.Compare(k.by, o.by))
}

// Names lists what counted on the day and the models that it joined.
func (d *Day) Names() []Name {
	var out []Name
	for _, k := range slices.SortedFunc(maps.Keys(d.joined), joinedName.compare) {
		out = append(out, d.joined[k])
	}
	return out
}

// Moved reports whether a name that was joined by rule stands for something
// else with these models.
func (m *Models) Moved(was Name) bool {
	now := m.Name(was.Served)
	return was.By != ByPolicy &&
		(now.Model != was.Model || now.Version != was.Version || now.By != was.By || !slices.Equal(now.Among, was.Among))
}
