package allocation

import (
	"fmt"
	"slices"

	"gpuledger/allocation/timeline"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/period"
)

// SlotLayout is a stretch of a day in which a slot showed one device in one MIG layout, with the weights of its
// instances.
type SlotLayout struct {
	timeline.Layout
	Slot    int
	Weights mig.Weights // zero for a device without instances
}

// Layouts returns the MIG layouts of the node's slots on a day, in order of slot and time (docs/rules.md 3.3 to 3.6):
// the layouts that Day uses for weights. They cover the node's life inside the day; on a day outside its life they are
// empty intervals at its edge. Only the samples of the day and around it are used.
func (n *NodeEngine) Layouts(in DayInput) ([]SlotLayout, error) {
	if in.Day != period.DayOf(in.Day.From) {
		return nil, fmt.Errorf("node %s: %s is not a UTC day", n.node.Name, in.Day)
	}
	d := &day{
		NodeEngine: n, in: &in, observed: n.node.LifeOn(in.Day).Intersect(in.Day), scratch: scratches.Get().(*scratch),
	}
	defer d.free()
	d.grid = d.window()
	slots := d.sampleRows()
	w := &d.walker
	var out []SlotLayout
	for slot := range slots {
		w.forget()
		w.day, w.slot = d, slot
		w.line = timeline.NewSlot(&d.memory, d.grid, slots[slot], d.devices[slot], d.node.Life)
		for i := range w.line.Layouts {
			l := SlotLayout{Layout: w.line.Layouts[i], Slot: slot}
			if d.observed.Empty() {
				l.Interval = n.edge(in.Day)
			} else if l.Interval = l.Intersect(d.observed); l.Empty() {
				continue
			}
			l.Instances = slices.Clone(l.Instances)
			if len(l.Instances) > 0 {
				var err error
				if l.Weights, err = w.weights(&l.Layout); err != nil {
					return nil, fmt.Errorf("node %s, slot %d: %w", n.node.Name, slot, err)
				}
			}
			out = append(out, l)
		}
	}
	return out, nil
}

// edge is the empty interval at the end of the node's life that is nearest to a day outside it.
func (n *NodeEngine) edge(day period.Interval) period.Interval {
	at := n.node.Life.To
	if day.To <= n.node.Life.From {
		at = n.node.Life.From
	}
	return period.Interval{From: at, To: at}
}
