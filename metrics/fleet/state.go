package fleet

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// ActivitySignal chooses the signal for the activity of a device or slice in an hour (docs/rules.md 5.1); false without
// any.
func ActivitySignal(slice int32, vectors map[ledger.Signal]ledger.Minutes) (ledger.Signal, bool) {
	if v, ok := vectors[ledger.SignalGrEngine]; ok && v.Known&minutes.AllKnown != 0 {
		return ledger.SignalGrEngine, true
	}
	if v, ok := vectors[ledger.SignalGPUUtil]; ok && v.Known&minutes.AllKnown != 0 && slice == ledger.WholeDevice {
		return ledger.SignalGPUUtil, true
	}
	return "", false
}

// NewestAt returns the newest value of the vector of an hour at or before at,
// if it is Fresh.
func NewestAt(v *ledger.Minutes, hour, at period.Second) Reading {
	for m := min(int64(at-hour)/period.Minute, 59); m >= 0; m-- {
		if hour+period.Second(m*period.Minute)+Fresh < at.Floor(period.Minute) {
			break
		}
		if value, ok := minutes.At(v, int(m)); ok {
			return Reading{Value: value, Known: true}
		}
	}
	return Reading{}
}

// EmptyLine has no known minute.
func EmptyLine() Line {
	var l Line
	for i := range l {
		l[i] = -1
	}
	return l
}

// Put adds the minutes of one hour to a line that ends with the minute of at.
func (l *Line) Put(v *ledger.Minutes, hour, at period.Second) {
	last := at.Floor(period.Minute)
	for m := range 60 {
		value, ok := minutes.At(v, m)
		back := int64(last-hour)/period.Minute - int64(m)
		if ok && back >= 0 && back < Window {
			l[Window-1-back] = value
		}
	}
}

// stateOf is the state of a part of a device. held: a holder is known; placed: the cluster's source names holders.
func stateOf(activity Reading, held, placed bool) State {
	switch {
	case activity.Known && activity.Value >= ActivePPM:
		return Active
	case held && activity.Known:
		return Idle
	case held, !placed:
		return Unobserved
	}
	return Free
}

// stateOfSlices is the card's state: of its slices' states the first in the order of States, so that one working slice
// makes the card active.
func stateOfSlices(slices []Slice) State {
	rank := map[State]int{}
	for i, s := range States {
		rank[s] = i
	}
	best := Silent
	for i := range slices {
		if rank[slices[i].State] < rank[best] {
			best = slices[i].State
		}
	}
	return best
}
