package fleet

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// instanceID is the unique key of a fact's machine, empty if no provider names it.
func instanceID(f ledger.NodeFact) string {
	if keys := ledger.InstanceKeys(f.Cluster, f.Name, f.ProviderID, ""); len(keys) > 1 {
		return keys[0]
	}
	return ""
}

// numericID is the folded label key for a node's annotation with the number of its Google instance.
const numericID = "containergoogleapiscominstanceid"

// How precisely a fact identifies its machine.
const (
	exactly  = iota
	byName   // a Google machine without its number: names are reused
	notAtAll // no provider id
)

func precision(f ledger.NodeFact) int {
	switch _, numeric := ledger.GoogleNumeric(f.ProviderID); {
	case instanceID(f) == "":
		return notAtAll
	case strings.HasPrefix(f.ProviderID, "gce://") && numeric == "":
		return byName
	}
	return exactly
}

// lives groups facts by the machines of one name, ordered by their start. Facts that do not identify their machine
// exactly are merged into the most likely one.
func lives(facts []ledger.NodeFact) map[Name][]ledger.NodeFact {
	facts = slices.Clone(facts)
	for i := range facts {
		facts[i].ProviderID = ledger.GoogleProviderID(facts[i].ProviderID, ledger.Label(facts[i].Labels, numericID))
	}
	slices.SortFunc(facts, compareFacts)
	byName := map[Name][]ledger.NodeFact{}
	for pass := exactly; pass <= notAtAll; pass++ {
		sortLives(byName)
		for _, f := range facts {
			if precision(f) != pass {
				continue
			}
			key := Name{f.Cluster, f.Name}
			for _, f := range ends(f) {
				group := byName[key]
				if i := sameMachine(group, f); i >= 0 {
					group[i] = mergeFacts(group[i], f)
				} else {
					group = append(group, f)
				}
				byName[key] = group
			}
		}
	}
	sortLives(byName)
	return byName
}

// ends splits a fact of a name that several machines may have had: its start belongs to one of them, its end may belong
// to another.
func ends(f ledger.NodeFact) []ledger.NodeFact {
	if precision(f) != byName || f.FirstSeen == 0 || f.FirstSeen == f.LastSeen {
		return []ledger.NodeFact{f}
	}
	first, last := f, f
	first.LastSeen = f.FirstSeen
	last.FirstSeen, last.Created = f.LastSeen, 0
	return []ledger.NodeFact{first, last}
}

func sortLives(byName map[Name][]ledger.NodeFact) {
	for _, group := range byName {
		slices.SortFunc(group, func(a, b ledger.NodeFact) int {
			return cmp.Or(cmp.Compare(start(a), start(b)), cmp.Compare(a.ProviderID, b.ProviderID))
		})
	}
}

// sameMachine finds the machine of group that f describes, -1 if it is new.
func sameMachine(group []ledger.NodeFact, f ledger.NodeFact) int {
	speaksOf := func(ledger.NodeFact) bool { return true }
	switch precision(f) {
	case exactly:
		return slices.IndexFunc(group, func(g ledger.NodeFact) bool { return instanceID(g) == instanceID(f) })
	case byName:
		speaksOf = func(g ledger.NodeFact) bool {
			name, _ := ledger.GoogleNumeric(g.ProviderID)
			return name == f.ProviderID
		}
	}
	at := cmp.Or(f.FirstSeen, f.LastSeen, period.FromMillis(ledger.AttrsTime(f.AttrsAt)))
	if at == 0 { // only a creation: it belongs to the first machine seen after it
		at = f.Created
		for i, g := range group {
			if start(g) >= at && speaksOf(g) {
				return i
			}
		}
	}
	best := -1
	for i, g := range group { // the latest that had started by then, else the earliest
		switch {
		case !speaksOf(g):
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

// mergeFacts joins two facts of one machine: earliest start, latest end, and the attributes of the newer sample,
// completed from the older.
func mergeFacts(a, b ledger.NodeFact) ledger.NodeFact {
	older, newer := a, b
	if compareAttrs(a, b) > 0 {
		older, newer = b, a
	}
	m := newer
	if m.ProviderID = newer.ProviderID; precision(older) < precision(newer) {
		m.ProviderID = older.ProviderID
	}
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

// earliest returns the smaller known second; zero is unknown.
func earliest(a, b period.Second) period.Second {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
