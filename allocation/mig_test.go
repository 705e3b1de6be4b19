package allocation

import (
	"slices"
	"testing"

	"gpuledger/internal/ledger"
)

// migPod is a pod that the exporter named on one MIG instance of slot 0.
func (s *story) migPod(name string, id int32, from, to string) {
	s.pod(name, from, to, 0)
	s.named(name, 0, id, from, to)
}

func TestSevenSmallSlices(t *testing.T) {
	s := newStory(t, 1)
	for id := range int32(7) {
		s.mig(0, id+7, "1g.5gb", "9:00", "12:00", 50*int64(id%2))
	}
	s.migPod("a", 8, "9:00", "12:00")
	s.migPod("b", 9, "9:00", "12:00")
	s.bill("10:00", 3600, "7")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used - 2/7 h $2
		used a 1/7 h $1
		held_idle b 1/7 h $1
		free - 3/7 h $3`)
}

func TestTwoHalves(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.20gb", "9:00", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "9:00", "12:00", 0)
	s.migPod("a", 1, "9:00", "12:00")
	s.bill("10:00", 3600, "7")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1/2 h $3.5
		free - 1/2 h $3.5`)
}

func TestFourAndThreeAreNormalised(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "4g.20gb", "9:00", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "9:00", "12:00", 50)
	s.migPod("a", 1, "9:00", "12:00")
	s.migPod("b", 2, "9:00", "12:00")
	s.bill("10:00", 3600, "15")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 8/15 h $8
		used b 7/15 h $7`)
}

// 3g, 2g and 1g leave a fourteenth of the card, on which another 1g fits.
func TestRemainderIsFreeAndAssumed(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.20gb", "9:00", "12:00", 50)
	s.mig(0, 3, "2g.10gb", "9:00", "12:00", 50)
	s.mig(0, 9, "1g.5gb", "9:00", "12:00", 50)
	for id, name := range map[int32]string{1: "a", 3: "b", 9: "c"} {
		s.migPod(name, id, "9:00", "12:00")
	}
	s.bill("10:00", 3600, "14")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b", "c"), `
		used a 1/2 h $7
		used b 2/7 h $4
		used c 1/7 h $2
		free - 1/14 h $1`)
	if q := quality(c, ledger.Free); q != "assumed" {
		t.Errorf("quality of a remainder whose placement nobody knows: %s", q)
	}
}

// The same layout, badly placed: nvidia-smi reports the 2g and the 1g at 4 and 6, so the last memory slice is useless.
// While the node is cordoned the whole rest is unavailable.
func TestStrandedRemainder(t *testing.T) {
	s := newStory(t, 1)
	for i, g := range []struct {
		id      int32
		profile string
		start   int
	}{{1, "3g.20gb", 0}, {3, "2g.10gb", 4}, {9, "1g.5gb", 6}} {
		s.mig(0, g.id, g.profile, "9:00", "12:00", 50)
		s.lies(0, g.id, g.profile, "9:00", "12:00", g.start)
		s.migPod([]string{"a", "b", "c"}[i], g.id, "9:00", "12:00")
	}
	s.day.NodeStates = []ledger.NodeStateHour{
		{State: ledger.Cordoned, Hour: at("10:00"), Minutes: 1<<30 - 1, Known: 1<<60 - 1},
	}
	s.bill("10:00", 3600, "28")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b", "c"), `
		used a 1/2 h $14
		used b 2/7 h $8
		used c 1/7 h $4
		stranded - 1/28 h $1
		unavailable - 1/28 h $1`)
	if q := quality(c, ledger.Stranded); q != "measured" {
		t.Errorf("quality of a known placement: %s", q)
	}
	for _, u := range c.Usage {
		if u.Cause == ledger.Stranded &&
			(u.SliceID != ledger.WholeDevice || u.Profile != "" || u.Seconds%60 != 0 || u.Device != "GPU-0") {
			t.Errorf("stranded row %+v", u)
		}
	}
}

// At 10:20 the whole card is cut into two halves.
func TestLayoutChangeInsideTheHour(t *testing.T) {
	s := newStory(t, 1)
	s.busy(0, "9:00", "10:20", 50)
	s.mig(0, 1, "3g.20gb", "10:20", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "10:20", "12:00", 0)
	s.pod("whole", "9:00", "10:20", 1, 0)
	s.migPod("half", 1, "10:20", "12:00")
	s.bill("10:00", 3600, "6")
	expect(t, account(s.allocate(), "10:00", "whole", "half"), `
		used whole 1/3 h $2
		used half 1/3 h $2
		free - 1/3 h $2`)
}

// Before the first row of the day the layout is that of the last hour seen;
// without one, the first layout shown reaches back.
func TestLayoutBeforeAndAfterTheRows(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.20gb", "10:20", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "10:20", "12:00", 50)
	s.migPod("a", 1, "0:00", "24:00")
	s.bill("5:00", 3600, "6")
	s.bill("20:00", 3600, "6")
	c := s.allocate()
	for _, hour := range []string{"5:00", "20:00"} {
		expect(t, account(c, hour, "a"), `
			free - 1/2 h $3
			unobserved a 1/2 h $3`)
	}
	before := newStory(t, 1)
	before.busy(0, "-30:00", "-29:00", 50)
	for _, r := range before.rows {
		s.day.Before = append(s.day.Before, *r)
	}
	expect(t, account(s.allocate(), "5:00", "a"), `free - 1 h $6`)
	if !hasDiagnostic(s.allocate(), "hold_outside_layout") {
		t.Error("a hold on a slice that the layout does not have must be named")
	}

	s.day.Before, s.day.After, s.rows = nil, nil, map[string]*ledger.SampleHour{}
	after := newStory(t, 1)
	after.mig(0, 1, "7g.40gb", "40:00", "41:00", 50)
	for _, r := range after.rows {
		s.day.After = append(s.day.After, *r)
	}
	expect(t, account(s.allocate(), "5:00", "a"), `unobserved a 1 h $6`)
}

// The instance id 1 is first a half, then, after a repartitioning, a seventh.
func TestInstanceIDReusedWithAnotherProfile(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.20gb", "9:00", "10:30", 50)
	s.mig(0, 1, "1g.5gb", "10:30", "12:00", 50)
	s.migPod("a", 1, "9:00", "10:30")
	s.migPod("b", 1, "10:30", "12:00")
	s.bill("10:00", 3600, "28")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 1/4 h $7
		used b 1/14 h $2
		free - 19/28 h $19`)
}

func TestParentRowsOfAPartitionedCardAddNothing(t *testing.T) {
	s := newStory(t, 1)
	s.busy(0, "9:00", "12:00", 90) // -d g,i: parent and instances
	s.mig(0, 1, "3g.20gb", "9:00", "12:00", 0)
	s.mig(0, 2, "3g.20gb", "9:00", "12:00", 50)
	s.migPod("a", 1, "9:00", "12:00")
	s.migPod("b", 2, "9:00", "12:00")
	s.bill("10:00", 3600, "2")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used b 1/2 h $1
		held_idle a 1/2 h $1`)
}

func TestProfileOutsideTheTableIsEstimated(t *testing.T) {
	s := newStory(t, 1)
	s.mig(0, 1, "3g.99gb", "9:00", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "9:00", "12:00", 50)
	s.migPod("a", 1, "9:00", "12:00")
	s.bill("10:00", 3600, "2")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used - 1/2 h $1
		used a 1/2 h $1`)
	if q := quality(c, ledger.Used); q != "estimated measured" {
		t.Errorf("quality %q", q)
	}
}

// GPU-0 breaks and GPU-9 takes its slot at 10:30; the pod on it never notices.
func TestDeviceReplacedMidLife(t *testing.T) {
	s := newStory(t, 1)
	s.node.Devices[0].Last = at("10:00")
	s.device("GPU-9", 0).First = at("10:00")
	s.busy(0, "9:00", "10:30", 50)
	s.set("GPU-9", 0, ledger.WholeDevice, "", ledger.SignalGrEngine, between("10:30", "12:00"),
		func(int) int64 { return 0 })
	s.pod("a", "9:00", "12:00", 1, 0)
	s.bill("10:00", 3600, "2")
	s.bill("11:00", 3600, "2")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1/2 h $1
		held_idle a 1/2 h $1`)
	for _, u := range c.Usage {
		if u.Hour == at("11:00") && u.Device != "GPU-9" || u.Hour == at("9:00") && u.Device != "GPU-0" {
			t.Errorf("%s is %s", u.Hour, u.Device)
		}
	}
}

// A placement that no such card allows is reported and ignored.
func TestImpossiblePlacementsAreReported(t *testing.T) {
	for name, starts := range map[string][2]int{
		"two in one place": {0, 0}, "where the profile may not begin": {0, 2}, "beyond the card": {0, 12},
	} {
		s := newStory(t, 1)
		for i, id := range []int32{1, 2} {
			s.mig(0, id, "3g.20gb", "9:00", "12:00", 50)
			s.lies(0, id, "3g.20gb", "9:00", "12:00", starts[i])
		}
		c := s.allocate()
		if !slices.ContainsFunc(c.Diagnostics, func(d Diagnostic) bool { return d.Code == "mig_placement_impossible" }) {
			t.Errorf("%s: %v", name, c.Diagnostics)
		}
	}
}

// Layouts returns the layouts by which Day weighs.
func TestLayoutsOfTheDay(t *testing.T) {
	s := newStory(t, 1)
	s.busy(0, "9:00", "10:20", 50)
	s.mig(0, 1, "3g.20gb", "10:20", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "10:20", "12:00", 0)
	layouts := func() []SlotLayout {
		t.Helper()
		s.day.Samples = nil
		for _, r := range s.rows {
			s.day.Samples = append(s.day.Samples, *r)
		}
		n, err := NewNode(s.node, s.policy)
		if err != nil {
			t.Fatal(err)
		}
		list, err := n.Layouts(s.day)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := layouts()
	if len(list) != 2 || list[0].From != s.node.Node.Life.Intersect(s.day.Day).From || list[0].To != at("10:20") ||
		len(list[0].Instances) != 0 ||
		list[1].To != s.node.Node.Life.Intersect(s.day.Day).To || len(list[1].Instances) != 2 ||
		list[1].Weights.Slices[0]*2 != list[1].Weights.Denominator || list[1].Starts != nil || !list[1].Weights.Assumed {
		t.Errorf("layouts %+v", list)
	}
	for i, id := range []int32{1, 2} {
		s.lies(0, id, "3g.20gb", "11:00", "11:01", 4*i)
	}
	if list = layouts(); len(list) != 2 || list[1].From != at("10:20") || len(list[1].Starts) != 2 ||
		list[1].Starts[1] != 4 {
		t.Errorf("the placement is known: %+v", list[1])
	}
	s.node.Node.Life.To = s.day.Day.From - 3600
	s.node.Node.Life.From = s.day.Day.From - 7200
	if list = layouts(); len(list) == 0 || !list[0].Empty() || list[0].From != s.node.Node.Life.To {
		t.Errorf("after its life: %+v", list)
	}
}
