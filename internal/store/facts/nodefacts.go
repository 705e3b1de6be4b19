package facts

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/posting"
)

// instanceID is the machine's id at its cloud: the last part of a provider id.
func instanceID(providerID string) string {
	for i := len(providerID) - 1; i >= 0; i-- {
		if providerID[i] == '/' {
			return providerID[i+1:]
		}
	}
	return providerID
}

// ReadNodeFacts adds the facts about machines to a world.
func ReadNodeFacts(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	var facts []nodeFact
	err := nodeRow.Read(ctx, tx, func(n nodeFact) { facts = append(facts, n) })
	for _, f := range foldNames(facts) {
		w.Nodes = append(w.Nodes, f.fact())
	}
	return err
}

// ReadWorkloads adds the facts about workloads to a world.
func ReadWorkloads(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return workloadRow.Read(ctx, tx, func(p workloadFact) { w.Pods = append(w.Pods, p.Fact()) })
}

// ReadObjects adds the facts about other objects to a world.
func ReadObjects(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return objectRow.Read(ctx, tx, func(o objectFact) { w.Objects = append(w.Objects, o.Fact()) })
}

// ReadSegments adds the segments of attempts to a world.
func ReadSegments(ctx context.Context, tx pgx.Tx, w *posting.World) error {
	return segmentRow.Read(ctx, tx, func(s segmentFact) { w.Segments = append(w.Segments, s.fact()) })
}

// foldNames merges each fact that has only a name into one machine of that name: the last one seen before it, otherwise
// the first one. facts are ordered by cluster, name, instance, so a fact with only a name leads its group.
func foldNames(facts []nodeFact) []nodeFact {
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
			slices.SortStableFunc(machines, func(a, b nodeFact) int { return cmp.Compare(a.FirstSeen, b.FirstSeen) })
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
