package analysis

import (
	"cmp"
	"slices"

	"gpuledger/internal/catalog"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
)

// SignalHour is one hour of minute values of a device or slice.
type SignalHour struct {
	Device  string
	SliceID int32
	Profile string
	Hour    period.Second
	// InstanceType and Model give the amount of memory if it was not measured.
	Provider, InstanceType, Model string
	Figures                       map[ledger.Signal]SignalFigures
	Sketches                      map[ledger.Signal]sketch.Sketch
}

// SignalFigures are the minute values of a signal in an hour.
type SignalFigures struct{ Minutes, Total, Low, High, P95 int64 }

// Holding is the holder that an hour of a slice counts for (rule 17.2).
type Holding struct {
	NodeID           ledger.ID
	Slot             int32
	Device, Profile  string
	OwnerID          ledger.ID
	Class, Namespace string
}

// DeviceDay is the telemetry of one holding's hours.
type DeviceDay struct {
	Holding
	Hours, ThrottledHours int32
	XIDs                  []int32
	// Signals in the order of MeasuredSignals.
	Signals [MeasuredCount]Measured
}

// Measured are the minutes of a signal: how many, their sum, and the counts of their values, ascending, in the format
// of sketch.Pack.
type Measured struct {
	Minutes, Total int64
	Bins           []int64
	counts         map[int32]uint64
}

// Signals in days of devices, in column order.
const (
	measuredActivity = iota
	measuredSM
	measuredTensor
	measuredDRAM
	measuredMemory
	measuredPower
	MeasuredCount
)

// plain are the signals that keep their own unit.
var plain = map[int]ledger.Signal{
	measuredSM: ledger.SignalSM, measuredTensor: ledger.SignalTensor,
	measuredDRAM: ledger.SignalDRAM, measuredPower: ledger.SignalPower,
}

// DeviceSignals collects the hours of a day by holding.
type DeviceSignals struct{ days map[Holding]*DeviceDay }

// NewDeviceSignals returns an empty DeviceSignals.
func NewDeviceSignals() *DeviceSignals { return &DeviceSignals{days: map[Holding]*DeviceDay{}} }

// Add counts an hour for a holding.
func (g *DeviceSignals) Add(to Holding, h *SignalHour) {
	d := g.days[to]
	if d == nil {
		d = &DeviceDay{Holding: to}
		g.days[to] = d
	}
	d.Hours++
	if throttled(h) {
		d.ThrottledHours++
	}
	if code := int32(h.Figures[ledger.SignalXID].High); code != 0 && !slices.Contains(d.XIDs, code) {
		d.XIDs = append(d.XIDs, code)
	}
	d.Signals[measuredActivity].add(h, h.activity(), nil)
	for i, signal := range plain {
		d.Signals[i].add(h, signal, nil)
	}
	if size := memoryOf(h); size > 0 {
		d.Signals[measuredMemory].add(h, ledger.SignalMemoryUsed, func(v int64) int64 { return share(v, size) })
	}
}

// activity is the signal that the hour's activity is read from (rule 5.1).
func (h *SignalHour) activity() ledger.Signal {
	if _, ok := h.Figures[ledger.SignalGrEngine]; !ok && h.SliceID == ledger.WholeDevice {
		return ledger.SignalGPUUtil
	}
	return ledger.SignalGrEngine
}

// share is v ÷ of in ppm, rounded down.
func share(v, of int64) int64 { return v/of*million + v%of*million/of }

const million = 1_000_000

// add counts the minutes of a signal, with values converted by convert.
func (m *Measured) add(h *SignalHour, signal ledger.Signal, convert func(int64) int64) {
	f, ok := h.Figures[signal]
	if !ok {
		return
	}
	if convert == nil {
		convert = func(v int64) int64 { return v }
	}
	m.Minutes += f.Minutes
	m.Total += convert(f.Total)
	s, ok := h.Sketches[signal]
	if !ok {
		return
	}
	if m.counts == nil {
		m.counts = map[int32]uint64{}
	}
	s.Each(func(bin int32, count uint64) {
		m.counts[sketch.BinOf(max(convert(sketch.ValueOf(bin)), 0))] += count
	})
}

// throttleReasons are the bits of NVML's clocks event reasons that slow a busy
// GPU down: software power cap, hardware slowdown, software and hardware
// thermal slowdown, hardware power brake.
const throttleReasons = 0x4 | 0x8 | 0x20 | 0x40 | 0x80

// throttledTime is a tenth of an hour in nanoseconds.
const throttledTime = 360 * 1_000_000_000

// throttled reports whether rule 17.3 applies to the hour.
func throttled(h *SignalHour) bool {
	for _, signal := range []ledger.Signal{ledger.SignalThrottlePower, ledger.SignalThrottleThermal} {
		if f, ok := h.Figures[signal]; ok && f.High-f.Low >= throttledTime {
			return true
		}
	}
	return h.Figures[ledger.SignalThrottle].P95&throttleReasons != 0
}

// memoryOf is the memory of the device or slice in bytes; 0 if unknown.
func memoryOf(h *SignalHour) int64 {
	used, free := h.Figures[ledger.SignalMemoryUsed], h.Figures[ledger.SignalMemoryFree]
	if used.Minutes > 0 && free.Minutes == used.Minutes {
		return (used.Total + free.Total) / used.Minutes
	}
	t, ok := catalog.LookupAt(h.Provider, h.InstanceType)
	if !ok {
		return 0
	}
	size := t.MemoryMiB << 20
	if h.SliceID != ledger.WholeDevice {
		card := mig.CardOf(h.Model)
		size = size * int64(card.ShapeOf(h.Profile).Memory) / int64(card.Memory)
	}
	return size
}

// Rows returns the collected days, ordered by holding.
func (g *DeviceSignals) Rows() []DeviceDay {
	out := make([]DeviceDay, 0, len(g.days))
	for _, d := range g.days {
		slices.Sort(d.XIDs)
		for i := range d.Signals {
			d.Signals[i].pack()
		}
		out = append(out, *d)
	}
	slices.SortFunc(out, func(a, b DeviceDay) int {
		return cmp.Or(slices.Compare(a.NodeID[:], b.NodeID[:]), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Device, b.Device),
			cmp.Compare(a.Profile, b.Profile),
			slices.Compare(a.OwnerID[:], b.OwnerID[:]), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Namespace, b.Namespace))
	})
	return out
}

// pack writes the counts as bins, ascending.
func (m *Measured) pack() {
	for bin, count := range m.counts {
		m.Bins = append(m.Bins, sketch.Pack(bin, count))
	}
	slices.Sort(m.Bins)
	m.counts = nil
}
