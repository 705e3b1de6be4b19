package attempt

import (
	"testing"

	"gpuledger/internal/ledger"
)

func (s *story) happened(kind, name string, what ledger.WorkloadEventKind, minute int, reason string) *story {
	e := ledger.WorkloadEvent{
		Cluster: "c", Kind: kind, Namespace: "ns", Name: name, What: what, Reason: reason, At: at(minute),
	}
	if kind == "Pod" {
		e.UID, e.Name = name, "pod-"+name
	}
	s.in.Happened = append(s.in.Happened, e)
	return s
}

func TestContainerThatStartsAgainBeginsAnotherAttempt(t *testing.T) {
	s := newStory().node("n1").
		pod("a", "Job/j", 0, 90, succeeded).saved("a", 20).
		happened("Pod", "a", ledger.WorkloadRestarted, 30, "OOMKilled").
		happened("Pod", "a", ledger.WorkloadRestarted, 30, "OOMKilled"). // reported twice
		happened("Pod", "a", ledger.WorkloadRestarted, 60, "Error").
		happened("Pod", "a", ledger.WorkloadRestarted, 70, "Completed"). // no failure, no attempt
		happened("Pod", "a", ledger.WorkloadRestarted, 95, "Error")      // after its end
	wantAttempts(t, s,
		"0#1 0–30 oom(OOMKilled) lost checkpoint from 20 complete 0: a 0–30",
		"0#2 30–60 failed(Error) lost none from 30 complete 30: a 30–60",
		"0#3 60–90 succeeded complete 60: a 60–90")
}

func TestRestartInAGangEndsTheAttemptForAll(t *testing.T) {
	s := gang().
		pod("a", job, 0, 90, worker(0), succeeded).pod("b", job, 0, 90, worker(1), on("n2"), succeeded).
		happened("Pod", "b", ledger.WorkloadRestarted, 40, "Error")
	wantAttempts(t, s,
		"#1 0–40 failed(Error) lost none from 0 complete 0: a 0–40 b 0–40",
		"#2 40–90 succeeded complete 40: a 40–90 b 40–90")
}

// Kueue suspends the job: its pods go, later new ones come. Nothing is lost.
func TestKueueSuspendAndResume(t *testing.T) {
	s := gang().object(ledger.ObjectFact{
		Kind: "Workload", Name: "job-train-1a2b", OwnerKind: "PyTorchJob", OwnerName: "train", Created: t0,
	}).
		pod("a", job, 0, 40, worker(0), deleted).pod("b", job, 0, 41, worker(1), on("n2"), deleted).
		happened("Workload", "job-train-1a2b", ledger.WorkloadSuspended, 39, "").
		happened("Workload", "job-train-1a2b", ledger.WorkloadResumed, 200, "").
		pod("c", job, 201, 300, worker(0), succeeded).pod("d", job, 201, 300, worker(1), on("n2"), succeeded)
	wantAttempts(t, s,
		"#1 0–41 suspended complete 0: a 0–40 b 0–41",
		"#2 201–300 succeeded complete 201: c 201–300 d 201–300")
	if run := s.build().Runs[0]; run.Status != "succeeded" || run.Preempted != 0 {
		t.Errorf("%+v", run)
	}
}

func TestOrderedEndsHaveTheirReason(t *testing.T) {
	for _, c := range []struct {
		name   string
		story  *story
		want   ledger.Outcome
		reason string
	}{
		{"preempted in its cohort",
			newStory().pod("a", job, 0, 30, deleted).happened("PyTorchJob", "train", ledger.WorkloadEvicted, 28, "Preempted").
				happened("PyTorchJob", "train", ledger.WorkloadPreempted, 28, "InCohortReclamation").
				happened("PyTorchJob", "train", ledger.WorkloadSuspended, 29, ""), ledger.Preempted, "InCohortReclamation"},
		{
			"pods were not ready in time",
			newStory().pod("a", job, 0, 30, deleted).happened("PyTorchJob", "train", ledger.WorkloadEvicted, 28,
				"PodsReadyTimeout"), ledger.Evicted, "PodsReadyTimeout",
		},
		{
			"the pod itself", newStory().pod("a", job, 0, 30, deleted).happened("Pod", "a", ledger.WorkloadPreempted, 28, ""),
			ledger.Preempted, "scheduler",
		},
		{
			"more than five minutes before",
			newStory().pod("a", job, 0, 30, deleted).happened("PyTorchJob", "train", ledger.WorkloadEvicted, 24, "x"),
			ledger.Cancelled, "deleted",
		},
		{
			"after the end", newStory().pod("a", job, 0, 30, deleted).happened("PyTorchJob", "train", ledger.WorkloadEvicted, 31,
				"x"), ledger.Cancelled, "deleted",
		},
		{
			"another job", newStory().pod("a", job, 0, 30, deleted).happened("PyTorchJob", "other", ledger.WorkloadEvicted, 29,
				"x"), ledger.Cancelled, "deleted",
		},
		{
			"it succeeded all the same",
			newStory().pod("a", job, 0, 30, succeeded).happened("PyTorchJob", "train", ledger.WorkloadEvicted, 29, "x"),
			ledger.Succeeded, "",
		},
		{
			"its spot machine went",
			newStory().pod("a", job, 0, 30, deleted).happened("PyTorchJob", "train", ledger.WorkloadEvicted, 29,
				"NodeFailures").warning("n1", 28), ledger.Preempted, "spot_interruption",
		},
		{
			"data stop while it dies",
			newStory().pod("a", job, 0, 30).happened("PyTorchJob", "train", ledger.WorkloadSuspended, 29, ""),
			ledger.Running, "",
		},
	} {
		w := c.story.node("n1").build().Workloads
		if len(w) != 1 || w[0].Outcome != c.want || w[0].Reason != c.reason {
			t.Errorf("%s: %+v", c.name, w)
		}
	}
}

// A member that was deleted because the others had succeeded is not a failure.
func TestCleanedUpAfterSuccess(t *testing.T) {
	wantAttempts(t, gang().pod("a", job, 0, 50, worker(0), succeeded).pod("b", job, 0, 52, worker(1), on("n2"), deleted),
		"#1 0–52 succeeded complete 0: a 0–50 b 0–52")
	wantAttempts(t, gang().pod("a", job, 0, 50, worker(0), succeeded).pod("b", job, 0, 56, worker(1), on("n2"), deleted),
		"#1 0–56 cancelled(deleted) complete 0: a 0–50 b 0–56")
}

func TestTheNextAttemptSaysWhereItResumed(t *testing.T) {
	try := func(from string) *story {
		return gang().pod("a", job, 0, 60, worker(0), failed("Error")).saved("a", 50).
			pod("b", job, 70, 90, worker(0), labelled("gpuledger.io/resumed-from", from), succeeded)
	}
	const last = "#2 70–90 succeeded complete 70: b 70–90"
	// 2026-11-02T00:30:00Z
	wantAttempts(t, try("1793579400"), "#1 0–60 failed(Error) lost resume from 30 complete 0: a 0–60", last)
	wantAttempts(t, try("2026-11-02T00:30:00Z"), "#1 0–60 failed(Error) lost resume from 30 complete 0: a 0–60", last)
	wantAttempts(t, try("2026-11-01T00:30:00Z"), "#1 0–60 failed(Error) lost resume from 0 complete 0: a 0–60", last)
	wantAttempts(t, try("2026-11-03T00:30:00Z"), "#1 0–60 failed(Error) lost resume from 60 complete 0: a 0–60", last)
	wantAttempts(t, try("s3://bucket/step-900"), "#1 0–60 failed(Error) lost checkpoint from 50 complete 0: a 0–60", last)
}

func TestCheckpointsPostedByNameOrUID(t *testing.T) {
	for name, c := range map[string]ledger.Checkpoint{
		"the run":                        {Run: "mine"},
		"the pod":                        {Cluster: "c", Namespace: "ns", Pod: "pod-a"},
		"the pod, no namespace":          {Cluster: "c", Pod: "pod-a"},
		"the pod's uid":                  {Cluster: "c", Namespace: "ns", Pod: "a"},
		"the uid, whichever the cluster": {Pod: "a"},
	} {
		c.At = at(40)
		s := gang().pod("a", job, 0, 60, label("gpuledger.io/run-id", "mine"), failed("Error"))
		s.in.Checkpoints = []ledger.Checkpoint{
			c, {Run: "other", At: at(50)}, {Cluster: "d", Namespace: "ns", Pod: "pod-a", At: at(50)},
		}
		if a := s.build().Attempts[0]; a.LastCheckpoint != at(40) || a.LossFrom != at(40) {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
