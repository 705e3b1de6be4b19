package series

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Google gives the name of a deleted machine to another one. The provider id is then the same.
// Only the number in the node's annotation container.googleapis.com/instance_id, by which the
// machine is billed, distinguishes the two (docs/rules.md 2.1).

// googleNodes holds facts about the identity of Google machines, by node.
type googleNodes map[nodeKey]*googleNode

type googleNode struct {
	names   map[string]*stretch // provider ids
	numbers map[string]*stretch
	age     uint32 // last use: see Age
}

// machine is one that had a node's name, and when it was seen.
type machine struct {
	providerID string
	stretch
}

// see records a sample of kube_node_info or kube_node_annotations.
func (g googleNodes) see(k nodeKey, w nodeWord, ms int64, age uint32) {
	if w.field == nodeInfo && !strings.HasPrefix(w.text, "gce://") {
		return
	}
	n := g[k]
	if n == nil {
		n = &googleNode{names: map[string]*stretch{}, numbers: map[string]*stretch{}}
		g[k] = n
	}
	n.age = age
	said := n.names
	if w.field == nodeInstance {
		said = n.numbers
	}
	if said[w.text] == nil {
		said[w.text] = &stretch{}
	}
	said[w.text].add(ms)
}

// split distinguishes the machines of one provider id by their numbers. The first one begins,
// and the last one ends, with the samples of the name.
func (n *googleNode) split(m machine) []machine {
	if n == nil || !strings.HasPrefix(m.providerID, "gce://") || len(n.numbers) == 0 {
		return []machine{m}
	}
	all := slices.SortedFunc(maps.Keys(n.numbers), func(a, b string) int {
		return cmp.Or(cmp.Compare(n.numbers[a].first, n.numbers[b].first), cmp.Compare(a, b))
	})
	// Those seen with the name, else the last one before, else the first one.
	during := all[:0:0]
	nearest := all[0]
	for _, id := range all {
		s := n.numbers[id]
		if s.first <= m.last {
			nearest = id
			if s.last >= m.first {
				during = append(during, id)
			}
		}
	}
	if len(during) == 0 {
		during = append(during, nearest)
	}
	out := make([]machine, len(during))
	for i, id := range during {
		s := *n.numbers[id]
		if i == 0 {
			s.first = m.first
		}
		if i == len(during)-1 {
			s.last = m.last
		}
		out[i] = machine{ledger.GoogleProviderID(m.providerID, id), s}
	}
	return out
}

// numbered are the machines whose number was seen again after an earlier flush emitted their
// name.
func (n *googleNode) numbered(state *nodeState) []machine {
	if n == nil || len(n.names) != 1 {
		return nil
	}
	name := slices.Collect(maps.Keys(n.names))[0]
	var out []machine
	for w, v := range state.said {
		if w.field == nodeInstance {
			out = append(out, machine{ledger.GoogleProviderID(name, w.text), v.stretch})
		}
	}
	return out
}

// digits reports whether s has the form of a Google machine's number.
func digits(s string) bool {
	return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == ""
}
