package allocation

import (
	"maps"
	"slices"
	"strings"

	"gpuledger/allocation/split"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
)

// unseen is the part of a card that an instance takes although no row shows it: its profile, and the workload's share
// of that instance.
type unseen struct {
	profile string // as in package mig: 1g.10gb
	num     int64  // compute slices of den; 1 of 1 of an instance
	den     int64
}

// unseenCards are the slots that may be in MIG mode without rows that show how: slots never seen and slots known to be
// cut. If no slot of the node ever shows an instance, these are all slots, because then the exporter does not report
// instances.
func (n *NodeEngine) unseenCards(shown []shownSlot, w int) []int {
	instances := slices.ContainsFunc(shown, func(s shownSlot) bool {
		return slices.ContainsFunc(s.slices, func(i SliceSeen) bool { return i.SliceID != ledger.WholeDevice })
	})
	var out []int
	for slot := range shown {
		s := &shown[slot]
		if (!instances || s.hidden || len(s.slices) == 0) && len(s.at(n.workloads[w].Hold.From)) == 0 {
			out = append(out, slot)
		}
	}
	return out
}

// placeUnseen gives a workload the MIG instances that it requested and that no row shows: each on the lowest card that
// has room for one more by the card's own rules, as a given share of the card (rule 4.13). It returns how many it could
// place.
func (n *NodeEngine) placeUnseen(w int, want request, shown []shownSlot) (placed int64) {
	if n.node.Replicas > 1 {
		return 0
	}
	cards := n.unseenCards(shown, w)
	for _, profile := range slices.Sorted(maps.Keys(want.mig)) {
		for range min(max(want.mig[profile], 0), int64(ledger.MaxGPUs)*mig.MaxSlices) {
			if !n.cutFor(w, unseen{profileOf(profile), 1, 1}, cards) {
				break
			}
			placed++
		}
	}
	for _, parent := range slices.Sorted(maps.Keys(want.compute)) {
		left, all := want.compute[parent], computeSlices(parent)
		for left > 0 && n.cutFor(w, unseen{profileOf(parent), min(left, all), all}, cards) {
			left -= all
		}
		if left <= 0 {
			placed++
		}
	}
	return placed
}

// cutFor takes a part of the first card that has room for it.
func (n *NodeEngine) cutFor(w int, want unseen, cards []int) bool {
	for _, slot := range cards {
		there, room := n.partsOn(slot, w)
		if !room {
			continue
		}
		if mig.CardsFor(n.node.GPUModel, instancesOf(append(there, want))) > 1 {
			continue
		}
		card := mig.CardOf(n.node.GPUModel)
		shape := card.ShapeOf(want.profile)
		share := split.NewFraction(uint64(shape.Compute), uint64(card.Compute))
		if shape.Memory*card.Compute > shape.Compute*card.Memory {
			share = split.NewFraction(uint64(shape.Memory), uint64(card.Memory))
		}
		if want.num < want.den {
			if part, err := share.Mul(split.NewFraction(uint64(want.num), uint64(want.den))); err == nil {
				share = part
			}
		}
		for _, h := range n.holds[slot] { // for several instances of one card it has the sum
			if h.workload == w && len(h.parts) > 0 {
				h.parts, h.share = append(h.parts, want), sumOf(h.share, share)
				return true
			}
		}
		n.addRequested(w, place{slot, ledger.WholeDevice})
		h := n.holds[slot][len(n.holds[slot])-1]
		h.share, h.given, h.parts = share, true, []unseen{want}
		return true
	}
	return false
}

// instancesOf are the GPU instances that parts need: compute slices of one profile fill them one after another.
func instancesOf(parts []unseen) []string {
	slices := map[unseen]int64{} // by profile and size
	for _, p := range parts {
		slices[unseen{profile: p.profile, den: p.den}] += p.num
	}
	var out []string
	for p, n := range slices {
		for ; n > 0; n -= p.den {
			out = append(out, p.profile)
		}
	}
	return out
}

// partsOn lists the unseen instances on a card while a workload holds; room is false if another holds the whole card.
func (n *NodeEngine) partsOn(slot, w int) (there []unseen, room bool) {
	for _, h := range n.holds[slot] {
		if !h.Overlaps(n.workloads[w].Hold) {
			continue
		}
		if len(h.parts) == 0 {
			return nil, false
		}
		there = append(there, h.parts...)
	}
	return there, true
}

func sumOf(a, b split.Fraction) split.Fraction {
	num, den := a.Num*b.Den+b.Num*a.Den, a.Den*b.Den
	if num > den {
		return split.One
	}
	return split.NewFraction(num, den)
}

// profileOf is the profile of a resource name: 1g_10gb_me is 1g.10gb+me. A suffix after the size does not change how
// much it takes.
func profileOf(sanitised string) string {
	fields := strings.Split(sanitised, "_")
	for i, f := range fields {
		if strings.HasSuffix(f, "gb") {
			return strings.Join(fields[:i+1], ".")
		}
	}
	return strings.Join(fields, ".")
}
