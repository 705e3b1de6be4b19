package fleet

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Join is all devices of a node: those that exporters saw, and those that only other sources name. The exporter's index
// counts for a card that was seen; other sources only add that it is registered or in MIG mode. A registered card that
// was never seen takes the slot in its register or, if another card was seen in that slot at the time, the lowest free
// one.
func Join(seen, said []ledger.Device) []ledger.Device {
	if len(said) == 0 {
		return seen
	}
	out := slices.Clone(seen)
	said = slices.Clone(said)
	slices.SortFunc(said, func(a, b ledger.Device) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.UUID, b.UUID))
	})
	for _, d := range said {
		known := false
		for i := range out[:len(seen)] {
			if out[i].UUID == d.UUID {
				out[i].InMIG, out[i].Registered = out[i].InMIG || d.InMIG, out[i].Registered || d.Registered
				known = true
			}
		}
		if known || !d.Registered {
			continue
		}
		d.Index = freeSlot(out, d)
		out = append(out, d)
	}
	return out
}

func freeSlot(taken []ledger.Device, d ledger.Device) int32 {
	during := func(d ledger.Device) period.Interval { return period.Interval{From: d.First, To: d.Last + period.Hour} }
	free := func(index int32) bool {
		return !slices.ContainsFunc(taken, func(t ledger.Device) bool {
			return t.Index == index && during(t).Overlaps(during(d))
		})
	}
	if d.Index >= 0 && free(d.Index) {
		return d.Index
	}
	for index := range int32(ledger.MaxGPUs) {
		if free(index) {
			return index
		}
	}
	return d.Index
}
