package fleet

import (
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
)

// billedAs is the bill's entry for the first of the node's keys that the bill names.
func (r *resolver) billedAs(n *ledger.Node) Billed {
	for _, key := range n.Keys {
		if b, ok := r.billed[key]; ok {
			return b
		}
	}
	return Billed{}
}

// billedOnly makes machines of bill entries that match no other machine and have GPUs in the catalogue. A Google number
// that may belong to machines known only by name becomes a candidate of theirs instead (rule 8.5).
func (r *resolver) billedOnly(all []Machine) []Machine {
	known, lines := map[string]bool{}, map[ledger.ID]bool{}
	for i := range all {
		for _, key := range all[i].Keys {
			known[key] = true
			if b, ok := r.billed[key]; ok {
				lines[b.Line] = true
			}
		}
		for _, name := range ledger.BilledClusters(&all[i].Node) {
			known[name] = true
		}
	}
	nameless := numberless(all)
	var out []Machine
	for _, key := range slices.Sorted(maps.Keys(r.billed)) {
		b := r.billed[key]
		if known[key] || ledger.PoolKey(key) || !b.Line.IsZero() && lines[b.Line] {
			continue // another key of a machine that exists already
		}
		if found := candidates(nameless, key, b); len(found) > 0 {
			for _, m := range found {
				m.Candidates = append(m.Candidates, key)
			}
			continue
		}
		if it, ok := catalog.LookupAt(providerOfKey(key), b.InstanceType); ok && it.Slots() > 0 {
			out = append(out, r.billedMachine(key))
			lines[b.Line] = true
		}
	}
	for _, m := range nameless {
		slices.Sort(m.Candidates)
	}
	return out
}

func (r *resolver) billedMachine(key string) Machine {
	m := Machine{Node: ledger.Node{ID: ledger.NodeID("", "", key), Name: key, InstanceID: key, Keys: []string{key}}}
	// A machine of a cluster keeps its identity once the cluster is observed.
	if rest, node := strings.CutPrefix(key, "node/"); node {
		if cluster, name, ok := strings.Cut(rest, "/"); ok {
			m.Node = ledger.Node{ID: ledger.NodeID(cluster, name, ""), Cluster: cluster, Name: name, Keys: []string{key}}
		}
	}
	r.describe(&m.Node, ledger.NodeFact{}, nil)
	return m
}

// providerOfKey is the catalogue's name of the provider that writes such keys.
func providerOfKey(key string) string {
	switch {
	case strings.HasPrefix(key, "gce/"), strings.HasPrefix(key, "gce-region/"):
		return "gcp"
	case strings.HasPrefix(key, "/subscriptions/"):
		return "azure"
	case strings.HasPrefix(key, "i-"):
		return "aws"
	}
	return ""
}

// numberless lists the Google machines of the fleet that are known only by name.
func numberless(all []Machine) []*Machine {
	var out []*Machine
	for i := range all {
		m := &all[i]
		if m.GPUs > 0 && strings.HasPrefix(m.ProviderID, "gce://") && strings.Count(m.InstanceID, "/") == 3 {
			out = append(out, m)
		}
	}
	return out
}

// candidates are the machines that may have a Google number in the bill: same project, zone and type, as far as the
// bill has them, and up at some time while it was billed.
func candidates(nameless []*Machine, key string, b Billed) []*Machine {
	if number, google := strings.CutPrefix(key, "gce/"); !google || strings.Contains(number, "/") {
		return nil
	}
	agree := func(machine, billed string) bool {
		return machine == "" || billed == "" || strings.EqualFold(machine, billed)
	}
	var out []*Machine
	for _, m := range nameless {
		if accountOf(m.ProviderID) == b.Account && agree(zoneOf(m.ProviderID), b.Zone) &&
			agree(m.InstanceType, b.InstanceType) &&
			m.Life.Overlaps(b.Period) {
			out = append(out, m)
		}
	}
	return out
}
