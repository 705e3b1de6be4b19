package waste

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// sliceHour is a slice in an hour, holderHour a holder in one.
type (
	sliceHour struct {
		hour period.Second
		sliceKey
	}
	holderHour struct {
		hour   period.Second
		holder ledger.ID
	}
)

// hours marks the hours that meet the criteria of risk kinds (docs/figures.md
// 18.3).
func (n *nodeDay) hours() {
	keys := slices.SortedFunc(maps.Keys(n.held), compareHeld)
	holders, many := n.holders(), map[holderHour]int{}
	for _, k := range keys {
		many[holderHour{k.hour, k.holder}]++
	}
	cards := map[sliceHour]bool{}
	for _, k := range keys {
		device := n.devices[k.slot]
		if device == "" {
			continue
		}
		if card := (sliceHour{k.hour, sliceKey{slot: k.slot}}); !cards[card] {
			cards[card] = true
			n.judgeCard(k.hour, k.slot, device)
		}
		signals := n.signals(k.sliceKey, k.hour)
		if n.held[k] < period.Hour || holders[sliceHour{k.hour, k.sliceKey}] > 1 || signals == nil {
			continue
		}
		n.judgeSlice(k, &sliceFigures{Node: &n.Node, Holder: n.day.Holders[k.holder], Slice: signals,
			Card:    n.signal[signalKey{k.hour, device, ledger.WholeDevice}],
			Host:    n.signal[signalKey{k.hour, ledger.HostDevice, ledger.WholeDevice}],
			Several: many[holderHour{k.hour, k.holder}] > 1})
	}
}

// judgeCard marks the kinds that a held card meets.
func (n *nodeDay) judgeCard(hour period.Second, slot int32, device string) {
	card := n.signal[signalKey{hour, device, ledger.WholeDevice}]
	if card == nil {
		return
	}
	active := n.cardActivity(hour, slot)
	for _, c := range cardCriteria {
		numbers, ok := c.meets(card)
		if !ok || c.busy && active < BusyPPM {
			continue
		}
		var all Share
		where := n.place().on(device, ledger.WholeDevice)
		first := true
		for _, k := range slices.SortedFunc(maps.Keys(n.shares), compareHeld) {
			if k.hour == hour && k.slot == slot {
				all.add(n.shares[k])
				who := n.of(n.day.Holders[k.holder]).on(device, ledger.WholeDevice)
				if first {
					where, first = who, false
				} else {
					where = where.join(who)
				}
			}
		}
		n.day.trace(OfDevice, n.Node.subject()+"/"+device).mark(Mark{Kind: c.kind, From: hour, To: hour + period.Hour,
			Seconds: period.Hour,
			Share:   all, Where: where, Quality: ledger.Measured, Numbers: numbers})
	}
}

func compareHeld(a, b heldKey) int {
	return cmp.Or(cmp.Compare(a.hour, b.hour), cmp.Compare(a.slot, b.slot), cmp.Compare(a.slice, b.slice),
		slices.Compare(a.holder[:], b.holder[:]))
}

// cardActivity is the largest mean activity of the card or its instances; −1: unknown.
func (n *nodeDay) cardActivity(hour period.Second, slot int32) int64 {
	most := int64(-1)
	for k := range n.held {
		if k.hour != hour || k.slot != slot {
			continue
		}
		if s := n.signals(k.sliceKey, hour); s != nil {
			if f, ok := s.activity(); ok {
				most = max(most, f.mean())
			}
		}
	}
	return most
}

// judgeSlice marks the kinds that a slice meets, if one holder had it all hour.
func (n *nodeDay) judgeSlice(k heldKey, f *sliceFigures) {
	active, known := f.Slice.activity()
	for _, c := range sliceCriteria {
		if c.class != "" && c.class != f.Holder.Class || c.busy && (!known || active.mean() < BusyPPM) {
			continue
		}
		numbers, ok := c.meets(f, active, known)
		if !ok {
			continue
		}
		n.day.trace(OfWorkload, f.Holder.Workload()).mark(Mark{Kind: c.kind, From: k.hour, To: k.hour + period.Hour,
			Seconds: period.Hour,
			Share:   n.shares[k], Where: n.of(f.Holder).on(f.Slice.Device, f.Slice.Slice),
			Quality: ledger.Measured, Numbers: numbers})
	}
}
