package posting

import (
	"cmp"
	"slices"

	"gpuledger/allocation/attempt"
	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// devicesOf gives each node the devices known under its name during its life.
func devicesOf(machines []fleet.Machine, known map[ClusterNode][]ledger.Device) map[ledger.ID][]ledger.Device {
	out := map[ledger.ID][]ledger.Device{}
	for i := range machines {
		m := &machines[i]
		for _, d := range known[ClusterNode{m.Cluster, m.Name}] {
			if m.Life.Overlaps(period.Interval{From: d.First, To: d.Last + period.Hour}) {
				d.NodeID = m.ID
				out[m.ID] = append(out[m.ID], d)
			}
		}
	}
	return out
}

// devices are the cards under every node's name (rules 2.4 and 3.1). Rows of the machine itself do not belong to a
// card.
func (w *World) devices() map[ClusterNode][]ledger.Device {
	out := make(map[ClusterNode][]ledger.Device, len(w.Devices))
	for n, seen := range w.Devices {
		out[n] = fleet.Join(slices.DeleteFunc(slices.Clone(seen),
			func(d ledger.Device) bool { return d.UUID == ledger.HostDevice }), w.Said[n])
	}
	for n, said := range w.Said {
		if _, seen := w.Devices[n]; !seen {
			out[n] = fleet.Join(nil, said)
		}
	}
	return out
}

func fleetInput(w *World, devices map[ClusterNode][]ledger.Device, pol policy.Policy) fleet.Input {
	in := fleet.Input{
		Stretches: make(map[fleet.Name][]period.Interval, len(w.Stretches)), Holds: map[fleet.Name][]fleet.Hold{},
		Facts: w.Nodes, Events: w.Events, Sources: w.Sources,
		Held: heldNodes(w.Pods), Billed: billedOf(w),
		Samples: make(map[fleet.Name]period.Interval, len(w.NodeSamples)),
		Devices: make(map[fleet.Name][]ledger.Device, len(devices)),
	}
	for n, seen := range w.NodeSamples {
		in.Samples[fleet.Name{Cluster: n.Cluster, Node: n.Name}] = seen
	}
	for n, list := range w.Stretches {
		in.Stretches[fleet.Name{Cluster: n.Cluster, Node: n.Name}] = list
	}
	for i := range w.Pods {
		if p := &w.Pods[i]; p.Node != "" {
			name := fleet.Name{Cluster: p.Cluster, Node: p.Node}
			in.Holds[name] = append(in.Holds[name], fleet.Hold{
				Interval: attempt.Hold(p, pol), Pod: p.System == ledger.SystemKubernetes,
			})
		}
	}
	for n, list := range devices {
		in.Devices[fleet.Name{Cluster: n.Cluster, Node: n.Name}] = list
	}
	return in
}

// heldNodes is the evidence that workloads of other systems give of the nodes that they name (rules 2.3 and 2.4).
func heldNodes(pods []ledger.WorkloadFact) map[fleet.Name]fleet.Held {
	type change struct {
		at period.Second
		by int64
	}
	changes := map[fleet.Name][]change{}
	for i := range pods {
		p := &pods[i]
		from := cmp.Or(p.Scheduled, p.Started, p.FirstSeen)
		if p.System == ledger.SystemKubernetes || p.Node == "" || from == 0 {
			continue
		}
		name := fleet.Name{Cluster: p.Cluster, Node: p.Node}
		gpus := min(max(p.Requests[ledger.ResourceGPU], 0), ledger.MaxGPUs)
		changes[name] = append(changes[name], change{from, gpus}, change{
			max(from, cmp.Or(p.Completed, p.TerminalAt, p.LastSeen)), -gpus,
		})
	}
	out := make(map[fleet.Name]fleet.Held, len(changes))
	for name, list := range changes {
		slices.SortFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
		held := fleet.Held{Span: period.Interval{From: list[0].at, To: list[len(list)-1].at + 1}}
		var now, most int64
		for _, c := range list {
			now += c.by
			most = max(most, now)
		}
		held.GPUs = int(min(most, ledger.MaxGPUs))
		out[name] = held
	}
	return out
}
