package analysis

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
)

// HeldSlice is a slot of a machine, or a slice of its card.
type HeldSlice struct {
	NodeID        ledger.ID
	Slot, SliceID int32
}

// WorkloadHolder is a workload that held cards, with the keys that decide who may see it.
type WorkloadHolder struct{ WorkloadID, OwnerID, NodeID ledger.ID }

// RunHolder is an attempt of a run.
type RunHolder struct {
	RunID     string
	AttemptID ledger.ID
}

// Held is a stretch in which a workload held a slice. RunID is empty if it did not belong to a run.
type Held struct {
	HeldSlice
	period.Interval
	WorkloadID, OwnerID ledger.ID
	RunHolder
}

// HolderSignals counts the activity of a day's minutes in which workloads and runs held slices (docs/figures.md
// 17.8).
type HolderSignals struct {
	day       period.Interval
	step      int64
	workloads heldBy[WorkloadHolder]
	runs      heldBy[RunHolder]
}

// heldBy has the minutes of holders, and the counts from them.
type heldBy[K comparable] struct {
	held    map[HeldSlice][]heldMinutes[K]
	counted map[heldAt[K]]*Measured
}

// heldMinutes are the minutes of a day in which a holder had a slice, as bits by hour.
type heldMinutes[K comparable] struct {
	holder K
	hours  [24]uint64
}

type heldAt[K comparable] struct {
	holder K
	at     period.Second
}

const wholeHour = 1<<60 - 1

// NewHolderSignals returns an empty count of a UTC day, in steps of an hour or a day.
func NewHolderSignals(day period.Interval, step int64) *HolderSignals {
	return &HolderSignals{day: day, step: step,
		workloads: heldBy[WorkloadHolder]{
			map[HeldSlice][]heldMinutes[WorkloadHolder]{}, map[heldAt[WorkloadHolder]]*Measured{},
		},
		runs: heldBy[RunHolder]{map[HeldSlice][]heldMinutes[RunHolder]{}, map[heldAt[RunHolder]]*Measured{}}}
}

// Hold notes the minutes that begin in a stretch. All stretches of the day must be noted before samples are counted.
func (g *HolderSignals) Hold(h Held) {
	i := h.Intersect(g.day)
	var hours [24]uint64
	for at := (i.From + period.Minute - 1).Floor(period.Minute); at < i.To; at += period.Minute {
		minute := (at - g.day.From) / period.Minute
		hours[minute/60] |= 1 << (minute % 60)
	}
	g.workloads.hold(h.HeldSlice, WorkloadHolder{h.WorkloadID, h.OwnerID, h.NodeID}, &hours)
	if h.RunID != "" {
		g.runs.hold(h.HeldSlice, h.RunHolder, &hours)
	}
}

func (b *heldBy[K]) hold(of HeldSlice, holder K, hours *[24]uint64) {
	list := b.held[of]
	i := slices.IndexFunc(list, func(m heldMinutes[K]) bool { return m.holder == holder })
	if i < 0 {
		i = len(list)
		list = append(list, heldMinutes[K]{holder: holder})
		b.held[of] = list
	}
	for h := range hours {
		list[i].hours[h] |= hours[h]
	}
}

// AddHour counts an hour of a slice for holders that held it for the whole hour. It reports whether others held it
// for a part: they need its minutes (AddMinutes).
func (g *HolderSignals) AddHour(of HeldSlice, h *SignalHour) (part bool) {
	signal := h.activity()
	if h.Figures[signal].Minutes == 0 {
		return false
	}
	g.each(of, h.Hour, func(m *Measured, held uint64) {
		if held == wholeHour {
			m.add(h, signal, nil)
		} else {
			part = true
		}
	})
	return part
}

// AddMinutes counts the minutes of an hour of a slice for holders that held it for a part of the hour.
func (g *HolderSignals) AddMinutes(of HeldSlice, hour period.Second, vectors map[ledger.Signal]ledger.Minutes) {
	v := vectors[ledger.SignalGrEngine]
	if v.Known == 0 && of.SliceID == ledger.WholeDevice {
		v = vectors[ledger.SignalGPUUtil]
	}
	g.each(of, hour, func(m *Measured, held uint64) {
		if held == wholeHour {
			return
		}
		for minute := range 60 {
			if value, known := minutes.At(&v, minute); known && held>>minute&1 == 1 {
				m.addMinute(value)
			}
		}
	})
}

// each calls f for each holder of a slice in an hour, with the minutes held.
func (g *HolderSignals) each(of HeldSlice, hour period.Second, f func(m *Measured, held uint64)) {
	at, of24 := hour.Floor(g.step), (hour-g.day.From)/period.Hour
	g.workloads.each(of, int(of24), at, f)
	g.runs.each(of, int(of24), at, f)
}

func (b *heldBy[K]) each(of HeldSlice, hour int, at period.Second, f func(m *Measured, held uint64)) {
	for i := range b.held[of] {
		h := &b.held[of][i]
		if h.hours[hour] == 0 {
			continue
		}
		key := heldAt[K]{h.holder, at}
		m := b.counted[key]
		if m == nil {
			m = &Measured{}
			b.counted[key] = m
		}
		f(m, h.hours[hour])
	}
}

// WorkloadMinutes are the counted minutes of a workload from At on.
type WorkloadMinutes struct {
	WorkloadHolder
	At   period.Second
	Bins []int64
}

// RunMinutes are the counted minutes of an attempt from At on.
type RunMinutes struct {
	RunHolder
	At   period.Second
	Bins []int64
}

// Workloads returns the counts of workloads in order, without workloads that have no known minute.
func (g *HolderSignals) Workloads() (list []WorkloadMinutes) {
	for k, m := range g.workloads.counted {
		if m.pack(); len(m.Bins) > 0 {
			list = append(list, WorkloadMinutes{k.holder, k.at, m.Bins})
		}
	}
	slices.SortFunc(list, func(a, b WorkloadMinutes) int {
		return cmp.Or(slices.Compare(a.WorkloadID[:], b.WorkloadID[:]), slices.Compare(a.NodeID[:], b.NodeID[:]),
			slices.Compare(a.OwnerID[:], b.OwnerID[:]), cmp.Compare(a.At, b.At))
	})
	return list
}

// Runs returns the counts of attempts, in order of their runs.
func (g *HolderSignals) Runs() (list []RunMinutes) {
	for k, m := range g.runs.counted {
		if m.pack(); len(m.Bins) > 0 {
			list = append(list, RunMinutes{k.holder, k.at, m.Bins})
		}
	}
	slices.SortFunc(list, func(a, b RunMinutes) int {
		return cmp.Or(strings.Compare(a.RunID, b.RunID), slices.Compare(a.AttemptID[:], b.AttemptID[:]),
			cmp.Compare(a.At, b.At))
	})
	return list
}

// addMinute counts one minute.
func (m *Measured) addMinute(value int64) {
	if m.counts == nil {
		m.counts = map[int32]uint64{}
	}
	m.Minutes++
	m.Total += value
	m.counts[sketch.BinOf(max(value, 0))]++
}
