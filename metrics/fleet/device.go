package fleet

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// DeviceDetail is one device: its current state, the hour before its newest sample, its recent holders and its layouts.
type DeviceDetail struct {
	AsOf period.Second // the end of the hour shown
	Live bool
	Node Node // without other devices
	Device
	Lines   map[ledger.Signal]Line
	Layouts []Layout
	Held    []HeldHour // of the last day, newest first
	// InPart: the user's scope is limited, so Lines are left out.
	InPart bool
}

// Layout is a stretch of hours in which a slice was seen; SliceID WholeDevice is the whole card.
type Layout struct {
	SliceID  int32
	Profile  string
	From, To period.Second // first and last sample
}

// HeldHour counts the minutes of an hour in which a workload was named on a slice.
type HeldHour struct {
	SliceID         int32
	Namespace, Name string
	Hour            period.Second
	Minutes         int
}

// shownSignals are drawn minute by minute.
var shownSignals = []ledger.Signal{
	ledger.SignalMemoryUsed, ledger.SignalPower, ledger.SignalTemperature,
	ledger.SignalSM, ledger.SignalTensor, ledger.SignalDRAM,
}

// Detail adds the time lines of the signals of the device in the snapshot's
// only node.
func (s *Snapshot) Detail(rows []Row) (DeviceDetail, bool) {
	if len(s.Nodes) != 1 || len(s.Nodes[0].Devices) != 1 {
		return DeviceDetail{}, false
	}
	// A silent device keeps its last state.
	s.AsOf = min(s.AsOf, s.Nodes[0].Devices[0].Newest)
	s.Fill(rows)
	n := s.Nodes[0]
	d := DeviceDetail{AsOf: s.AsOf, Live: s.Live, Device: n.Devices[0], Lines: map[ledger.Signal]Line{}}
	n.Devices = nil
	d.Node = n
	for i := range rows {
		r := &rows[i]
		if r.Device != d.UUID || r.SliceID != ledger.WholeDevice || r.Node != d.Node.Name || r.Cluster != d.Node.Cluster {
			continue
		}
		for _, signal := range shownSignals {
			v, ok := r.Vectors[signal]
			if !ok {
				continue
			}
			line, ok := d.Lines[signal]
			if !ok {
				line = EmptyLine()
			}
			line.Put(&v, r.Hour, s.AsOf)
			d.Lines[signal] = line
		}
	}
	return d, true
}

// Own reports whether a workload in the scoped user's scope holds the device or was named on it in the last day.
func (d *DeviceDetail) Own() bool {
	return d.Named() || slices.ContainsFunc(d.Held, func(h HeldHour) bool {
		of := Holder{Namespace: h.Namespace, Name: h.Name}
		return !of.Other()
	})
}

// HideLines keeps only what the fleet page shows to all users: minute by minute, the other signals reveal the work of
// the holder, who may be outside the user's scope.
func (d *DeviceDetail) HideLines() {
	d.InPart, d.Lines = true, map[ledger.Signal]Line{}
}

// Highest returns the largest known value of a line, and whether any is known.
func (l *Line) Highest() (int64, bool) {
	high := slices.Max(l[:])
	return high, high >= 0
}
