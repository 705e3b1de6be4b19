package allocation

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// maxRequest is the largest count of GPUs, slices or replicas that a pod can request of one node.
const maxRequest = ledger.MaxGPUs * ledger.MaxReplicas

// place is one slice of one slot.
type place struct {
	slot  int
	slice int32
}

// placeHolds finds which workload held which place: first by evidence, then by request.
func (n *NodeEngine) placeHolds(in NodeInput) {
	evidence := n.evidence(in)
	n.holds = make([][]*hold, n.node.GPUs)
	for w, list := range evidence {
		for _, e := range list {
			n.holds[e.slot] = append(n.holds[e.slot], &hold{Interval: e.Interval, workload: w, slot: e.slot, slice: e.slice,
				share: e.share, given: !e.share.IsZero(), claimed: e.claimed})
		}
	}
	n.placeRequests(in.Slices, evidence)
	n.claimCompute(in.Slices)
	n.claimParts()
	n.claimReplicas()
	for _, holds := range n.holds {
		slices.SortFunc(holds, func(a, b *hold) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.workload, b.workload), cmp.Compare(a.slice, b.slice))
		})
	}
}

func (n *NodeEngine) addRequested(workload int, p place) {
	n.holds[p.slot] = append(n.holds[p.slot], &hold{Interval: n.workloads[workload].Hold, workload: workload,
		slot: p.slot, slice: p.slice, requested: true, share: noShare})
}

// jobName is the namespace under which exporters name jobs of systems other than Kubernetes, by job id.
const jobName = "hpc_job"

type podName struct{ namespace, name string }

func (p podName) String() string {
	if p.namespace == jobName {
		return "job " + p.name
	}
	return "pod " + p.namespace + "/" + p.name
}

// named returns, per workload, the places for which exporter rows name it, in order (rules 4.3 and 4.9). Rows that name
// an unknown workload are reported.
func (n *NodeEngine) named(rows []ledger.HoldEvidence) [][]place {
	known := make(map[podName][]int)
	for w := range n.workloads {
		key := podName{n.workloads[w].Namespace, n.workloads[w].Name}
		if n.workloads[w].System != ledger.SystemKubernetes {
			key.namespace = jobName
		}
		known[key] = append(known[key], w)
	}
	places := make([][]place, len(n.workloads))
	var last podName // rows come hour by hour
	var them []int
	for i := range rows {
		row := &rows[i]
		if row.Minutes == 0 || row.Device == ledger.HostDevice {
			continue
		}
		slot := n.slotOf(row.Device, row.Hour)
		if slot == none {
			n.report(period.HourOf(row.Hour), "device_without_slot",
				"device %s is not in a slot of the node: its holds are ignored", row.Device)
			continue
		}
		unclaimed := row.Minutes
		if name := (podName{cmp.Or(row.Namespace, jobName), row.Pod}); name != last {
			last, them = name, known[name]
		}
		for _, w := range them {
			during := minutesOf(n.workloads[w].Hold, row.Hour)
			unclaimed &^= during
			if p := (place{slot, row.SliceID}); row.Minutes&during != 0 && !slices.Contains(places[w], p) {
				places[w] = append(places[w], p)
			}
		}
		if unclaimed != 0 {
			n.report(period.HourOf(row.Hour), "evidence_without_workload",
				"the exporter names %s, but no source has it on this node at that time", last)
		}
	}
	for _, p := range places {
		slices.SortFunc(p, func(a, b place) int {
			return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.slice, b.slice))
		})
	}
	return places
}

// minutesOf returns the minutes of an hour that overlap i, as bits.
func minutesOf(i period.Interval, hour period.Second) uint64 {
	i = i.Intersect(period.Interval{From: hour, To: hour + period.Hour})
	if i.Empty() {
		return 0
	}
	from := (i.From - hour) / period.Minute
	to := (i.To - 1 - hour) / period.Minute
	return uint64(1)<<(to+1) - uint64(1)<<from
}

// heldBy reports whether a workload holds the place, or a part or the whole of it, during i. Workloads for which ignore
// returns true do not count.
func (n *NodeEngine) heldBy(p place, i period.Interval, ignore func(workload int) bool) bool {
	return slices.ContainsFunc(n.holds[p.slot], func(h *hold) bool {
		same := h.slice == p.slice || h.slice == ledger.WholeDevice || p.slice == ledger.WholeDevice
		return same && h.Overlaps(i) && (ignore == nil || !ignore(h.workload))
	})
}
