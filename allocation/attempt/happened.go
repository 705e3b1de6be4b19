package attempt

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
)

// happenings finds the events of a workload or its owner.
type happenings struct {
	byUID  map[[2]string][]ledger.WorkloadEvent // cluster, uid
	byName map[objectKey][]ledger.WorkloadEvent
}

func newHappenings(events []ledger.WorkloadEvent, tree objects) happenings {
	h := happenings{map[[2]string][]ledger.WorkloadEvent{}, map[objectKey][]ledger.WorkloadEvent{}}
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b ledger.WorkloadEvent) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.What, b.What), cmp.Compare(b.Reason, a.Reason))
	})
	for _, e := range events {
		if e.UID != "" {
			key := [2]string{e.Cluster, e.UID}
			h.byUID[key] = append(h.byUID[key], e)
			continue
		}
		key := objectKey{e.Cluster, e.Kind, e.Namespace, e.Name}
		if o := tree.find(e.Cluster, e.Kind, e.Namespace, e.Name, e.At); e.Kind == "Workload" && o != nil &&
			o.OwnerKind != "" {
			key.kind, key.name = o.OwnerKind, o.OwnerName // Kueue's Workload represents the object that it admits
		}
		h.byName[key] = append(h.byName[key], e)
	}
	return h
}

// of lists the events of a pod, of its owner and of its root, by time.
func (h happenings) of(p *pod) []ledger.WorkloadEvent {
	if len(h.byUID) == 0 && len(h.byName) == 0 {
		return nil
	}
	out := slices.Clone(h.byUID[[2]string{p.Cluster, p.UID}])
	names := []objectKey{
		{p.Cluster, "Pod", p.Namespace, p.Name}, {p.Cluster, p.OwnerKind, p.Namespace, p.OwnerName},
		{p.Cluster, p.root.kind, p.Namespace, p.root.name},
	}
	if p.root.job != nil {
		names = append(names, objectKey{p.Cluster, "Job", p.Namespace, p.root.job.Name})
	}
	for i, key := range names {
		if !slices.Contains(names[:i], key) {
			out = append(out, h.byName[key]...)
		}
	}
	slices.SortStableFunc(out, func(a, b ledger.WorkloadEvent) int { return cmp.Compare(a.At, b.At) })
	return out
}
