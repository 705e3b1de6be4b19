package fleet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// InstanceID is the last part of a provider id: the key of the bill.
func InstanceID(providerID string) string {
	return providerID[strings.LastIndexByte(providerID, '/')+1:]
}

// lives groups facts to machines of one name, ordered by their start. Facts
// without a provider id are folded into the machine they most likely speak of.
func lives(facts []ledger.NodeFact) map[Name][]ledger.NodeFact {
	facts = slices.Clone(facts)
	slices.SortFunc(facts, compareFacts)
	byName := map[Name][]ledger.NodeFact{}
	for pass := range 2 { // those that name their instance first
		if pass == 1 {
			sortLives(byName)
		}
		for _, f := range facts {
			if (f.ProviderID == "") != (pass == 1) {
				continue
			}
			key := Name{f.Cluster, f.Name}
			group := byName[key]
			if i := sameMachine(group, f); i >= 0 {
				group[i] = mergeFacts(group[i], f)
			} else {
				group = append(group, f)
			}
			byName[key] = group
		}
	}
	sortLives(byName)
	return byName
}

func sortLives(byName map[Name][]ledger.NodeFact) {
	for _, group := range byName {
		slices.SortFunc(group, func(a, b ledger.NodeFact) int {
			return cmp.Or(cmp.Compare(start(a), start(b)), cmp.Compare(a.ProviderID, b.ProviderID))
		})
	}
}

// sameMachine finds the machine of group that f speaks of, -1 when it is new.
func sameMachine(group []ledger.NodeFact, f ledger.NodeFact) int {
	if f.ProviderID != "" {
		return slices.IndexFunc(group, func(g ledger.NodeFact) bool {
			return InstanceID(g.ProviderID) == InstanceID(f.ProviderID)
		})
	}
	at := cmp.Or(f.FirstSeen, f.LastSeen, period.FromMillis(f.AttrsAt))
	if at == 0 { // only a creation: of the first machine that was seen after it
		at = f.Created
		for i, g := range group {
			if start(g) >= at {
				return i
			}
		}
	}
	best := -1
	for i, g := range group { // the latest that had started, else the earliest
		switch {
		case best < 0,
			start(g) <= at && (start(g) > start(group[best]) || start(group[best]) > at),
			start(g) > at && start(group[best]) > at && start(g) < start(group[best]):
			best = i
		}
	}
	return best
}

func start(f ledger.NodeFact) period.Second { return cmp.Or(f.Created, f.FirstSeen) }

func compareFacts(a, b ledger.NodeFact) int {
	return cmp.Or(
		cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ProviderID, b.ProviderID),
		cmp.Compare(a.AttrsAt, b.AttrsAt), cmp.Compare(a.FirstSeen, b.FirstSeen), cmp.Compare(a.Created, b.Created),
		cmp.Compare(a.LastSeen, b.LastSeen), cmp.Compare(text(a.Labels), text(b.Labels)),
	)
}

func text(labels map[string]string) string {
	var s strings.Builder
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		s.WriteString(k + "\x00" + labels[k] + "\x00")
	}
	return s.String()
}

// mergeFacts joins two facts of one machine: earliest start, latest end, and
// of attributes those of the newer sample, kept where the newer has none.
func mergeFacts(a, b ledger.NodeFact) ledger.NodeFact {
	older, newer := a, b
	if compareAttrs(a, b) > 0 {
		older, newer = b, a
	}
	m := newer
	m.ProviderID = cmp.Or(newer.ProviderID, older.ProviderID)
	if len(m.Labels) == 0 {
		m.Labels = older.Labels
	}
	if len(m.Capacity) == 0 {
		m.Capacity = older.Capacity
	}
	m.Created = earliest(a.Created, b.Created)
	m.FirstSeen = earliest(a.FirstSeen, b.FirstSeen)
	m.LastSeen = max(a.LastSeen, b.LastSeen)
	return m
}

func compareAttrs(a, b ledger.NodeFact) int {
	return cmp.Or(cmp.Compare(a.AttrsAt, b.AttrsAt), cmp.Compare(text(a.Labels), text(b.Labels)), compareFacts(a, b))
}

// earliest returns the smaller known second; zero is not known.
func earliest(a, b period.Second) period.Second {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
