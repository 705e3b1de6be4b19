package allocation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Resource names as kube-state-metrics sanitises them (rule 4.2).
const (
	resourceGPU       = "nvidia_com_gpu"
	resourceShared    = "nvidia_com_gpu_shared"
	resourceMIGPrefix = "nvidia_com_mig_"
)

// request is what a pod asks of a node: whole GPUs (or replicas of them) and
// MIG instances per sanitised profile.
type request struct {
	whole int64
	mig   map[string]int64
}

func (r request) total() int64 {
	sum := r.whole
	for _, q := range r.mig {
		sum += q
	}
	return sum
}

// onePlace is the request with counts of replicas reduced to the one device or
// instance that can serve them all.
func (r request) onePlace() request {
	one := request{whole: min(r.whole, 1), mig: make(map[string]int64, len(r.mig))}
	for profile, q := range r.mig {
		one.mig[profile] = min(q, 1)
	}
	return one
}

// request reads the request of workload w. Counts that no node can serve are
// left out and reported by placeRequests.
func (n *NodeEngine) request(w int) request {
	r := request{mig: make(map[string]int64)}
	for name, q := range n.workloads[w].Requests {
		if q < 0 || q > maxRequest {
			continue
		}
		profile, isMIG := strings.CutPrefix(name, resourceMIGPrefix)
		switch {
		case name == resourceGPU, name == resourceShared:
			r.whole += q
		case isMIG:
			r.mig[strings.TrimSuffix(profile, "_shared")] += q
		}
	}
	return r
}

// sanitised is a profile as it appears in a resource name: 1g_10gb_me.
func sanitised(profile string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '+' || r == '-' {
			return '_'
		}
		return r
	}, strings.ToLower(profile))
}

// placeRequests gives pods with less evidence than they requested the lowest
// places that match and that nobody holds, in order of hold start and uid
// (rule 4.4).
func (n *NodeEngine) placeRequests(seen []SliceSeen, evidence [][]place) {
	order := make([]int, len(n.workloads))
	for w := range order {
		order[w] = w
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(n.workloads[a].Hold.From, n.workloads[b].Hold.From), cmp.Compare(a, b))
	})
	instances := n.instances(seen)
	for _, w := range order {
		pod := &n.workloads[w]
		for name, q := range pod.Requests {
			if q < 0 || q > maxRequest {
				n.report(pod.Hold, "request_out_of_range", "%s requests %d of %s: not used", title(pod), q, name)
			}
		}
		if pod.Hold.Empty() {
			continue
		}
		want := n.request(w)
		if n.node.Replicas > 1 { // replicas may all sit on one device
			if len(evidence[w]) > 0 {
				continue
			}
			want = want.onePlace()
		}
		n.placeRequest(w, want, instances, evidence[w])
	}
}

func (n *NodeEngine) placeRequest(w int, want request, instances []instance, evidence []place) {
	pod, asked := &n.workloads[w], want.total()
	missing := asked - int64(len(evidence))
	for _, p := range evidence {
		if p.slice == ledger.WholeDevice {
			want.whole--
			continue
		}
		for _, i := range instances {
			if i.place == p && i.Overlaps(pod.Hold) && want.mig[i.profile] > 0 {
				want.mig[i.profile]--
				break
			}
		}
	}
	take := func(count int64, candidates func(yield func(place) bool)) {
		for p := range candidates {
			if count <= 0 || missing <= 0 {
				return
			}
			if !n.heldBy(p, pod.Hold) {
				n.addHold(w, p, true)
				count, missing = count-1, missing-1
			}
		}
	}
	take(want.whole, func(yield func(place) bool) {
		for slot := range n.node.GPUs {
			if !n.partitioned(slot, instances, pod.Hold) && !yield(place{slot, ledger.WholeDevice}) {
				return
			}
		}
	})
	for _, profile := range slices.Sorted(maps.Keys(want.mig)) {
		take(want.mig[profile], func(yield func(place) bool) {
			for _, i := range instances {
				if i.profile == profile && i.Overlaps(pod.Hold) && !yield(i.place) {
					return
				}
			}
		})
	}
	if missing > 0 {
		n.report(pod.Hold, "request_not_placed", "%s needs %d GPUs or slices; for %d of them nothing free matches", title(pod), asked, missing)
	}
}

// instance is a MIG instance that existed on a slot for a time.
type instance struct {
	period.Interval
	place
	profile string // sanitised
}

// instances lists the MIG instances by slot, id and profile.
func (n *NodeEngine) instances(seen []SliceSeen) []instance {
	var list []instance
	for _, s := range seen {
		if slot := n.slotOf(s.Device, s.First); slot != none && s.SliceID != ledger.WholeDevice {
			list = append(list, instance{period.Interval{From: s.First, To: s.Last + period.Hour}, place{slot, s.SliceID}, sanitised(s.Profile)})
		}
	}
	slices.SortFunc(list, func(a, b instance) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.slice, b.slice), cmp.Compare(a.profile, b.profile), cmp.Compare(a.From, b.From))
	})
	return list
}

// partitioned reports whether a slot was cut into MIG instances during i: from
// its first to its last row with an instance, for its whole life when only
// that it was is known.
func (n *NodeEngine) partitioned(slot int, instances []instance, i period.Interval) bool {
	var life period.Interval
	for _, in := range instances {
		if in.slot == slot {
			if life.Empty() {
				life = in.Interval
			}
			life = period.Interval{From: min(life.From, in.From), To: max(life.To, in.To)}
		}
	}
	if !life.Empty() {
		return life.Overlaps(i)
	}
	return slices.ContainsFunc(n.devices[slot], func(d ledger.Device) bool { return d.InMIG })
}
