package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/jobs"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// instanceID is the cloud's name of the machine: the last part of a provider id.
func instanceID(providerID string) string {
	for i := len(providerID) - 1; i >= 0; i-- {
		if providerID[i] == '/' {
			return providerID[i+1:]
		}
	}
	return providerID
}

// mergeNode merges two facts of one node. It is commutative, associative and
// idempotent (package ledger, NodeFact).
func mergeNode(a, b ledger.NodeFact) ledger.NodeFact {
	if c := cmp.Or(cmp.Compare(a.AttrsAt, b.AttrsAt), compareText(a.Labels, b.Labels), compareText(a.Capacity, b.Capacity)); c < 0 {
		a.Labels, a.Capacity, a.AttrsAt = b.Labels, b.Capacity, b.AttrsAt
	}
	a.ProviderID = max(a.ProviderID, b.ProviderID)
	a.Created = earliest(a.Created, b.Created)
	a.FirstSeen = earliest(a.FirstSeen, b.FirstSeen)
	a.LastSeen = max(a.LastSeen, b.LastSeen)
	return a
}

// earliest is the smaller of the known ones; 0 is unknown.
func earliest(a, b period.Second) period.Second {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// compareText compares maps by their canonical text.
func compareText[V cmp.Ordered](a, b map[string]V) int {
	ka, kb := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))
	for i := range min(len(ka), len(kb)) {
		if c := cmp.Or(cmp.Compare(ka[i], kb[i]), cmp.Compare(a[ka[i]], b[kb[i]])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(ka), len(kb))
}

func scanNodeFact(rows pgx.Rows) (n ledger.NodeFact, err error) {
	var instance string // a key of the table, derived from the provider id
	err = rows.Scan(&n.Cluster, &n.Name, &instance, &n.ProviderID, &n.Labels, &n.Capacity, &n.Created, &n.FirstSeen, &n.LastSeen, &n.AttrsAt)
	return n, err
}

func readNodeFacts(ctx context.Context, tx pgx.Tx, w *jobs.World) error {
	err := query(ctx, tx, "world.node_facts", func(rows pgx.Rows) error {
		n, err := scanNodeFact(rows)
		w.Nodes = append(w.Nodes, n)
		return err
	}, tenant)
	w.Nodes = foldNames(w.Nodes)
	return err
}

// foldNames merges each fact that came with a name only into the machine of
// that name: the one that was seen last before it, else the first one. facts
// are ordered by cluster, name, instance, so that a name-only fact leads its
// group.
func foldNames(facts []ledger.NodeFact) []ledger.NodeFact {
	folded := facts[:0]
	for i := 0; i < len(facts); {
		end := i + 1
		for end < len(facts) && facts[end].Cluster == facts[i].Cluster && facts[end].Name == facts[i].Name {
			end++
		}
		group := facts[i:end]
		i = end
		if len(group) > 1 && group[0].ProviderID == "" {
			lone, machines := group[0], group[1:]
			slices.SortStableFunc(machines, func(a, b ledger.NodeFact) int { return cmp.Compare(a.FirstSeen, b.FirstSeen) })
			best := 0
			for k := range machines {
				if machines[k].FirstSeen <= max(lone.FirstSeen, lone.Created) {
					best = k
				}
			}
			machines[best] = mergeNode(machines[best], lone)
			group = machines
		}
		folded = append(folded, group...)
	}
	return folded
}
