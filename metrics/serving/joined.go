package serving

import (
	"cmp"
	"maps"
	"slices"
)

// join is the model and quantisation of a replica's served name: by the policy, else by rule. A server that names no
// model serves the owner's.
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

// joinedName separates policies of different nodes that join the same name differently.
type joinedName struct {
	served, model string
	by            Join
}

func (k joinedName) compare(o joinedName) int {
	return cmp.Or(cmp.Compare(k.served, o.served), cmp.Compare(k.model, o.model), cmp.Compare(k.by, o.by))
}

// Names lists the counted names of the day with their joined models.
func (d *Day) Names() []Name {
	var out []Name
	for _, k := range slices.SortedFunc(maps.Keys(d.joined), joinedName.compare) {
		out = append(out, d.joined[k])
	}
	return out
}

// Moved reports whether a name that was joined by rule has another model among these models.
func (m *Models) Moved(was Name) bool {
	now := m.Name(was.Served)
	return was.By != ByPolicy &&
		(now.Model != was.Model || now.Version != was.Version || now.By != was.By || !slices.Equal(now.Among, was.Among))
}
