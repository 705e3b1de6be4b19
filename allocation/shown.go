package allocation

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// shownSlot is the slices that a slot showed over the node's life.
type shownSlot struct {
	slices []SliceSeen // instances and whole devices, by id, profile and first minute
	hidden bool        // it was a MIG card, but no source shows when or with which instances
}

// shownSlices sorts the slices seen by slot.
func (n *NodeEngine) shownSlices(seen []SliceSeen) []shownSlot {
	shown := make([]shownSlot, n.node.GPUs)
	for _, s := range seen {
		if slot := n.slotOf(s.Device, s.First); slot != none {
			shown[slot].slices = append(shown[slot].slices, s)
		}
	}
	for slot := range shown {
		s := &shown[slot]
		slices.SortFunc(s.slices, func(a, b SliceSeen) int {
			return cmp.Or(cmp.Compare(a.SliceID, b.SliceID), cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.First, b.First))
		})
		known := slices.ContainsFunc(s.slices, func(i SliceSeen) bool { return i.SliceID != ledger.WholeDevice })
		s.hidden = !known && slices.ContainsFunc(n.devices[slot], func(d ledger.Device) bool { return d.InMIG })
	}
	return shown
}

// at returns the MIG instances of the layout at an instant (rule 3.3): those shown around it, else the last shown
// before it, else the first shown after it. An empty answer means a whole device.
func (s *shownSlot) at(t period.Second) []SliceSeen {
	pick := func(match func(SliceSeen) bool) (found bool, instances []SliceSeen) {
		for _, i := range s.slices {
			if match(i) {
				found = true
				if i.SliceID != ledger.WholeDevice {
					instances = append(instances, i)
				}
			}
		}
		return found, instances
	}
	if found, instances := pick(func(i SliceSeen) bool { return i.First <= t && t < i.Last+period.Hour }); found {
		return instances
	}
	var before, first period.Second
	for _, i := range s.slices {
		if i.Last < t && (before == 0 || i.Last > before) {
			before = i.Last
		}
		if first == 0 || i.First < first {
			first = i.First
		}
	}
	if before != 0 {
		_, instances := pick(func(i SliceSeen) bool { return i.Last == before })
		return instances
	}
	_, instances := pick(func(i SliceSeen) bool { return i.First == first })
	return instances
}
