package posting

import (
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/attempt"
	"gpuledger/allocation/fleet"
	"gpuledger/allocation/limit"
	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// scene is the resolved world: the rows to save, and indexes over them for the steps.
type scene struct {
	derived    Derived
	nodes      map[ledger.ID]*ledger.Node
	workloads  map[ledger.ID][]allocation.HeldWorkload // by node
	placements map[ledger.ID][]ledger.Placement        // by node
	attempts   map[ledger.ID][]*ledger.Attempt         // by workload
	managed    map[string][]*ledger.Workload           // without a node, by resource id
	devices    map[ledger.ID][]ledger.Device           // by node
	hosts      map[ledger.ID]allocation.HostSize       // by node
	billedFrom map[string]period.Second                // by instance key, its first compute line
	fleets     map[period.Second]*part.Fleet           // by the end of the time that matters to a delivery
	machines   []fleet.Machine
	ownerRules string // identifies the policy's owner rules; empty: none
}

// derive resolves machines, owners, runs and attempts.
func (r *run) derive(w *World) *scene {
	devices := w.devices()
	machines := fleet.Resolve(fleetInput(w, devices, r.policies.World()), r.policies.World())
	book := newOwnerBook(w.Objects, r.policies, r.findings)
	s := &scene{
		machines: machines, nodes: map[ledger.ID]*ledger.Node{}, hosts: map[ledger.ID]allocation.HostSize{},
		billedFrom: map[string]period.Second{}, fleets: map[period.Second]*part.Fleet{}, ownerRules: r.policies.OwnerRules(),
	}
	for _, b := range w.Billed {
		if from, ok := s.billedFrom[b.InstanceID]; !ok || b.Period.From < from {
			s.billedFrom[b.InstanceID] = b.Period.From
		}
	}
	for i := range machines {
		n := &machines[i].Node
		n.OwnerID = book.node(n, s.appeared(n)).ID
		s.nodes[n.ID] = n
		s.hosts[n.ID] = allocation.HostSize{VCPU: machines[i].VCPU, MemoryMiB: machines[i].MemoryMiB}
		r.sum.GPUs += n.GPUs
		if n.GPUs > 0 {
			r.sum.FleetNodes++
		}
	}

	s.devices = devicesOf(machines, devices)
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
		Namespace: func(cluster, name string) map[string]string { return book.namespaces[[2]string{cluster, name}] },
	}, r.policies.World())

	s.derived = Derived{
		Nodes: fleet.Nodes(machines), Owners: book.all(),
		Workloads: result.Workloads, Runs: result.Runs, Attempts: result.Attempts,
	}
	s.derived.Limits = limit.Texts(limit.World{
		Nodes: s.derived.Nodes, Owners: s.derived.Owners, Workloads: s.derived.Workloads, Runs: s.derived.Runs,
	})
	for _, f := range result.Findings {
		r.findings.add(allocation.Diagnostic{Code: f.Code, Detail: f.Detail})
	}
	s.link(w, index)
	r.sum.Nodes, r.sum.Workloads = len(s.derived.Nodes), len(s.derived.Workloads)
	r.sum.Runs, r.sum.Attempts = len(s.derived.Runs), len(s.derived.Attempts)
	return s
}

// podID identifies a workload in facts.
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
		s.workloads[v.NodeID] = append(s.workloads[v.NodeID], allocation.HeldWorkload{
			Workload: *v, System: f.System, Requests: f.Requests,
		})
	}
	s.placements = map[ledger.ID][]ledger.Placement{}
	for _, p := range w.Placements {
		id := podID{p.Cluster, p.Workload}
		f, node := facts[id], nodes[id]
		if node.IsZero() || p.Node != f.Node && !names(index, p, node) {
			continue // for a node that the workload is not on (rule 4.7)
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

// names reports whether a placement refers to a node by one of its other names.
func names(index *fleet.Index, p ledger.Placement, node ledger.ID) bool {
	m := index.Find(p.Cluster, p.Node, p.From)
	return m != nil && m.ID == node
}

// inMIG reports whether any device of the node was ever in MIG mode.
func (s *scene) inMIG(n *ledger.Node) bool {
	return slices.ContainsFunc(s.devices[n.ID], func(d ledger.Device) bool { return d.InMIG })
}

// attemptsOf lists the attempts of the workloads, without duplicates.
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

// appeared is when a machine was first seen, or first billed if it was never seen.
func (s *scene) appeared(n *ledger.Node) period.Second {
	if !n.Life.Empty() {
		return n.Life.From
	}
	var first period.Second
	for _, key := range n.Keys {
		if from, ok := s.billedFrom[key]; ok && (first == 0 || from < first) {
			first = from
		}
	}
	return first
}
