package fleet

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Index finds machines by the names that clusters use.
type Index struct{ byName map[Name][]*Machine }

// NewIndex indexes machines; they must outlive the index.
func NewIndex(machines []Machine) *Index {
	x := &Index{byName: map[Name][]*Machine{}}
	for i := range machines {
		m := &machines[i]
		if m.Cluster == "" && m.Life.Empty() {
			continue // only billed: its name in a cluster is unknown
		}
		key := Name{m.Cluster, m.Name}
		x.byName[key] = append(x.byName[key], m)
	}
	for _, group := range x.byName {
		slices.SortFunc(group, func(a, b *Machine) int {
			return cmp.Or(cmp.Compare(a.Life.From, b.Life.From), cmp.Compare(a.InstanceID, b.InstanceID))
		})
	}
	return x
}

// Find returns the machine that had the name at an instant: the latest that had appeared by then, else the first; nil
// if the name is unknown.
func (x *Index) Find(cluster, node string, at period.Second) *Machine {
	group := x.byName[Name{cluster, node}]
	if len(group) == 0 {
		return nil
	}
	found := group[0]
	for _, m := range group[1:] {
		if m.Life.From <= at {
			found = m
		}
	}
	return found
}

// Nodes returns the ledger nodes of machines, in their order.
func Nodes(machines []Machine) []ledger.Node {
	out := make([]ledger.Node, len(machines))
	for i := range machines {
		out[i] = machines[i].Node
	}
	return out
}
