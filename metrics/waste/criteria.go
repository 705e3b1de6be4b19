package waste

import (
	"slices"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
)

// cardCriteria are judged per card and hour.
var cardCriteria = []struct {
	kind  Kind
	busy  bool // only hours in which it was working
	meets func(card *Hour) ([]Number, bool)
}{
	{Throttled, true, throttled},
	{XID, false, func(card *Hour) ([]Number, bool) {
		f, ok := card.Signals[ledger.SignalXID]
		return []Number{{"xid", "", f.High}}, ok && f.High > 0
	}},
}

// throttled is the time slowed down by power or heat: by the counters, else by the driver's reasons.
func throttled(card *Hour) ([]Number, bool) {
	for _, signal := range []ledger.Signal{ledger.SignalThrottlePower, ledger.SignalThrottleThermal} {
		if f, ok := card.Signals[signal]; ok {
			if s := (f.High - f.Low) / 1_000_000_000; s >= ThrottleSeconds {
				return []Number{{"throttled", "seconds per hour", s}}, true
			}
		}
	}
	f, ok := card.Signals[ledger.SignalThrottle]
	return []Number{{"throttle_reasons_p95", "bit set", f.P95}}, ok && f.P95&ThrottleReasons != 0
}

// sliceFigures are a slice's signals in an hour in which one holder had it.
type sliceFigures struct {
	Node    *Node
	Holder  *Holder
	Slice   *Hour
	Card    *Hour // the card itself; nil: unknown
	Host    *Hour // the machine itself; nil: unknown
	Several bool  // the holder had more than one slice
}

// sliceCriteria are judged per slice and hour.
var sliceCriteria = []struct {
	kind  Kind
	class ledger.WorkloadClass // empty: any
	busy  bool                 // only hours in which it was working
	meets func(f *sliceFigures, active Figure, known bool) ([]Number, bool)
}{
	{InputStarved, ledger.ClassRun, true, inputStarved},
	{MemoryBound, "", true, memoryBound},
	{CommunicationBound, "", true, communicationBound},
	{MemorySaturated, "", true, memorySaturated},
	{TrainingGradeInference, ledger.ClassService, false, trainingGrade},
}

func inputStarved(f *sliceFigures, active Figure, _ bool) ([]Number, bool) {
	if f.Host == nil {
		return nil, false
	}
	cpu, ok := f.Host.Signals[ledger.SignalHostCPU]
	if !ok || active.mean() >= StarvedPPM || cpu.mean() < HostFullPPM {
		return nil, false
	}
	return []Number{{"activity", "ppm", active.mean()}, {"host_cpu", "ppm", cpu.mean()}}, true
}

func memoryBound(f *sliceFigures, active Figure, _ bool) ([]Number, bool) {
	dram, ok := f.Slice.Signals[ledger.SignalDRAM]
	tensor, also := f.Slice.Signals[ledger.SignalTensor]
	if !ok || !also || active.mean() < BoundPPM || dram.mean() < MemoryBoundDRAMPPM ||
		tensor.mean() > MemoryBoundTensorPPM {
		return nil, false
	}
	return []Number{{"activity", "ppm", active.mean()}, {"dram", "ppm", dram.mean()}, {"tensor", "ppm", tensor.mean()}},
		true
}

func communicationBound(f *sliceFigures, active Figure, _ bool) ([]Number, bool) {
	sm, ok := f.Slice.Signals[ledger.SignalSM]
	if !ok || f.Card == nil || !f.Several || active.mean() < BoundPPM || sm.mean() > LinkBoundSMPPM {
		return nil, false
	}
	traffic := func(a, b ledger.Signal) (sum int64) {
		for _, signal := range []ledger.Signal{a, b} {
			if v, ok := f.Card.Signals[signal]; ok {
				sum += v.mean()
			}
		}
		return sum
	}
	link := max(traffic(ledger.SignalNVLinkTx, ledger.SignalNVLinkRx), traffic(ledger.SignalPCIeTx, ledger.SignalPCIeRx))
	if link < LinkBytes {
		return nil, false
	}
	return []Number{{"activity", "ppm", active.mean()}, {"sm", "ppm", sm.mean()}, {"link", "bytes per second", link}}, true
}

func memorySaturated(f *sliceFigures, _ Figure, _ bool) ([]Number, bool) {
	used, ok := f.Slice.Signals[ledger.SignalMemoryUsed]
	if !ok {
		return nil, false
	}
	whole := int64(0)
	if free, ok := f.Slice.Signals[ledger.SignalMemoryFree]; ok {
		whole = used.mean() + free.mean()
	} else if f.Slice.Slice == ledger.WholeDevice {
		whole = f.Node.CardBytes
	}
	if whole <= 0 || used.P95 < 0 || whole > maxBytes || used.P95 > maxBytes {
		return nil, false
	}
	return []Number{{"memory_p95", "ppm", used.P95 * 1_000_000 / whole}}, used.P95*1_000_000 >= SaturatedPPM*whole
}

// maxBytes is more than any card has; a million times as many fit in 63 bits.
const maxBytes = 1 << 42

func trainingGrade(f *sliceFigures, active Figure, known bool) ([]Number, bool) {
	memory, ok := f.Slice.Signals[ledger.SignalMemoryUsed]
	if !ok || !known || f.Slice.Slice != ledger.WholeDevice ||
		!slices.Contains(trainingModels, catalog.Model(f.Node.GPUModel)) ||
		active.P95 > InferencePPM || memory.P95 > InferenceBytes {
		return nil, false
	}
	return []Number{{"activity_p95", "ppm", active.P95}, {"memory_p95", "bytes", memory.P95}}, true
}

// trainingModels are cards that are bought for training.
var trainingModels = []string{
	"B300", "B200", "GB200", "H200", "H100", "H100 NVL", "A100 80GB", "A100 40GB", "V100 32GB", "V100 16GB", "MI300X",
}
