package allocation

import (
	"fmt"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

// BenchmarkNodeDay allocates one day of an eight-GPU node: pods coming and
// going, changing activity, energy, two parts per hour.
func BenchmarkNodeDay(b *testing.B) {
	s := newStory(b, 8)
	for slot := range 8 {
		device := fmt.Sprintf("GPU-%d", slot)
		s.set(device, slot, ledger.WholeDevice, "", ledger.SignalGrEngine, between("-1:00", "25:00"),
			func(m int) int64 { return int64((m / 45 % 3) * 400_000) })
		s.set(device, slot, ledger.WholeDevice, "", ledger.SignalEnergy, between("-1:00", "25:00"),
			func(m int) int64 { return int64(m) * 15_000_000 })
		for h := range 8 {
			s.pod(fmt.Sprintf("pod-%d-%d", slot, h), fmt.Sprintf("%d:00", 3*h), fmt.Sprintf("%d:40", 3*h+2), 1, slot)
		}
	}
	for h := range 24 {
		s.bill(fmt.Sprintf("%d:00", h), 1800, "49.16")
		s.bill(fmt.Sprintf("%d:00", h), 1800, "27.4441")
	}
	engine, err := NewNode(s.node, policy.Default())
	if err != nil {
		b.Fatal(err)
	}
	in := s.dayInput()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Day(in); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPartitionedDay is a day of eight cards cut into seven slices each,
// all of them held.
func BenchmarkPartitionedDay(b *testing.B) {
	s := newStory(b, 8)
	for slot := range 8 {
		for id := range int32(7) {
			name := fmt.Sprintf("pod-%d-%d", slot, id)
			s.set(fmt.Sprintf("GPU-%d", slot), slot, id, "1g.5gb", ledger.SignalGrEngine, between("-1:00", "25:00"),
				func(m int) int64 { return int64((m / 45 % 3) * 400_000) })
			s.pod(name, "0:00", "24:00", 0)
			s.named(name, slot, id, "1:00", "1:02")
		}
	}
	for h := range 24 {
		s.bill(fmt.Sprintf("%d:00", h), 3600, "49.16")
	}
	engine, err := NewNode(s.node, policy.Default())
	if err != nil {
		b.Fatal(err)
	}
	in := s.dayInput()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Day(in); err != nil {
			b.Fatal(err)
		}
	}
}
