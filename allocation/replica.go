package allocation

import (
	"slices"

	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// takeReplicas gives a workload without placement evidence replicas of cards or instances that a node with R > 1
// advertises (rule 4.4): all of them from the first place with enough left, else the rest of each place, in their
// order. It returns how many it took. seated comes from seatedReplicas.
func (n *NodeEngine) takeReplicas(w int, count int64, candidates []place, seated []int64) (taken int64) {
	left := make([]int64, len(candidates))
	for i, p := range candidates {
		if left[i] = n.replicasLeft(p, n.workloads[w].Hold, seated); count > 0 && left[i] >= count {
			n.addReplicas(w, p, count)
			return count
		}
	}
	for i, p := range candidates {
		if q := min(left[i], count-taken); q > 0 {
			n.addReplicas(w, p, q)
			taken += q
		}
	}
	return taken
}

func (n *NodeEngine) addReplicas(w int, p place, count int64) {
	n.addRequested(w, p)
	n.holds[p.slot][len(n.holds[p.slot])-1].replicas = count
}

// replicasLeft is how many replicas of a place are free in every second of i.
func (n *NodeEngine) replicasLeft(p place, i period.Interval, seated []int64) int64 {
	all := int64(n.node.Replicas)
	var there []*hold
	for _, h := range n.holds[p.slot] {
		switch {
		case !h.Overlaps(i):
		case h.slice == p.slice:
			there = append(there, h)
		case h.slice == ledger.WholeDevice || p.slice == ledger.WholeDevice:
			return 0 // a whole card and its instances exclude each other
		}
	}
	most := int64(0)
	for _, first := range there { // use peaks when a hold begins
		at, sum := max(first.From, i.From), int64(0)
		for _, h := range there {
			if h.Contains(at) {
				sum += h.uses(all, seated)
			}
		}
		most = max(most, sum)
	}
	return max(all-most, 0)
}

// uses is how many of its place's replicas a hold occupies; a part of one counts as one.
func (h *hold) uses(all int64, seated []int64) int64 {
	switch {
	case h.replicas > 0:
		return h.replicas
	case h.claimed:
		return all
	case h.given:
		return int64((h.share.Num*uint64(all) + h.share.Den - 1) / h.share.Den) // at most a million × 1,024
	}
	return seated[h.workload]
}

// seatedReplicas is, per workload with evidence on a node with R > 1, how many replicas it has of each of its places,
// rounded up.
func (n *NodeEngine) seatedReplicas() []int64 {
	if n.node.Replicas <= 1 {
		return nil
	}
	seated := make([]int64, len(n.workloads))
	for w, places := range n.heldPlaces() {
		if d := int64(len(places)); d > 0 {
			seated[w] = max((n.request(w).total()+d-1)/d, 1)
		}
	}
	return seated
}

// heldPlaces lists the distinct places of every workload's holds.
func (n *NodeEngine) heldPlaces() [][]place {
	places := make([][]place, len(n.workloads))
	for _, holds := range n.holds {
		for _, h := range holds {
			if p := (place{h.slot, h.slice}); !slices.Contains(places[h.workload], p) {
				places[h.workload] = append(places[h.workload], p)
			}
		}
	}
	return places
}

// claimReplicas sets the share of each hold of a GPU that several pods may use (rule 4.5): the replicas that its
// request took there, else its replicas divided evenly over its places. A pod without a usable request counts as one
// replica per device.
func (n *NodeEngine) claimReplicas() {
	if n.node.Replicas <= 1 {
		return
	}
	places := n.heldPlaces()
	for _, holds := range n.holds {
		for _, h := range holds {
			switch {
			case h.given || h.claimed:
			case h.replicas > 0:
				h.share = split.NewFraction(uint64(h.replicas), uint64(n.node.Replicas))
			default:
				d := uint64(len(places[h.workload]))
				replicas := uint64(n.request(h.workload).total())
				if replicas == 0 {
					replicas = d
				}
				h.share = split.NewFraction(replicas, d*uint64(n.node.Replicas))
			}
		}
	}
}
