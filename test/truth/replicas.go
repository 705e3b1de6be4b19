package truth

import (
	"maps"
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// shareReplicas spreads the requests of pods with evidence over their cards.
func (t *truth) shareReplicas() {
	for _, h := range t.held {
		for _, r := range h.p.Requests {
			if h.p.Node.Replicas > 1 && r.Resource == "nvidia_com_gpu_shared" {
				for _, x := range h.holds {
					x.quantity = reduce(r.N, int64(len(h.holds)))
				}
			}
		}
	}
}

// takeReplicas is the shared half of rule 4.4: all on the lowest card with enough left, else the rest of each card in
// turn.
func (h *heldPod) takeReplicas(n int64) {
	room := func(d *world.Device) int64 {
		return int64(h.p.Node.Replicas) - h.nt.mostTaken(d, h.from, h.to)
	}
	for _, d := range h.p.Node.Devices {
		if room(d) >= n {
			h.addHold(d, world.WholeDevice, true)
			h.holds[0].quantity = frac{n, 1}
			return
		}
	}
	for _, d := range h.p.Node.Devices {
		if q := min(room(d), n); q > 0 {
			h.addHold(d, world.WholeDevice, true)
			h.holds[len(h.holds)-1].quantity = frac{q, 1}
			n -= q
		}
	}
}

// mostTaken is the largest number of replicas of a card that are taken in any second of [from, to).
func (nt *nodeTruth) mostTaken(d *world.Device, from, to int64) (most int64) {
	change := map[int64]int64{}
	for _, x := range nt.holds[d][world.WholeDevice] {
		if a, b := max(x.pod.from, from), min(x.pod.to, to); a < b {
			q := (x.quantity.n + x.quantity.d - 1) / x.quantity.d
			change[a] += q
			change[b] -= q
		}
	}
	taken := int64(0)
	for _, at := range slices.Sorted(maps.Keys(change)) {
		taken += change[at]
		most = max(most, taken)
	}
	return most
}
