package timeline

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

const ppm = 1_000_000

// Activity is the mean activity of a run's GPUs in buckets of equal length.
type Activity struct {
	Buckets []Bucket
	Signal  ledger.Signal        // the signal of most minutes; empty: unknown
	Held    int64                // device-minutes held
	Known   int64                // of those, with a sample
	Slots   int                  // slots averaged
	AllIn   bool                 // false: only some slots were read
	Memory  map[ledger.ID]Memory // by attempt; absent: no sample
}

// Memory is the most that one device or slice of an attempt used in a minute, in bytes, and that device's or slice's
// memory.
type Memory struct{ Used, Card int64 }

// Bucket is a stretch of time. Known is the number of device-minutes behind the mean; 0: unknown.
type Bucket struct {
	SumPPM int64
	Known  int64
}

// Mean returns the mean activity in 0..1 and whether it is known. It is for drawing only; no figure is computed from
// it.
func (b Bucket) Mean() (float64, bool) {
	if b.Known == 0 {
		return 0, false
	}
	return float64(b.SumPPM) / float64(b.Known) / ppm, true
}

// Slot names a slot or slice of a node.
type Slot struct {
	NodeID  ledger.ID
	Slot    int32
	SliceID int32
}

// Averager adds up hours of samples over the slots that a run held.
type Averager struct {
	span    period.Interval
	held    map[Slot][]period.Interval
	tries   map[Slot][]Span
	memory  map[ledger.ID]Memory
	buckets []Bucket
	signals map[ledger.Signal]int64
	known   int64
}

// NewAverager prepares n buckets over span for the slots in spans.
func NewAverager(span period.Interval, n int, spans []Span) *Averager {
	a := &Averager{
		span: span, held: map[Slot][]period.Interval{}, tries: map[Slot][]Span{},
		memory: map[ledger.ID]Memory{}, buckets: make([]Bucket, max(n, 1)), signals: map[ledger.Signal]int64{},
	}
	for _, s := range spans {
		key := Slot{s.NodeID, s.Slot, s.SliceID}
		a.held[key] = append(a.held[key], s.Interval)
		a.tries[key] = append(a.tries[key], s)
	}
	for key, list := range a.held {
		a.held[key] = merge(list)
	}
	return a
}

// merge sorts intervals and joins those that touch.
func merge(list []period.Interval) []period.Interval {
	slices.SortFunc(list, func(a, b period.Interval) int { return int(a.From - b.From) })
	out := list[:0]
	for _, i := range list {
		if n := len(out); n > 0 && i.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, i.To)
			continue
		}
		out = append(out, i)
	}
	return out
}

// Add adds one hour of vectors of a slot. Only minutes in which the run held the slot count. The signal is that of
// docs/rules.md 5.1.
func (a *Averager) Add(slot Slot, hour period.Second, vectors map[ledger.Signal]ledger.Minutes) {
	a.addMemory(slot, hour, vectors)
	signal := ledger.SignalGrEngine
	v, ok := vectors[signal]
	if (!ok || v.Known == 0) && slot.SliceID == ledger.WholeDevice {
		signal = ledger.SignalGPUUtil
		v, ok = vectors[signal]
	}
	if !ok {
		return
	}
	length := a.span.Seconds()
	if length == 0 {
		return
	}
	for _, held := range a.held[slot] {
		part := held.Intersect(period.Interval{From: hour, To: hour + period.Hour})
		for at := range part.Steps(period.Minute) {
			value, known := minutes.At(&v, int((at-hour)/period.Minute))
			middle := int64(at + period.Minute/2 - a.span.From)
			if !known || middle < 0 || middle >= length {
				continue
			}
			b := &a.buckets[middle*int64(len(a.buckets))/length]
			b.SumPPM += min(max(value, 0), ppm)
			b.Known++
			a.known++
			a.signals[signal]++
		}
	}
}

// addMemory keeps the fullest minute of each attempt.
func (a *Averager) addMemory(slot Slot, hour period.Second, vectors map[ledger.Signal]ledger.Minutes) {
	used, ok := vectors[ledger.SignalMemoryUsed]
	if !ok || used.Known == 0 {
		return
	}
	free := vectors[ledger.SignalMemoryFree]
	for _, s := range a.tries[slot] {
		part := s.Intersect(period.Interval{From: hour, To: hour + period.Hour})
		for at := range part.Steps(period.Minute) {
			minute := int((at - hour) / period.Minute)
			value, known := minutes.At(&used, minute)
			if !known || value <= a.memory[s.Attempt].Used {
				continue
			}
			m := Memory{Used: value}
			if left, ok := minutes.At(&free, minute); ok {
				m.Card = value + left
			}
			a.memory[s.Attempt] = m
		}
	}
}

// Activity returns the sums.
func (a *Averager) Activity() Activity {
	r := Activity{Buckets: a.buckets, Known: a.known, Slots: len(a.held), AllIn: true, Memory: a.memory}
	for _, list := range a.held {
		for _, i := range list {
			for range i.Steps(period.Minute) {
				r.Held++
			}
		}
	}
	for _, s := range []ledger.Signal{ledger.SignalGrEngine, ledger.SignalGPUUtil} {
		if a.signals[s] > a.signals[r.Signal] {
			r.Signal = s
		}
	}
	return r
}
