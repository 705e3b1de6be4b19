package allocation

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

// Four pods may share the card; three do, one claim stays free.
func TestTimeSlicingWithOneClaimUnclaimed(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Replicas = 4
	for _, name := range []string{"a", "b", "c"} {
		w := s.pod(name, "9:00", "12:00", 0, 0)
		w.Requests = map[string]int64{"nvidia_com_gpu_shared": 1}
	}
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "4")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b", "c"), `
		used a 1/4 h $1
		used b 1/4 h $1
		used c 1/4 h $1
		free - 1/4 h $1`)
	if q := quality(c, ledger.Used); q != "estimated" {
		t.Errorf("activity of a shared card is %s, want estimated", q)
	}
}

func TestOverclaimedCardIsDividedByTheSum(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Replicas = 2
	s.pod("a", "9:00", "12:00", 2, 0)
	s.pod("b", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "3")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 2/3 h $2
		used b 1/3 h $1`)
}

func TestReplicasSpreadOverTwoCards(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Replicas = 4
	s.pod("a", "9:00", "12:00", 2, 0, 1) // one replica on each
	s.busy(0, "9:00", "12:00", 80)
	s.busy(1, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "8")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1/2 h $2
		free - 3/2 h $6`)
}

// Without replicas on the node, pods seen on one card share it equally, only
// while both are there.
func TestSeveralHoldersWithoutReplicas(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "10:00", "10:40", 1, 0)
	s.pod("b", "10:20", "11:00", 1, 0)
	s.busy(0, "10:00", "11:00", 80)
	s.bill("10:00", 3600, "6")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		used a 1/2 h $3
		used b 1/2 h $3`)
	if q := quality(c, ledger.Used); q != "estimated" {
		t.Errorf("quality %s, want estimated", q)
	}
}

func TestHoldBoundsCountToTheSecond(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "10:00:30", "10:30:15", 1, 0)
	s.busy(0, "10:00", "11:00", 80)
	s.bill("10:00", 3600, "3.6")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used - 121/240 h $1.815
		used a 119/240 h $1.785`)
}

// A pod without evidence gets the lowest slot that is free during all of its
// hold; the rest of its request is reported.
func TestRequestWithoutEvidence(t *testing.T) {
	s := newStory(t, 3)
	s.pod("seen", "9:00", "12:00", 1, 0)
	s.pod("unseen", "10:00", "11:00", 1)
	s.pod("late", "10:30", "11:00", 2)
	s.bill("10:00", 3600, "3")
	c := s.allocate()
	expect(t, account(c, "10:00", "seen", "unseen", "late"), `
		free - 1/2 h $0.5
		unobserved seen 1 h $1
		unobserved unseen 1 h $1
		unobserved late 1/2 h $0.5`)
	if !hasDiagnostic(c, "request_not_placed") {
		t.Error("the GPU that could not be placed must be named")
	}
	if q := quality(c, ledger.Unobserved); q != "estimated measured" {
		t.Errorf("quality %q", q)
	}
}

func TestEvidenceBeyondTheRequestHoldsAll(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "10:00", "11:00", 1, 0, 1)
	s.busy(0, "10:00", "11:00", 50)
	s.busy(1, "10:00", "11:00", 50)
	s.bill("10:00", 3600, "2")
	expect(t, account(s.allocate(), "10:00", "a"), `used a 2 h $2`)
}

func TestEvidenceWithoutWorkloadIsReported(t *testing.T) {
	s := newStory(t, 1)
	s.named("ghost", 0, ledger.WholeDevice, "10:00", "11:00")
	s.busy(0, "10:00", "11:00", 50)
	s.bill("10:00", 3600, "2")
	c := s.allocate()
	expect(t, account(c, "10:00"), `used - 1 h $2`)
	if !hasDiagnostic(c, "evidence_without_workload") {
		t.Error("the pod that nobody knows must be named")
	}
}

func TestMIGRequestWithoutEvidence(t *testing.T) {
	s := newStory(t, 1)
	s.node.Devices[0].InMIG = true
	s.mig(0, 7, "3g.20gb", "0:00", "24:00", 0)
	s.mig(0, 8, "3g.20gb", "0:00", "24:00", 60)
	s.node.Slices = []SliceSeen{{"GPU-0", 7, "3g.20gb", theDay, at("23:00")}, {"GPU-0", 8, "3g.20gb", theDay, at("23:00")}}
	s.pod("whole", "10:00", "11:00", 1) // no whole card is left
	seen := s.pod("seen", "9:30", "11:00", 0)
	seen.Requests = map[string]int64{"nvidia_com_mig_3g_20gb": 1}
	s.named("seen", 0, 7, "9:30", "11:00")
	slice := s.pod("slice", "10:00", "11:00", 0)
	slice.Requests = map[string]int64{"nvidia_com_mig_3g_20gb": 1}
	s.bill("10:00", 3600, "2")
	c := s.allocate()
	expect(t, account(c, "10:00", "slice", "seen", "whole"), `
		used slice 1/2 h $1
		held_idle seen 1/2 h $1`)
	if !hasDiagnostic(c, "request_not_placed") {
		t.Error("a whole GPU cannot be placed on a partitioned card")
	}
}

func TestHoldOutsideTheNodesLifeIsCutAndReported(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life = between("10:15", "24:00")
	s.pod("a", "10:00", "10:30", 1, 0)
	s.busy(0, "10:00", "11:00", 50)
	s.bill("10:00", 3600, "4")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used - 1/2 h $2
		used a 1/4 h $1
		unavailable - 1/4 h $1`)
	if !hasDiagnostic(c, "hold_outside_life") {
		t.Error("the cut hold must be named")
	}
}

func TestNodeRefuses(t *testing.T) {
	for name, change := range map[string]func(*NodeInput, *policy.Policy){
		"too many GPUs":     func(n *NodeInput, _ *policy.Policy) { n.Node.GPUs = 1 << 20 },
		"negative GPUs":     func(n *NodeInput, _ *policy.Policy) { n.Node.GPUs = -1 },
		"too many replicas": func(n *NodeInput, _ *policy.Policy) { n.Node.Replicas = 1 << 20 },
		"bad policy":        func(_ *NodeInput, p *policy.Policy) { p.IdleMinutes = 0 },
	} {
		in, pol := newStory(t, 1).node, policy.Default()
		change(&in, &pol)
		if _, err := NewNode(in, pol); err == nil {
			t.Errorf("%s must be refused", name)
		}
	}
	s := newStory(t, 1)
	s.pod("greedy", "1:00", "2:00", 1<<60)
	if !hasDiagnostic(s.allocate(), "request_out_of_range") {
		t.Error("an absurd request must be named")
	}
	engine, err := NewNode(s.node, policy.Default())
	if err != nil {
		t.Fatal(err)
	}
	in := s.day
	in.Day.From += 3600
	if _, err := engine.Day(in); err == nil {
		t.Error("a window that is no UTC day must be refused")
	}
	s.bill("25:00", 3600, "1")
	if _, err := engine.Day(s.day); err == nil {
		t.Error("a part of another day must be refused")
	}
}
