package timeline

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

func TestAveragerCountsOnlyHeldAndKnownMinutes(t *testing.T) {
	hour := period.Second(1_795_096_800)
	node := ledger.NewID("node", "a")
	slot := Slot{node, 0, ledger.WholeDevice}
	spans := []Span{
		{NodeID: node, SliceID: ledger.WholeDevice, Interval: period.Interval{From: hour + 600, To: hour + 1200}},
		{NodeID: node, SliceID: ledger.WholeDevice, Interval: period.Interval{From: hour + 1200, To: hour + 1800}},
	}
	var v ledger.Minutes
	for m := range 60 {
		if m != 15 { // a gap
			minutes.Set(&v, m, 0, 500_000)
		}
	}
	a := NewAverager(period.Interval{From: hour, To: hour + period.Hour}, 60, spans)
	a.Add(slot, hour, map[ledger.Signal]ledger.Minutes{ledger.SignalGPUUtil: v})
	a.Add(Slot{node, 1, ledger.WholeDevice}, hour, map[ledger.Signal]ledger.Minutes{ledger.SignalGPUUtil: v})
	got := a.Activity()
	if got.Held != 20 || got.Known != 19 || got.Signal != ledger.SignalGPUUtil {
		t.Errorf("held %d, known %d, signal %s; want 20, 19, gpu_util_ppm", got.Held, got.Known, got.Signal)
	}
	for m, b := range got.Buckets {
		mean, known := b.Mean()
		want := m >= 10 && m < 30 && m != 15
		if known != want || (known && mean != .5) {
			t.Errorf("minute %d: mean %v, known %v; want known %v", m, mean, known, want)
		}
	}
}

func TestSliceTakesNoWholeDeviceSignal(t *testing.T) {
	node := ledger.NewID("node", "a")
	var v ledger.Minutes
	minutes.Set(&v, 0, 0, 500_000)
	a := NewAverager(period.Interval{From: 0, To: 3600}, 1, []Span{
		{NodeID: node, SliceID: 3, Interval: period.Interval{From: 0, To: 60}},
	})
	a.Add(Slot{node, 0, 3}, 0, map[ledger.Signal]ledger.Minutes{ledger.SignalGPUUtil: v})
	if got := a.Activity(); got.Known != 0 {
		t.Errorf("a MIG slice took the whole device's utilisation: %+v", got)
	}
}
