package allocation

import (
	"maps"
	"slices"

	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
)

// part names the resource by which a workload requests a part of a card (rule 4.11); empty if it requests none.
func (n *NodeEngine) part(w int) string {
	requests := n.workloads[w].Requests
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		if requests[name] > 0 && ledger.SharingResource(name) {
			return name
		}
	}
	return ""
}

// claimParts gives holders that requested a part of each card that part, if no other rule gave them a share.
func (n *NodeEngine) claimParts() {
	for _, holds := range n.holds {
		for _, h := range holds {
			asked := n.workloads[h.workload].Requests[ledger.ResourceGPUFraction]
			if asked > 0 && asked <= fullShare && !h.given && !h.claimed {
				h.share, h.given = split.NewFraction(uint64(asked), fullShare), true
			}
		}
	}
}
