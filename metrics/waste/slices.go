package waste

import (
	"math/bits"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// sliceKey is a slice of the machine.
type sliceKey struct{ slot, slice int32 }

// holdKey is a holder on a slice.
type holdKey struct {
	holder ledger.ID
	sliceKey
}

// slices makes the holders' days.
func (n *nodeDay) slices() {
	crash := n.crashes()
	edges := map[ledger.ID][]period.Second{}
	for id, list := range crash {
		for _, v := range list {
			edges[id] = append(edges[id], v.From, v.To)
		}
	}
	days := map[holdKey]*SliceDay{}
	var order []holdKey
	for i := range n.Spans {
		s := &n.Spans[i]
		if s.Holder.IsZero() || n.day.Holders[s.Holder] == nil {
			continue
		}
		k := holdKey{s.Holder, sliceKey{s.Slot, s.Slice}}
		d := days[k]
		if d == nil {
			d = &SliceDay{Slot: s.Slot, Slice: s.Slice, Memory: -1}
			days[k] = d
			order = append(order, k)
		}
		d.Held += int64(s.To - s.From)
		byHour(s.From, s.To, func(from, to period.Second) {
			if row := n.cut.row(s, from); row != nil {
				d.add(s.Cause, row, from, to, edges[s.Holder])
			}
		})
	}
	holders := n.holders()
	for _, k := range order {
		d := days[k]
		slices.SortStableFunc(d.Pieces, func(a, b Piece) int { return int(a.From - b.From) })
		d.Pieces = merged(d.Pieces)
		d.Memory = n.memory(k, holders)
		n.holderDay(k.holder, crash[k.holder]).Slices = append(n.holderDay(k.holder, crash[k.holder]).Slices, *d)
	}
	n.replicas(order)
}

// add takes a stretch of a holder inside one hour.
func (d *SliceDay) add(cause ledger.Cause, row *cutRow, from, to period.Second, edges []period.Second) {
	switch cause {
	case ledger.HeldIdle, ledger.Overhead:
		doing := Idle
		if cause == ledger.Overhead {
			doing = Startup
		}
		at(from, to, edges, func(from, to period.Second) {
			d.Pieces = append(d.Pieces, Piece{doing, from, to, row.take(int64(to - from))})
		})
		d.Quality = d.Quality.Worse(row.quality)
	case ledger.Used, ledger.Lost:
		if row.active > 0 {
			d.Pieces = append(d.Pieces, Piece{Doing: Worked, From: from, To: to})
		}
	}
}

// merged joins worked pieces that touch: they carry no share.
func merged(list []Piece) []Piece {
	var out []Piece
	for _, p := range list {
		if k := len(out); k > 0 && p.Doing == Worked && out[k-1].Doing == Worked && p.From <= out[k-1].To {
			out[k-1].To = max(out[k-1].To, p.To)
			continue
		}
		out = append(out, p)
	}
	return out
}

// crashes are the minutes in CrashLoopBackOff of each holder, inside its hold.
func (n *nodeDay) crashes() map[ledger.ID][]period.Interval {
	out := map[ledger.ID][]period.Interval{}
	for _, c := range n.Crash {
		h := n.day.Holders[c.Holder]
		if h == nil {
			continue
		}
		for rest := c.Minutes; rest != 0; rest &= rest - 1 {
			from := c.Hour + period.Second(bits.TrailingZeros64(rest)*period.Minute)
			if v := h.Hold.Intersect(period.Interval{From: from, To: from + period.Minute}); !v.Empty() {
				out[c.Holder] = append(out[c.Holder], v)
			}
		}
	}
	for id := range out {
		out[id] = union(out[id], 0)
	}
	return out
}

// memory is the most memory of the slice in hours in which only this holder held it: earlier memory may not be its own.
// −1: unknown.
func (n *nodeDay) memory(k holdKey, holders map[sliceHour]int) int64 {
	most := int64(-1)
	hold := n.day.Holders[k.holder].Hold
	for i := range n.Hours {
		h := &n.Hours[i]
		if h.Device != n.devices[k.slot] || h.Slice != k.slice ||
			!hold.Overlaps(period.Interval{From: h.Hour, To: h.Hour + period.Hour}) ||
			holders[sliceHour{h.Hour, k.sliceKey}] > 1 {
			continue
		}
		if f, ok := h.Signals[ledger.SignalMemoryUsed]; ok {
			most = max(most, f.High)
		}
	}
	return most
}

// holderDay finds or creates the holder's day in its trace: that of its service, or its own.
func (n *nodeDay) holderDay(id ledger.ID, crash []period.Interval) *HolderDay {
	h := n.day.Holders[id]
	t := n.day.trace(OfHolder, h.ID.String())
	if h.Class == ledger.ClassService {
		t = n.day.trace(OfService, h.Workload())
	}
	for i := range t.Holders {
		if t.Holders[i].ID == id {
			return &t.Holders[i]
		}
	}
	t.Holders = append(t.Holders,
		HolderDay{ID: id, Subject: h.Subject(), Where: n.of(h), Class: h.Class, Bare: h.Kind == "Pod", Hold: h.Hold,
			Running: h.Running, Crash: crash})
	return &t.Holders[len(t.Holders)-1]
}
