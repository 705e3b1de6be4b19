package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
)

// placed adds a source's placement of a pod on a slot, by "GPU-<slot>", with shares in ppm (-1 unknown) and clock times
// ("" the whole hold).
func (s *story) placed(
	pod string, slot int, evidence ledger.PlacementEvidence, core, memory int64, clock ...string,
) *ledger.Placement {
	p := ledger.Placement{Cluster: "c", Node: "n", Device: s.node.Devices[slot].UUID, SliceID: ledger.WholeDevice,
		Workload: pod, Evidence: evidence,
		CoreShare: core, MemoryShare: memory}
	if len(clock) == 2 {
		p.From, p.To = at(clock[0]), at(clock[1])
	}
	s.node.Placements = append(s.node.Placements, p)
	return &s.node.Placements[len(s.node.Placements)-1]
}

// HAMi gives one pod 30 % of the cores, another 50 %: the rest is free, and the card's activity belongs to no single
// pod.
func TestHAMiThirtyAndFifty(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1)
	s.pod("b", "9:00", "10:30", 1)
	s.placed("a", 0, ledger.EvidenceAnnotation, 300_000, 900_000)
	s.placed("b", 0, ledger.EvidenceAnnotation, -1, 500_000) // cores not limited: its memory
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "20")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		used a 3/10 h $6
		used b 1/4 h $5
		free - 9/20 h $9`)
	if q := quality(c, ledger.Used); q != "estimated" {
		t.Errorf("activity of a shared card is %s", q)
	}
	if q := quality(c, ledger.Free); q != "measured" {
		t.Errorf("what nobody holds of it is %s", q)
	}
}

func TestSharesBeyondTheWholeAreDividedByTheirSum(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1)
	s.pod("b", "9:00", "12:00", 1)
	s.placed("a", 0, ledger.EvidenceAnnotation, 900_000, -1)
	s.placed("b", 0, ledger.EvidenceAnnotation, 600_000, -1)
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "5")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 3/5 h $3
		used b 2/5 h $2`)
}

// Next to a holder with a given share, those without one have the rest.
func TestHoldersWithoutAShareHaveTheRest(t *testing.T) {
	s := newStory(t, 1)
	for _, name := range []string{"a", "b", "c"} {
		s.pod(name, "9:00", "12:00", 1, 0)
	}
	s.placed("a", 0, ledger.EvidenceAnnotation, 500_000, -1)
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00", "a", "b", "c"), `
		used a 1/2 h $2
		used b 1/4 h $1
		used c 1/4 h $1`)
}

// One claim reserved for two pods is one device, not two; alone, either has
// all of it. Neither requests nvidia.com/gpu.
func TestClaimReservedForTwoPods(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "10:45", 0)
	s.pod("b", "10:15", "12:00", 0)
	s.placed("a", 1, ledger.EvidenceClaim, -1, -1)
	s.placed("b", 1, ledger.EvidenceClaim, -1, -1)
	s.busy(1, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "8")
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		used a 1/2 h $2
		used b 1/2 h $2
		free - 1 h $4`)
	for _, u := range c.Usage {
		if u.Hour == at("9:00") && u.Held && (u.Quality != ledger.Measured || u.Method != "exclusive") {
			t.Errorf("alone on the device: %s %s", u.Quality, u.Method)
		}
	}
}

// A claim, an annotation or a job record counts before exporter rows, and those before processes.
func TestTheBestEvidenceCounts(t *testing.T) {
	s := newStory(t, 3)
	s.pod("a", "9:00", "12:00", 1, 0) // the exporter says slot 0
	s.placed("a", 1, ledger.EvidenceClaim, 1_000_000, -1)
	s.placed("a", 2, ledger.EvidenceProcess, -1, -1)
	s.pod("b", "9:00", "12:00", 1, 0)
	s.placed("b", 2, ledger.EvidenceProcess, -1, -1)
	for slot := range 3 {
		s.busy(slot, "9:00", "12:00", 50)
	}
	s.bill("10:00", 3600, "3")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used - 1 h $1
		used a 1 h $1
		used b 1 h $1`)
}

// A placement counts for its own time inside the hold.
func TestPlacementsAreClipped(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "10:40", 1)
	s.placed("a", 0, ledger.EvidenceAnnotation, -1, -1, "8:00", "10:10")
	s.placed("a", 1, ledger.EvidenceAnnotation, -1, -1, "10:10", "12:00") // moved
	s.placed("a", 0, ledger.EvidenceAnnotation, -1, -1, "11:00", "12:00") // after its end
	s.bill("10:00", 3600, "6")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		free - 4/3 h $4
		unobserved a 2/3 h $2`)
	if !hasDiagnostic(c, "placement_outside_hold") {
		t.Error("what says nothing of the hold must be named")
	}
}

func TestJobRecordNamesSlots(t *testing.T) {
	s := newStory(t, 4)
	w := s.pod("a", "9:00", "12:00", 2)
	w.System, w.Kind = ledger.SystemSlurm, ledger.KindSlurmJob
	s.placed("a", 0, ledger.EvidenceIndex, 1_000_000, 1_000_000).Device = "#3"
	s.placed("a", 0, ledger.EvidenceIndex, 1_000_000, 1_000_000).Device = "#1"
	s.placed("a", 0, ledger.EvidenceIndex, 1_000_000, 1_000_000).Device = "#9"
	s.bill("10:00", 3600, "4")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		free - 2 h $2
		unobserved a 2 h $2`)
	for _, u := range c.Usage {
		if u.Held && (u.Slot != 1 && u.Slot != 3 || u.Quality != ledger.Measured) {
			t.Errorf("%+v", u)
		}
	}
	if !hasDiagnostic(c, "device_without_slot") {
		t.Error("a slot that the node does not have must be named")
	}
}

// Exporters name Slurm's jobs by id, without a namespace or with a separate one; a pod of that name is something else.
func TestExporterNamesASlurmJob(t *testing.T) {
	for _, namespace := range []string{"", "hpc_job"} {
		s := newStory(t, 2)
		job := s.pod("4711", "9:00", "12:00", 1)
		job.System, job.Namespace = ledger.SystemSlurm, "physics"
		job.ID, job.UID = ledger.NewID("workload", "c", "job"), "job"
		s.pod("4711", "9:00", "12:00", 0)
		s.named("4711", 1, ledger.WholeDevice, "9:00", "12:00")
		for i := range s.node.Evidence {
			s.node.Evidence[i].Namespace = namespace
		}
		s.busy(1, "9:00", "12:00", 50)
		s.bill("10:00", 3600, "2")
		c := s.allocate()
		expect(t, account(c, "10:00", "job", "4711"), `
			used job 1 h $1
			free - 1 h $1`)
		if hasDiagnostic(c, "evidence_without_workload") {
			t.Error("the job is known")
		}
	}
}

// On a time-sliced card one pod is known by its process; the other, without evidence, gets one of the remaining
// replicas.
func TestTimeSlicedCardWithOneProcessKnown(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Replicas = 4
	for _, name := range []string{"seen", "unseen"} {
		s.pod(name, "9:00", "12:00", 0).Requests = map[string]int64{"nvidia_com_gpu_shared": 1}
	}
	s.placed("seen", 0, ledger.EvidenceProcess, -1, -1, "9:05", "10:30")
	s.busy(0, "9:00", "12:00", 80)
	s.bill("10:00", 3600, "8")
	c := s.allocate()
	expect(t, account(c, "10:00", "seen", "unseen"), `
		used seen 1/8 h $1
		used unseen 1/4 h $2
		free - 5/8 h $5`)
	if hasDiagnostic(c, "request_not_placed") {
		t.Error("three replicas were left")
	}
}

// Shares that Slurm gives of one card leave the rest to others that request shares.
func TestSlurmShards(t *testing.T) {
	s := newStory(t, 2)
	for _, name := range []string{"a", "b"} {
		w := s.pod(name, "9:00", "12:00", 0)
		w.System, w.Requests = ledger.SystemSlurm, map[string]int64{"nvidia_com_gpu_shared": 3}
	}
	s.pod("whole", "9:30", "12:00", 1).System = ledger.SystemSlurm
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00", "a", "b", "whole"), `
		unobserved a 1/2 h $1
		unobserved b 1/2 h $1
		unobserved whole 1 h $2`)
}

// Two runs share one pod for twenty minutes: each has half of its GPU then.
func TestTwoRunsShareAPod(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 80)
	s.attempt(1, "0", "9:00", "10:40", "a").RunID = "one"
	s.attempt(2, "0", "10:20", "11:00", "a").RunID = "two"
	s.bill("10:00", 3600, "6")
	c := s.allocate()
	sums := map[string]string{}
	for _, p := range c.Postings {
		if p.Hour == at("10:00") {
			sums[p.RunID+" "+p.Method+" "+string(p.Quality)] = p.Effective.String()
		}
	}
	if len(sums) != 2 || sums["one resource id, segment_share estimated"] != "3" ||
		sums["two resource id, segment_share estimated"] != "3" {
		t.Errorf("%v", sums)
	}
}

// A card's own machine reports under a separate device, which is not a slot.
func TestHostRowsAreNoDevice(t *testing.T) {
	s := newStory(t, 1)
	s.set(ledger.HostDevice, -1, ledger.WholeDevice, "", ledger.SignalHostCPU, between("9:00", "12:00"),
		func(int) int64 { return 900_000 })
	s.node.Evidence = append(s.node.Evidence, ledger.HoldEvidence{
		Device: ledger.HostDevice, Namespace: "ns", Pod: "a", Hour: at("10:00"), Minutes: 1,
	})
	s.bill("10:00", 3600, "1")
	c := s.allocate()
	expect(t, account(c, "10:00"), `free - 1 h $1`)
	if len(c.Diagnostics) != 0 {
		t.Errorf("%+v", c.Diagnostics)
	}
}
