package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Wait is a workload that still waits for GPUs of one machine.
type Wait struct {
	Cluster string
	GPUs    int64
	During  period.Interval
}

// freeSlots is the free part of a machine on the day.
type freeSlots struct {
	node  Node
	where Where
	spans []freeSpan
	rows  map[slotHour]Share // of the free rows
	secs  map[slotHour]int64 // seconds of them
}

type slotHour struct {
	slot int32
	hour period.Second
}

// freeSpan is a stretch in which a whole card was free.
type freeSpan struct {
	period.Interval
	slot int32
}

// freeOf gathers the free whole cards of the machine. The rest of a partitioned card is not a whole card.
func (n *nodeDay) freeOf() freeSlots {
	f := freeSlots{node: n.Node, where: n.place(), rows: map[slotHour]Share{}, secs: map[slotHour]int64{}}
	cut := map[int32][]period.Interval{}
	for i := range n.Spans {
		if s := &n.Spans[i]; s.Slice != ledger.WholeDevice {
			cut[s.Slot] = append(cut[s.Slot], period.Interval{From: s.From, To: s.To})
		}
	}
	for i := range n.Spans {
		s := &n.Spans[i]
		if s.Cause != ledger.Free || s.Slice != ledger.WholeDevice {
			continue
		}
		v := period.Interval{From: s.From, To: s.To}
		byHour(s.From, s.To, func(from, to period.Second) {
			f.secs[slotHour{s.Slot, from.Floor(period.Hour)}] += int64(to - from)
		})
		if !slices.ContainsFunc(cut[s.Slot], v.Overlaps) {
			f.spans = append(f.spans, freeSpan{v, s.Slot})
		}
	}
	for i := range n.Rows {
		if r := &n.Rows[i]; r.Cause == ledger.Free && r.Slice == ledger.WholeDevice {
			k := slotHour{r.Slot, r.Hour}
			v := f.rows[k]
			v.add(Share{r.Capacity, r.Cost})
			f.rows[k] = v
		}
	}
	return f
}

// odd reports whether this number of free GPUs of a machine is a remainder: not the size of one job of 2, 4 or 8.
func odd(free int) bool { return free == 1 || free == 3 || free == 5 || free == 6 || free == 7 }

// Finish marks findings that need all machines: GPUs free in odd numbers while a workload waited for more than any
// machine of the cluster had free, and pods that got a dearer model than the cheapest.
func (d *Day) Finish(waits []Wait) {
	d.markUnpicked()
	byCluster := map[string][]freeSlots{}
	for _, f := range d.free {
		byCluster[f.node.Cluster] = append(byCluster[f.node.Cluster], f)
	}
	byWait := map[string][]Wait{}
	for _, w := range waits {
		if w.GPUs == 2 || w.GPUs == 4 || w.GPUs == 8 {
			byWait[w.Cluster] = append(byWait[w.Cluster], w)
		}
	}
	for cluster, list := range byWait {
		for i, stretches := range fragmented(byCluster[cluster], list, period.DayOf(d.Day)) {
			if n := seconds(stretches); n >= FragmentSeconds {
				d.markFragmented(&byCluster[cluster][i], stretches, n)
			}
		}
	}
}

// fragmented is when each of the machines had an odd rest.
func fragmented(machines []freeSlots, waits []Wait, day period.Interval) [][]period.Interval {
	type change struct {
		at      period.Second
		machine int // −1: the waits
		gpus    int64
		add     int
	}
	var changes []change
	for i := range machines {
		for _, s := range machines[i].spans {
			changes = append(changes, change{s.From, i, 0, 1}, change{s.To, i, 0, -1})
		}
	}
	for _, w := range waits {
		if in := w.During.Intersect(day); !in.Empty() {
			changes = append(changes, change{in.From, -1, w.GPUs, 1}, change{in.To, -1, w.GPUs, -1})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	out := make([][]period.Interval, len(machines))
	if len(machines) == 0 {
		return out
	}
	free, waiting := make([]int, len(machines)), map[int64]int{}
	for i := 0; i < len(changes); {
		from := changes[i].at
		for ; i < len(changes) && changes[i].at == from; i++ {
			if c := changes[i]; c.machine < 0 {
				waiting[c.gpus] += c.add
			} else {
				free[c.machine] += c.add
			}
		}
		want := int64(0)
		for gpus, n := range waiting {
			if n > 0 {
				want = max(want, gpus)
			}
		}
		if i == len(changes) || want == 0 || want <= int64(slices.Max(free)) {
			continue
		}
		for m, n := range free {
			if odd(n) {
				out[m] = append(out[m], period.Interval{From: from, To: changes[i].at})
			}
		}
	}
	return out
}

func (d *Day) markFragmented(f *freeSlots, when []period.Interval, n int64) {
	m := Mark{Kind: NodeFragmentation, From: when[0].From, To: when[len(when)-1].To, Seconds: n, Where: f.where,
		Quality: ledger.Measured,
		Numbers: []Number{{"waited", "seconds", n}}}
	parts := map[slotHour]int64{}
	for _, w := range when {
		for _, s := range f.spans {
			in := w.Intersect(s.Interval)
			byHour(in.From, in.To, func(from, to period.Second) {
				parts[slotHour{s.slot, from.Floor(period.Hour)}] += int64(to - from)
			})
		}
	}
	for k, part := range parts {
		m.Share.add(f.rows[k].scaled(part, f.secs[k]))
	}
	t := d.trace(OfNode, f.node.subject())
	t.Marks = append(t.Marks, m)
}
