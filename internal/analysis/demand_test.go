package analysis

import (
	"iter"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/metrics/advice"
)

const demandFrom = period.Second(1_793_577_600)

func heldHour(name string, hour int, workload byte, seconds int64, holders int, memory int64) HeldHour {
	h := HeldHour{Key: DemandKey{Cluster: "prod", Name: name, GPUModel: "H100"}, Workload: ledger.ID{workload},
		Hour:     demandFrom + period.Second(hour)*period.Hour,
		GPUHours: money.MustParse("1"), Seconds: seconds, Holders: holders, Device: "NVIDIA H100 80GB HBM3"}
	if memory > 0 {
		h.Memory, h.Activity = sketch.Of([]int64{memory}), sketch.Of([]int64{50_000})
	}
	return h
}

func each(hours []HeldHour) iter.Seq2[*HeldHour, error] {
	return func(yield func(*HeldHour, error) bool) {
		for i := range hours {
			if !yield(&hours[i], nil) {
				return
			}
		}
	}
}

func TestHoursAddUpToDemand(t *testing.T) {
	list, err := AddDemand(each([]HeldHour{
		// two slices, and another replica
		heldHour("a", 1, 1, 3600, 1, 10), heldHour("a", 1, 1, 3600, 1, 20), heldHour("a", 1, 2, 3600, 1, 30),
		heldHour("a", 2, 1, 3600, 2, 99), // shared: not its own
		heldHour("a", 3, 1, 1800, 1, 99), // half of the hour
		heldHour("a", 4, 1, 3600, 1, 0),  // no telemetry
		heldHour("b", 1, 3, 3600, 1, 40),
	}))
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	a := list[0]
	if most, _ := a.Memory.Quantile(100); a.Slices != 2 || a.Hours != 3 || a.GPUHours.String() != "6" || most != 30 {
		t.Errorf("%d slices, %d hours, %s GPU-hours, memory up to %d", a.Slices, a.Hours, a.GPUHours, most)
	}
}

// Cost that other advice stops is not saved a second time by a smaller size.
func TestSavingsAreNotCountedTwice(t *testing.T) {
	sum := DemandSum{DayDemand: DayDemand{Key: DemandKey{Cluster: "prod", Namespace: "ml", Kind: "Job", Name: "a",
		GPUModel: "H100", InstanceType: "p5.48xlarge", Class: "run"},
		Device: "NVIDIA H100 80GB HBM3", Slices: 1, Hours: 48, Memory: sketch.Of([]int64{5 << 30}),
		Activity: sketch.Of([]int64{50_000})}, Cost: money.MustParse("100"), Currency: "USD"}
	window := period.Interval{From: demandFrom, To: demandFrom + 2*period.Day}
	stop := advice.Recommendation{
		Kind: advice.StopIdle, Subject: advice.Subject{Cluster: "prod", Namespace: "ml", Kind: "Job", Name: "a"},
		GPUModel: "H100", Currency: "USD", Saving: money.MustParse("30"),
	}
	demands := demandsOf([]DemandSum{sum}, window, []advice.Recommendation{stop}, thereOf(nil, nil))
	if demands[0].Cost.String() != "70" || demands[0].CardMemory != 80<<30 {
		t.Errorf("cost %s, card of %d bytes", demands[0].Cost, demands[0].CardMemory)
	}
	list := sizes(demands, nil)
	if len(list) != 1 || list[0].Saving.String() != "60" { // six sevenths
		t.Errorf("%+v", list)
	}
}

// The life of a workload that changed its slice begins with the first one.
func TestSizesOfAWorkloadShareItsLife(t *testing.T) {
	held := func(profile string, day period.Second, hours uint32) DemandSum {
		return DemandSum{DayDemand: DayDemand{Key: DemandKey{Cluster: "prod", Namespace: "ml", Kind: "Deployment", Name: "a",
			GPUModel: "A100 40GB", Profile: profile},
			Held: advice.Presence{day: hours}}}
	}
	sums := []DemandSum{held("7g.40gb", demandFrom, 0b11), held("3g.20gb", demandFrom+period.Day, 0b1)}
	window := period.Interval{From: demandFrom, To: demandFrom + 2*period.Day}
	for _, d := range demandsOf(sums, window, nil, thereOf(sums, nil)) {
		if life := d.There.In(window); life.Seen != 3 || life.Hours() != 48 {
			t.Errorf("%s: there in %d of %d hours; want 3 of 48", d.Profile, life.Seen, life.Hours())
		}
	}
}

func TestMemoryOfACard(t *testing.T) {
	of := func(typ, device, model, profile string, measured int64) int64 {
		return cardMemory(&DemandSum{
			DayDemand: DayDemand{
				Key: DemandKey{InstanceType: typ, GPUModel: model, Profile: profile}, Device: device, SliceMemory: measured,
			},
		})
	}
	const gib = 1 << 30
	if got := of("g6.xlarge", "NVIDIA L4", "L4", "", 23*gib); got == 23*gib || got == 0 {
		t.Errorf("the catalogue knows the machine: %d", got)
	}
	if got := of("rack-1", "NVIDIA L4", "L4", "", 23*gib); got != 23*gib {
		t.Errorf("by telemetry: %d", got)
	}
	if got := of("rack-1", "NVIDIA A100-SXM4-40GB", "A100 40GB", "3g.20gb", 20*gib); got != 40*gib {
		t.Errorf("by a slice that is half of it: %d", got)
	}
	if got, listed := of("rack-1", "NVIDIA L4", "L4", "", 0), of("g6.xlarge", "NVIDIA L4", "L4", "",
		0); got != listed || got == 0 {
		t.Errorf("by other machines with that model: %d, want %d", got, listed)
	}
	if got := of("rack-1", "Another 9000", "", "", 0); got != 0 {
		t.Errorf("of an unknown card: %d", got)
	}
	var h HeldHour
	h.Memory, h.Free = sketch.Of([]int64{10, 12, 14}), sketch.Of([]int64{30, 28, 26})
	if got := h.sliceMemory(); got != 40 {
		t.Errorf("used and free are %d", got)
	}
	if h.Free = (sketch.Sketch{}); h.sliceMemory() != 0 {
		t.Error("what is free was not measured")
	}
}
