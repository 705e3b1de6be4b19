package timeline

import (
	"math/bits"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// maxSeries is how many slices of one slot can be distinguished inside a window.
const maxSeries = 64

// Layout is a stretch of time in which a slot showed one device in one MIG layout.
type Layout struct {
	period.Interval
	Device    string // GPU UUID; empty when the slot's device was never seen
	Model     string
	Instances []Instance // by id, then profile; none = one whole device
	// Starts are the first memory slices of Instances; nil if one of them is unknown.
	Starts []int
}

func (l *Layout) same(o *Layout) bool {
	return l.Device == o.Device && slices.Equal(l.Instances, o.Instances)
}

func (l *Layout) holds(i Instance) bool { return slices.Contains(l.Instances, i) }

// Has reports whether the layout has the slice id.
func (l *Layout) Has(id int32) bool {
	if len(l.Instances) == 0 {
		return id == ledger.WholeDevice
	}
	return slices.ContainsFunc(l.Instances, func(i Instance) bool { return i.ID == id })
}

// Slot is the state of one slot over a window.
type Slot struct {
	Grid
	// Layouts cover the window without gap, in order of time.
	Layouts []Layout
	// Energy is the energy that the slot's device drew.
	Energy Energy
	// Clashes counts minutes in which several devices claimed the slot; the latest device counts.
	Clashes int
	// Crowded reports that there were more slices than can be distinguished.
	Crowded bool

	mem    *Memory
	series []*series
}

// Rows are the sample rows of one slot: those inside the window, and the hints for the layout before and after it.
type Rows struct {
	Inside, Before, After []*ledger.SampleHour
	// Signal is the signal that activity is taken from; empty: the engine's, else the utilisation (rule 5.1). A named
	// signal has no substitute.
	Signal ledger.Signal
}

// NewSlot builds the slot's time line. devices are the devices that were ever seen in the slot, oldest first; observed
// is when the node existed, which bounds the seconds over which a minute's energy is spread. It is built in mem, which
// may be nil, and lasts until mem is reset.
func NewSlot(mem *Memory, g Grid, rows Rows, devices []ledger.Device, observed period.Interval) *Slot {
	rank := func(uuid string) int {
		i := slices.IndexFunc(devices, func(d ledger.Device) bool { return d.UUID == uuid })
		if i < 0 {
			return len(devices)
		}
		return i
	}
	mem = mem.orNew()
	s := &Slot{Grid: g, mem: mem}
	c := collect(mem, g, rows.Inside, rank, rows.Signal)
	s.series = c.list
	if len(s.series) > maxSeries {
		s.series, s.Crowded = s.series[:maxSeries], true
	}
	seen, clashes := observe(g, s.series)
	s.Clashes = clashes
	before, after := edgeLayout(mem, rows.Before, rank, true), edgeLayout(mem, rows.After, rank, false)
	s.Layouts = place(g, s.series, extend(g, seen, before, after, fallback(g, devices)), before, after)
	s.Energy = newEnergy(s, c.energy, observed)
	return s
}

// observe returns the layouts as seen, each from the first minute that shows it.
func observe(g Grid, list []*series) (seen []Layout, clashes int) {
	previous, previousMask := -1, uint64(0)
	for h := range g.Hours {
		changes := uint64(1) // minutes that differ from the one before
		for _, s := range list {
			changes |= s.seen.Edges(h)
		}
		for changes != 0 {
			at := bits.TrailingZeros64(changes)
			changes &= changes - 1
			m, length := h*minutesPerHour+at, min(bits.TrailingZeros64(changes), minutesPerHour)-at
			device, mask, clashing := shown(list, m)
			clashes += clashing * length
			if device < 0 || device == previous && mask == previousMask {
				continue
			}
			previous, previousMask = device, mask
			l := Layout{Interval: period.Interval{From: g.At(m)}, Device: list[device].key.device, Model: list[device].model}
			for i, s := range list {
				if mask>>i&1 == 1 {
					l.Instances = append(l.Instances, s.key.Instance)
				}
			}
			seen = append(seen, l)
		}
	}
	return seen, clashes
}

// shown returns the state in a minute: the first series of the device, the instances among its series, and the number
// of other devices there.
func shown(list []*series, m int) (device int, mask uint64, clashes int) {
	device = -1
	for i, s := range list {
		if !s.seen.Has(m) {
			continue
		}
		first := i
		for first > 0 && list[first-1].key.device == s.key.device {
			first--
		}
		if device >= 0 && device != first {
			clashes++
			mask = 0
		}
		device = first
		if s.key.ID != ledger.WholeDevice {
			mask |= 1 << i
		}
	}
	return device, mask, clashes
}

// edgeLayout returns the nearest layout to the window among rows outside it, nil if they show none.
func edgeLayout(mem *Memory, rows []*ledger.SampleHour, rank func(string) int, last bool) *Layout {
	pick := firstHour
	if last {
		pick = lastHour
	}
	edge, hour := pick(rows)
	if len(edge) == 0 {
		return nil
	}
	g := Grid{hour, 1}
	list := collect(mem, g, edge, rank, "").list
	list = list[:min(len(list), maxSeries)]
	seen, _ := observe(g, list)
	for i := range seen { // until the next one or the end of the hour
		if seen[i].To = g.To(); i+1 < len(seen) {
			seen[i].To = seen[i+1].From
		}
	}
	seen = place(g, list, seen, nil, nil)
	switch {
	case len(seen) == 0:
		return nil
	case last:
		return &seen[len(seen)-1]
	}
	return &seen[0]
}

// fallback is the layout of a slot without any row near: its newest device that came before the window's end, else its
// first, whole.
func fallback(g Grid, devices []ledger.Device) Layout {
	var l Layout
	for i, d := range devices {
		if i == 0 || d.First < g.To() {
			l.Device, l.Model = d.UUID, d.Model
		}
	}
	return l
}

// extend makes the seen layouts cover the whole window: the first reaches back if no earlier layout is known, each
// lasts until the next (rule 3.3).
func extend(g Grid, seen []Layout, before, after *Layout, otherwise Layout) []Layout {
	var start Layout
	switch {
	case before != nil:
		start = *before
	case len(seen) > 0:
		start = seen[0]
	case after != nil:
		start = *after
	default:
		start = otherwise
	}
	start.From = g.From
	all := []Layout{start}
	for _, l := range seen {
		if !l.same(&all[len(all)-1]) {
			all[len(all)-1].To = l.From
			all = append(all, l)
		}
	}
	all[len(all)-1].To = g.To()
	if all[0].Empty() { // the window's first minute shows another layout
		all = all[1:]
	}
	return all
}
