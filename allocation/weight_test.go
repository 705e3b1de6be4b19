package allocation

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

func weighing(by policy.MIGWeight, ppm int64) func(*policy.Policy) {
	return func(p *policy.Policy) { p.MIG, p.MIGComputePPM = by, ppm }
}

// Two 3g take six of seven compute slices and all of the memory: the cost to the holders of a card of $112, and the
// stranded cost, depend on the measure.
func TestTwoHalvesUnderEachMeasure(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.20gb", "9:00", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "9:00", "12:00", 50)
	s.migPod("a", 1, "9:00", "12:00")
	s.migPod("b", 2, "9:00", "12:00")
	s.bill("10:00", 3600, "112")
	for _, c := range []struct {
		by   policy.MIGWeight
		ppm  int64
		want string
	}{
		{policy.DominantShare, 0, `
			used a 1/2 h $56
			used b 1/2 h $56`},
		{policy.ComputeOnly, 0, `
			used a 3/7 h $48
			used b 3/7 h $48
			stranded - 1/7 h $16`},
		{policy.MemoryOnly, 0, `
			used a 1/2 h $56
			used b 1/2 h $56`},
		{policy.Blended, 500_000, `
			used a 13/28 h $52
			used b 13/28 h $52
			stranded - 1/14 h $8`},
		{policy.Blended, 0, `
			used a 1/2 h $56
			used b 1/2 h $56`},
	} {
		s.under(weighing(c.by, c.ppm))
		t.Run(string(c.by), func(t *testing.T) { expect(t, account(s.allocate(), "10:00", "a", "b"), c.want) })
	}
}

// Seven 1g leave a memory slice that is useless: it costs nothing unless memory counts.
func TestSevenSmallSlicesUnderMemory(t *testing.T) {
	s := newStory(t, 1)
	for id := range int32(7) {
		s.mig(0, id+7, "1g.5gb", "9:00", "12:00", 50)
	}
	s.migPod("a", 8, "9:00", "12:00")
	s.bill("10:00", 3600, "8")
	s.under(weighing(policy.MemoryOnly, 0))
	expect(t, account(s.allocate(), "10:00", "a"), `
		used - 3/4 h $6
		used a 1/8 h $1
		stranded - 1/8 h $1`)
}

// At 10:20 a card of seven slices is cut into 4g and 1g: from then on a 2g can
// still be placed.
func TestLayoutChangeUnderCompute(t *testing.T) {
	s := newStory(t, 1)
	for id := range int32(7) {
		s.mig(0, id+7, "1g.5gb", "9:00", "10:20", 50)
	}
	s.mig(0, 1, "4g.20gb", "10:20", "12:00", 50)
	s.mig(0, 2, "1g.5gb", "10:20", "12:00", 50)
	s.migPod("early", 8, "9:00", "10:20")
	s.migPod("late", 1, "10:20", "12:00")
	s.migPod("small", 2, "10:20", "12:00")
	s.bill("10:00", 3600, "21")
	s.under(weighing(policy.ComputeOnly, 0))
	expect(t, account(s.allocate(), "10:00", "early", "late", "small"), `
		used - 2/7 h $6
		used early 1/21 h $1
		used late 8/21 h $8
		used small 2/21 h $2
		free - 4/21 h $4`)
}

// MIG is switched on at 10:00 and the card is not partitioned until 10:30: it shows itself without instances, whole and
// free. Then one slice is cut and held.
func TestAnUnpartitionedCardIsFree(t *testing.T) {
	s := newStory(t, 1)
	s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalMemoryUsed, between("9:00", "10:30"),
		func(int) int64 { return 0 })
	s.mig(0, 1, "7g.40gb", "10:30", "12:00", 50)
	s.migPod("a", 1, "10:30", "12:00")
	s.bill("10:00", 3600, "2")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1/2 h $1
		free - 1/2 h $1`)
}

// computing is a pod that requests compute slices of 3g instances.
func (s *story) computing(name, resource, from, to string, slices ...int32) {
	s.pod(name, from, to, 0).Requests = map[string]int64{"nvidia_com_mig_" + resource: 1}
	for _, id := range slices {
		s.named(name, 0, id, from, to)
	}
}

// The card is cut into two 3g; the second serves a pod of one compute slice
// and one of two, the first a pod of one: two of its slices are free.
func TestComputeInstancesShareTheirGPUInstance(t *testing.T) {
	s := newStory(t, 1)
	for id := range int32(2) {
		s.mig(0, id+1, "3g.20gb", "9:00", "12:00", 50)
		s.node.Slices = append(s.node.Slices, SliceSeen{
			Device: "GPU-0", SliceID: id + 1, Profile: "3g.20gb", First: at("9:00"), Last: at("11:00"),
		})
	}
	s.computing("a", "1c_3g_20gb", "9:00", "12:00", 2)
	s.computing("b", "2c_3g_20gb", "9:00", "12:00", 2)
	s.computing("c", "1c_3g_20gb", "9:00", "12:00", 1)
	s.bill("10:00", 3600, "6")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b", "c"), `
		used a 1/6 h $1
		used b 1/3 h $2
		used c 1/6 h $1
		free - 1/3 h $2`)
	if q := quality(c, ledger.Used); q != "estimated" {
		t.Errorf("the activity is that of the GPU instance: %s", q)
	}
}

// Exporters name one pod per GPU instance. The others are placed by their requests, on an instance with as many compute
// slices left.
func TestComputeInstancesWithoutEvidence(t *testing.T) {
	s := newStory(t, 1)
	for id := range int32(2) {
		s.mig(0, id+1, "3g.20gb", "9:00", "12:00", 50)
		s.node.Slices = append(s.node.Slices, SliceSeen{
			Device: "GPU-0", SliceID: id + 1, Profile: "3g.20gb", First: at("9:00"), Last: at("11:00"),
		})
	}
	s.computing("a", "2c_3g_20gb", "9:00", "12:00", 1)
	s.computing("b", "2c_3g_20gb", "9:10", "12:00")
	s.computing("c", "1c_3g_20gb", "9:20", "12:00")
	s.computing("d", "2c_3g_20gb", "9:30", "12:00")
	s.bill("10:00", 3600, "6")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b", "c", "d"), `
		used a 1/3 h $2
		used b 1/3 h $2
		used c 1/6 h $1
		free - 1/6 h $1`)
	if !hasDiagnostic(c, "request_not_placed") {
		t.Error("two slices of one instance are left nowhere: that is reported")
	}
}

// A pod that requests a whole 3g keeps compute instances out.
func TestAWholeInstanceLeavesNoComputeSlices(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.20gb", "9:00", "12:00", 50)
	s.node.Slices = append(s.node.Slices, SliceSeen{
		Device: "GPU-0", SliceID: 1, Profile: "3g.20gb", First: at("9:00"), Last: at("11:00"),
	})
	s.pod("whole", "9:00", "12:00", 0).Requests = map[string]int64{"nvidia_com_mig_3g_20gb": 1}
	s.computing("part", "1c_3g_20gb", "9:10", "12:00")
	s.bill("10:00", 3600, "6")
	expect(t, account(s.allocate(), "10:00", "whole", "part"), `
		used whole 1/2 h $3
		free - 1/2 h $3`)
}
