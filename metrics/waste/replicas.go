package waste

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// replicas makes the hours of services' holders: the held time, and the activity if they held the whole hour.
func (n *nodeDay) replicas(order []holdKey) {
	for h := n.Day; h < n.Day+period.Day; h += period.Hour {
		type sum struct {
			hour  ReplicaHour
			means int64
			known int64
			of    int64
		}
		sums := map[ledger.ID]*sum{}
		var ids []ledger.ID
		for _, k := range order {
			who := n.day.Holders[k.holder]
			if who.Class != ledger.ClassService || n.held[heldKey{h, k}] == 0 {
				continue
			}
			v := sums[k.holder]
			if v == nil {
				v = &sum{hour: ReplicaHour{Hour: h, Whole: true}}
				sums[k.holder] = v
				ids = append(ids, k.holder)
			}
			v.of++
			v.hour.Whole = v.hour.Whole && n.held[heldKey{h, k}] >= period.Hour
			v.hour.Share.add(n.shares[heldKey{h, k}])
			if s := n.signals(k.sliceKey, h); s != nil {
				if f, ok := s.activity(); ok {
					v.means += f.mean()
					v.known++
				}
			}
		}
		for _, id := range ids {
			v := sums[id]
			v.hour.Activity = -1
			if v.known == v.of {
				v.hour.Activity = v.means / v.of
			}
			d := n.holderDay(id, nil)
			d.Hours = append(d.Hours, v.hour)
		}
	}
}

// heldKey is a holder on a slice in an hour.
type heldKey struct {
	hour period.Second
	holdKey
}

// heldSeconds are the seconds of every holder on every slice by hour.
func (n *nodeDay) heldSeconds() map[heldKey]int64 {
	out := map[heldKey]int64{}
	for i := range n.Spans {
		s := &n.Spans[i]
		if s.Holder.IsZero() || n.day.Holders[s.Holder] == nil {
			continue
		}
		byHour(s.From, s.To, func(from, to period.Second) {
			out[heldKey{from.Floor(period.Hour), holdKey{s.Holder, sliceKey{s.Slot, s.Slice}}}] += int64(to - from)
		})
	}
	return out
}

// holders counts the holders of each slice in an hour.
func (n *nodeDay) holders() map[sliceHour]int {
	out := map[sliceHour]int{}
	for k := range n.held {
		out[sliceHour{k.hour, k.sliceKey}]++
	}
	return out
}

// heldShares are the holders' shares of slices by hour, for any cause.
func (n *nodeDay) heldShares() map[heldKey]Share {
	out := map[heldKey]Share{}
	for i := range n.Rows {
		r := &n.Rows[i]
		if r.Holder.IsZero() || r.Slot < 0 {
			continue
		}
		k := heldKey{r.Hour, holdKey{r.Holder, sliceKey{r.Slot, r.Slice}}}
		v := out[k]
		v.add(Share{r.Capacity, r.Cost})
		out[k] = v
	}
	return out
}

// signalKey names an hour of a device or slice.
type signalKey struct {
	hour   period.Second
	device string
	slice  int32
}

// signals are those of a slice in an hour; nil: none.
func (n *nodeDay) signals(of sliceKey, hour period.Second) *Hour {
	return n.signal[signalKey{hour, n.devices[of.slot], of.slice}]
}
