package waste

import (
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Environments, as owners name them.
var (
	productionEnvironments = []string{"production", "prod"}
	devEnvironments        = []string{"dev", "development", "test", "sandbox"}
)

// sharing marks cards whose sharing does not suit their holders.
func (n *nodeDay) sharing() {
	type stretch struct {
		period.Interval
		holder ledger.ID
		slice  int32
	}
	bySlot := map[int32][]stretch{}
	for i := range n.Spans {
		s := &n.Spans[i]
		if !s.Holder.IsZero() && n.day.Holders[s.Holder] != nil {
			bySlot[s.Slot] = append(bySlot[s.Slot], stretch{period.Interval{From: s.From, To: s.To}, s.Holder, s.Slice})
		}
	}
	for _, slot := range slices.Sorted(maps.Keys(bySlot)) {
		teams, work, holds := map[string][]period.Interval{}, map[string][]period.Interval{},
			map[ledger.ID][]period.Interval{}
		var instances []period.Interval
		onlyDev := true
		for _, s := range bySlot[slot] {
			h := n.day.Holders[s.holder]
			holds[s.holder] = append(holds[s.holder], s.Interval)
			if s.slice == ledger.WholeDevice {
				if h.Team != "" {
					teams[h.Team] = append(teams[h.Team], s.Interval)
				}
				if h.Class == ledger.ClassRun || h.Class == ledger.ClassService {
					work[string(h.Class)] = append(work[string(h.Class)], s.Interval)
				}
				continue
			}
			instances = append(instances, s.Interval)
			onlyDev = onlyDev && slices.Contains(devEnvironments, h.Environment)
		}
		device := n.devices[slot]
		card := Key{OfDevice, n.Node.subject() + "/" + device}
		for _, among := range []struct {
			kind Kind
			of   map[string][]period.Interval
		}{{TimeslicingAcrossTeams, teams}, {MixedOnSharedCard, work}} {
			if both := atOnce(among.of); device != "" && seconds(both) >= SharedSeconds {
				n.markSlot(card, among.kind, slot, both, holds)
			}
		}
		if device != "" && len(instances) > 0 && onlyDev {
			n.markSlot(card, MIGInDev, slot, union(instances, 0), holds)
		}
		if n.Node.Replicas < 2 {
			continue
		}
		for _, id := range slices.SortedFunc(maps.Keys(holds),
			func(a, b ledger.ID) int { return slices.Compare(a[:], b[:]) }) {
			if h := n.day.Holders[id]; slices.Contains(productionEnvironments, h.Environment) {
				n.markSlot(Key{OfWorkload, h.Workload()}, TimeslicingProduction, slot, union(holds[id], 0),
					map[ledger.ID][]period.Interval{id: nil})
			}
		}
	}
}

// markSlot marks a stretch of a slot's day with the given holders' part of it on this day.
func (n *nodeDay) markSlot(key Key, kind Kind, slot int32, when []period.Interval, of map[ledger.ID][]period.Interval) {
	m := Mark{
		Kind: kind, From: when[0].From, To: when[len(when)-1].To,
		Seconds: seconds(when), Where: n.place(), Quality: ledger.Measured,
	}
	first := true
	for _, k := range slices.SortedFunc(maps.Keys(n.shares), compareHeld) {
		if _, ok := of[k.holder]; !ok || k.slot != slot || n.day.Holders[k.holder] == nil {
			continue
		}
		m.Share.add(n.shares[k])
		who := n.of(n.day.Holders[k.holder])
		if first {
			m.Where, first = who, false
		} else {
			m.Where = m.Where.join(who)
		}
	}
	m.Where = m.Where.on(n.devices[slot], ledger.WholeDevice)
	n.day.trace(key.Scope, key.Subject).mark(m)
}

// atOnce is when at least two of the keys have an interval.
func atOnce(of map[string][]period.Interval) []period.Interval {
	type change struct {
		at  period.Second
		add int
	}
	var changes []change
	for _, list := range of {
		for _, v := range union(list, 0) {
			changes = append(changes, change{v.From, 1}, change{v.To, -1})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return int(a.at - b.at) })
	var out []period.Interval
	n, from := 0, period.Second(0)
	for i := 0; i < len(changes); {
		at, before := changes[i].at, n
		for ; i < len(changes) && changes[i].at == at; i++ {
			n += changes[i].add
		}
		switch {
		case before < 2 && n >= 2:
			from = at
		case before >= 2 && n < 2:
			out = append(out, period.Interval{From: from, To: at})
		}
	}
	return out
}
