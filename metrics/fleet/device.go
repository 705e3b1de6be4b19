package fleet

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// DeviceDetail is one device: what it does now, the hour before its newest
// sample, who held it lately and the layouts it had.
type DeviceDetail struct {
	AsOf period.Second // the end of the hour shown
	Live bool
	Node Node // without other devices
	Device
	Lines   map[ledger.Signal]Line
	Layouts []Layout
	Held    []HeldHour // of the last day, newest first
	// InPart: who asks sees a part of the books, so that Lines are left out.
	InPart bool
}

// Layout is a stretch of hours in which a slice was seen; SliceID WholeDevice
// stands for the card as a whole.
type Layout struct {
	SliceID  int32
	Profile  string
	From, To period.Second // first and last sample
}

// HeldHour says in how many minutes of an hour a workload was named on a slice.
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
	// A silent device is shown as it was last.
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

// Own reports whether somebody of his, who sees a part of the books, holds the device or
// was named on it in the last day.
func (d *DeviceDetail) Own() bool {
	return d.Named() || slices.ContainsFunc(d.Held, func(h HeldHour) bool {
		of := Holder{Namespace: h.Namespace, Name: h.Name}
		return !of.Other()
	})
}

// HideLines leaves what the fleet shows to everybody: minute by minute the other signals
// say what the work of whoever held the device is like, and that may be others'.
func (d *DeviceDetail) HideLines() {
	d.InPart, d.Lines = true, map[ledger.Signal]Line{}
}

// Highest returns the largest known value of a line, and whether any is known.
func (l *Line) Highest() (int64, bool) {
	high := slices.Max(l[:])
	return high, high >= 0
}
