package attempt

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Build derives workloads, runs and attempts. Pods that neither ask for a GPU
// nor sit on a machine with GPUs are left out, unless their run has such a pod.
func Build(in Input, pol policy.Policy) Result {
	pods := resolvePods(in, pol)
	saved := checkpointsByPod(in.Checkpoints)

	var out Result
	owners := map[ledger.ID]ledger.Owner{}
	for _, group := range runsOf(pods, pol) {
		if !slices.ContainsFunc(group.pods, (*pod).matters) {
			for _, p := range group.pods {
				p.run = ""
			}
			continue
		}
		run, attempts := group.build(saved, pol)
		out.Runs = append(out.Runs, run)
		out.Attempts = append(out.Attempts, attempts...)
	}
	for _, p := range pods {
		if p.matters() || p.run != "" {
			out.Workloads = append(out.Workloads, p.workload())
			owners[p.owner.ID] = p.owner
		}
	}
	slices.SortFunc(out.Workloads, func(a, b ledger.Workload) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.UID, b.UID))
	})
	slices.SortFunc(out.Runs, func(a, b ledger.Run) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(out.Attempts, func(a, b ledger.Attempt) int {
		return cmp.Or(cmp.Compare(a.RunID, b.RunID), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Number, b.Number))
	})
	out.Owners = slices.SortedFunc(maps.Values(owners), func(a, b ledger.Owner) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return out
}

// resolvePods works out everything that follows from one pod alone, in the
// order (cluster, uid).
func resolvePods(in Input, pol policy.Policy) []*pod {
	tree, world := newObjects(in.Objects), newSurroundings(in, pol)
	facts := slices.Clone(in.Pods)
	slices.SortFunc(facts, func(a, b ledger.WorkloadFact) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.UID, b.UID))
	})
	pods := make([]*pod, 0, len(facts))
	for i := range facts {
		p := &pod{WorkloadFact: &facts[i], id: ledger.NewID("workload", facts[i].Cluster, facts[i].UID)}
		at := cmp.Or(p.Scheduled, p.Started, p.Created, p.FirstSeen)
		if p.placed = p.Node != ""; p.placed {
			p.node, _ = in.Node(p.Cluster, p.Node, at) // a name no machine is known for holds on the zero node
		}
		p.hold = hold(p.WorkloadFact, p.node, p.placed, pol)
		p.root = tree.rootOf(p.WorkloadFact, cmp.Or(p.Created, at))
		p.class = classOf(p.root.kind, p.Labels, p.root.labels)
		p.outcome, p.reason = world.outcome(p)
		p.runID = cmp.Or(ledger.Label(p.Labels, "gpuledgeriorunid"), ledger.Label(p.root.labels, "gpuledgeriorunid"))
		p.owner = in.Owner(p.WorkloadFact, p.root.labels, p.node.ID)
		pods = append(pods, p)
	}
	return pods
}

// matters reports whether the pod can have anything to do with a GPU.
func (p *pod) matters() bool { return p.wantsGPU() || p.node.GPUs > 0 }

func (p *pod) workload() ledger.Workload {
	w := ledger.Workload{
		ID: p.id, Cluster: p.Cluster, Namespace: p.Namespace, Name: p.Name, UID: p.UID,
		Kind: p.root.kind, OwnerName: p.root.name, Class: p.class,
		NodeID: p.node.ID, Hold: p.hold, Outcome: p.outcome, Reason: p.reason, RunID: p.run, OwnerID: p.owner.ID,
	}
	if p.class == ledger.ClassService {
		w.Service = p.root.name
	}
	return w
}

type podKey struct{ cluster, namespace, name string }

// checkpointsByPod lists each pod's distinct checkpoints, ascending.
func checkpointsByPod(all []ledger.Checkpoint) map[podKey][]period.Second {
	byPod := map[podKey][]period.Second{}
	for _, c := range all {
		key := podKey{c.Cluster, c.Namespace, c.Pod}
		byPod[key] = append(byPod[key], c.At)
	}
	for key, times := range byPod {
		slices.Sort(times)
		byPod[key] = slices.Compact(times)
	}
	return byPod
}
