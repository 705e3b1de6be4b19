package jobs

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/attempt"
	"gpuledger/allocation/fleet"
	"gpuledger/allocation/owner"
	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// scene is the resolved world: what is saved, and how the steps find their way
// in it.
type scene struct {
	derived    Derived
	nodes      map[ledger.ID]*ledger.Node
	workloads  map[ledger.ID][]allocation.HeldWorkload // by node
	placements map[ledger.ID][]ledger.Placement        // by node
	attempts   map[ledger.ID][]*ledger.Attempt         // by workload
	managed    map[string][]*ledger.Workload           // on no node, by resource id
	devices    map[ledger.ID][]ledger.Device           // by node
	hosts      map[ledger.ID]allocation.HostSize       // by node
	billedFrom map[string]period.Second                // by instance key, its first compute line
	fleets     map[period.Second]*part.Fleet           // by the end of what matters to a delivery
}

// derive resolves machines, owners, runs and attempts.
func (r *run) derive(w *World, onlyAccount string) *scene {
	machines := fleet.Resolve(fleetInput(w, onlyAccount), r.policies.World())
	book := newOwnerBook(w.Objects, r.findings)
	s := &scene{nodes: map[ledger.ID]*ledger.Node{}, hosts: map[ledger.ID]allocation.HostSize{}, billedFrom: map[string]period.Second{}, fleets: map[period.Second]*part.Fleet{}}
	for i := range machines {
		n := &machines[i].Node
		n.OwnerID = book.node(n).ID
		s.nodes[n.ID] = n
		s.hosts[n.ID] = allocation.HostSize{VCPU: machines[i].VCPU, MemoryMiB: machines[i].MemoryMiB}
		r.sum.GPUs += n.GPUs
		if n.GPUs > 0 {
			r.sum.FleetNodes++
		}
	}
	for _, b := range w.Billed {
		if from, ok := s.billedFrom[b.InstanceID]; !ok || b.Period.From < from {
			s.billedFrom[b.InstanceID] = b.Period.From
		}
	}

	s.devices = devicesOf(machines, w.Devices)
	index := fleet.NewIndex(machines)
	result := attempt.Build(attempt.Input{
		Pods: w.Pods, Objects: w.Objects, Checkpoints: w.Checkpoints, Placements: w.Placements, Segments: w.Segments,
		Happened: w.WorkloadEvents, Events: w.Events, Sources: w.Sources,
		Node: func(cluster, name string, at period.Second) (attempt.Node, bool) {
			m := index.Find(cluster, name, at)
			if m == nil {
				return attempt.Node{}, false
			}
			return attempt.Node{ID: m.ID, Keys: m.Keys, Life: m.Life, Gone: m.Gone, GPUs: m.GPUs, PriceClass: m.PriceClass}, true
		},
		Owner: func(p *ledger.WorkloadFact, root map[string]string, node ledger.ID) ledger.Owner {
			return book.pod(p, root, s.nodes[node])
		},
	}, r.policies.World())

	s.derived = Derived{
		Nodes: fleet.Nodes(machines), Owners: book.all(), Workloads: result.Workloads, Runs: result.Runs, Attempts: result.Attempts,
	}
	for _, f := range result.Findings {
		r.findings.add(allocation.Diagnostic{Code: f.Code, Detail: f.Detail})
	}
	s.link(w, index)
	r.sum.Nodes, r.sum.Workloads = len(s.derived.Nodes), len(s.derived.Workloads)
	r.sum.Runs, r.sum.Attempts = len(s.derived.Runs), len(s.derived.Attempts)
	return s
}

// podID is what facts name a workload by.
type podID struct{ cluster, uid string }

// link indexes workloads and their placements by node, and attempts by workload.
func (s *scene) link(w *World, index *fleet.Index) {
	facts := make(map[podID]*ledger.WorkloadFact, len(w.Pods))
	for i := range w.Pods {
		facts[podID{w.Pods[i].Cluster, w.Pods[i].UID}] = &w.Pods[i]
	}
	s.workloads, s.managed = map[ledger.ID][]allocation.HeldWorkload{}, map[string][]*ledger.Workload{}
	nodes := make(map[podID]ledger.ID, len(s.derived.Workloads))
	for i := range s.derived.Workloads {
		v := &s.derived.Workloads[i]
		id := podID{v.Cluster, v.UID}
		if v.NodeID.IsZero() {
			s.manage(v)
			continue
		}
		nodes[id] = v.NodeID
		f := facts[id]
		s.workloads[v.NodeID] = append(s.workloads[v.NodeID], allocation.HeldWorkload{Workload: *v, System: f.System, Requests: f.Requests})
	}
	s.placements = map[ledger.ID][]ledger.Placement{}
	for _, p := range w.Placements {
		id := podID{p.Cluster, p.Workload}
		f, node := facts[id], nodes[id]
		if node.IsZero() || p.Node != f.Node && !names(index, p, node) {
			continue // of a node that the workload is not on (rule 4.7)
		}
		s.placements[node] = append(s.placements[node], p)
	}
	s.attempts = map[ledger.ID][]*ledger.Attempt{}
	for i := range s.derived.Attempts {
		a := &s.derived.Attempts[i]
		for _, g := range a.Segments {
			if list := s.attempts[g.Workload]; len(list) == 0 || list[len(list)-1] != a {
				s.attempts[g.Workload] = append(list, a)
			}
		}
	}
}

// names reports whether a placement names a node by another of its names.
func names(index *fleet.Index, p ledger.Placement, node ledger.ID) bool {
	m := index.Find(p.Cluster, p.Node, p.From)
	return m != nil && m.ID == node
}

// inMIG reports whether any device of the node was ever cut into slices.
func (s *scene) inMIG(n *ledger.Node) bool {
	return slices.ContainsFunc(s.devices[n.ID], func(d ledger.Device) bool { return d.InMIG })
}

// attemptsOf lists, once each, the attempts that any of the workloads served.
func (s *scene) attemptsOf(workloads []allocation.HeldWorkload) []ledger.Attempt {
	seen := map[ledger.ID]bool{}
	var out []ledger.Attempt
	for i := range workloads {
		for _, a := range s.attempts[workloads[i].ID] {
			if !seen[a.ID] {
				seen[a.ID] = true
				out = append(out, *a)
			}
		}
	}
	return out
}

// ownerBook resolves owners and remembers each once.
type ownerBook struct {
	namespaces map[[2]string]map[string]string // (cluster, namespace) → labels
	owners     map[ledger.ID]ledger.Owner
	fresh      []ledger.Owner // since the last take
	findings   findings
}

func newOwnerBook(objects []ledger.ObjectFact, f findings) *ownerBook {
	b := &ownerBook{namespaces: map[[2]string]map[string]string{}, owners: map[ledger.ID]ledger.Owner{}, findings: f}
	newest := map[[2]string]int64{}
	for _, o := range objects {
		key := [2]string{o.Cluster, o.Name}
		if o.Kind != "Namespace" || len(o.Labels) == 0 {
			continue
		}
		// The newest labels count; the store lists objects in a fixed order.
		if _, known := b.namespaces[key]; !known || o.AttrsAt > newest[key] {
			b.namespaces[key], newest[key] = o.Labels, o.AttrsAt
		}
	}
	return b
}

func (b *ownerBook) resolve(what string, l owner.Labels) ledger.Owner {
	o, conflicts := owner.Resolve(l)
	for _, c := range conflicts {
		b.findings.add(allocation.Diagnostic{Code: "owner_conflict", Detail: fmt.Sprintf("%s: %s says %q for %s, %q taken", what, c.Layer, c.Values, c.Dimension, c.Values[0])})
	}
	if _, known := b.owners[o.ID]; !known {
		b.owners[o.ID] = o
		b.fresh = append(b.fresh, o)
	}
	return o
}

func (b *ownerBook) pod(p *ledger.WorkloadFact, root map[string]string, node *ledger.Node) ledger.Owner {
	l := owner.Labels{Pod: p.Labels, Root: root, Namespace: b.namespaces[[2]string{p.Cluster, p.Namespace}]}
	if node != nil {
		l.Node, l.Tags = node.Labels, node.Tags
	}
	return b.resolve("pod "+p.Namespace+"/"+p.Name, l)
}

func (b *ownerBook) node(n *ledger.Node) ledger.Owner {
	return b.resolve("node "+n.Name, owner.Labels{Node: n.Labels, Tags: n.Tags})
}

// share resolves the owner of a share of a charge that no usage receives.
func (b *ownerBook) share(n *ledger.Node, tags map[string]string) ledger.ID {
	l := owner.Labels{Tags: tags}
	if n != nil {
		l.Node = n.Labels
	}
	return b.resolve("billing tags", l).ID
}

// all lists every owner so far, by id.
func (b *ownerBook) all() []ledger.Owner {
	b.fresh = nil
	return slices.SortedFunc(maps.Values(b.owners), func(x, y ledger.Owner) int { return bytes.Compare(x.ID[:], y.ID[:]) })
}

// take lists the owners that came since all or take.
func (b *ownerBook) take() []ledger.Owner {
	out := b.fresh
	b.fresh = nil
	slices.SortFunc(out, func(x, y ledger.Owner) int { return bytes.Compare(x.ID[:], y.ID[:]) })
	return out
}
