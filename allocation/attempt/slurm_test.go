package attempt

import (
	"testing"

	"gpuledger/internal/ledger"
)

// life adds the part of a Slurm job's life on one node: submitted, started and
// ended in minutes, with the outcome that sacct gives.
func (s *story) life(
	job string, node string, submit, from, to int, outcome ledger.Outcome, edit ...func(*ledger.WorkloadFact),
) *story {
	p := ledger.WorkloadFact{
		Cluster: "c", System: ledger.SystemSlurm, Namespace: "ns",
		Name: job, UID: job + "@" + minutes(at(submit)) + node, Node: node,
		Created: at(submit), Eligible: at(submit + 1), LastSeen: at(1000),
		Outcome: outcome, Requests: map[string]int64{"nvidia_com_gpu": 8},
	}
	if from >= 0 {
		p.Started = at(from)
	}
	if to >= 0 {
		p.Completed = at(to)
	}
	for _, e := range edit {
		e(&p)
	}
	s.in.Pods = append(s.in.Pods, p)
	return s
}

func slurm() *story { return newStory().node("n1").node("n2").node("n3") }

func TestSlurmJobRequeuedAfterItsNodeFailedIsOneRun(t *testing.T) {
	s := slurm().
		life("7", "n1", 0, 10, 60, ledger.NodeFailure).life("7", "n2", 0, 10, 60, ledger.NodeFailure).
		// it waited for more than two hours
		life("7", "n2", 61, 200, 300, ledger.Succeeded).life("7", "n3", 61, 200, 300, ledger.Succeeded)
	s.in.Checkpoints = []ledger.Checkpoint{{Cluster: "c", Pod: "7", At: at(40)}}
	wantAttempts(t, s,
		"#1 10–60 node_failure lost checkpoint from 40 complete 10: 7@0n1 10–60 7@0n2 10–60",
		"#2 200–300 succeeded complete 200: 7@61n2 200–300 7@61n3 200–300")
	run := s.build().Runs[0]
	if run.ID != "c/ns/SlurmJob/7/1793577600" || run.World != 2 || run.QueueWait != 600 || run.EligibleAt != at(1) ||
		run.Status != "succeeded" {
		t.Errorf("%+v", run)
	}
}

func TestSlurmLivesAndTheirRuns(t *testing.T) {
	for _, c := range []struct {
		name  string
		story *story
		want  int
	}{
		{
			"submitted five minutes after the end",
			slurm().life("7", "n1", 0, 1, 60, ledger.Succeeded).life("7", "n1", 65, 4000, 4001, ledger.Succeeded), 1,
		},
		{
			"the number was given to another job",
			slurm().life("7", "n1", 0, 1, 60, ledger.Failed).life("7", "n1", 66, 67, 70, ledger.Failed), 2,
		},
		{
			"a life without an end",
			slurm().life("7", "n1", 0, 1, -1, ledger.Running).life("7", "n1", 2000, 2001, 2002, ledger.Failed), 1,
		},
		{"an array of three", slurm().life("8", "n1", 0, 1, 60, ledger.Succeeded, label(ledger.LabelGroup, "c/7")).
			life("9", "n1", 0, 1, 60, ledger.Failed, label(ledger.LabelGroup, "c/7")).
			life("10", "n2", 0, 1, 60, ledger.Succeeded, label(ledger.LabelGroup, "c/7")), 3},
		{
			"parts of a heterogeneous job",
			slurm().life("7", "n1", 0, 1, 60, ledger.Succeeded,
				leader("7")).life("8", "n2", 0, 1, 60, ledger.Succeeded, leader("7")), 1,
		},
		{"one number in two accounts", slurm().life("7", "n1", 0, 1, 60, ledger.Succeeded).
			life("7", "n2", 0, 1, 60, ledger.Succeeded, func(p *ledger.WorkloadFact) { p.Namespace = "other" }), 2},
	} {
		r := c.story.build()
		if len(r.Runs) != c.want {
			t.Errorf("%s: %v", c.name, runIDs(r))
		}
		for _, run := range r.Runs {
			if c.name == "an array of three" && run.GroupID != "c/7" {
				t.Errorf("%s: %+v", c.name, run)
			}
		}
	}
}

func leader(job string) func(*ledger.WorkloadFact) {
	return func(p *ledger.WorkloadFact) { p.OwnerKind, p.OwnerName = ledger.KindSlurmJob, job }
}

// A job that lost a node and continued is two rows of one life.
func TestResizedSlurmJobIsOneAttempt(t *testing.T) {
	resizing := func(p *ledger.WorkloadFact) { p.Reason = "resizing" }
	s := slurm().
		life("7", "n1", 0, 10, 30, ledger.Succeeded, resizing).life("7", "n2", 0, 10, 30, ledger.Succeeded, resizing).
		life("7", "n1", 30, 30, 50, ledger.Failed)
	wantAttempts(t, s, "#1 10–50 failed lost none from 10 complete 10: 7@0n1 10–30 7@0n2 10–30 7@30n1 30–50")
}

func TestWaitingSlurmJobIsQueuedUntilItHasNodes(t *testing.T) {
	waiting := slurm().life("7", "", 0, -1, -1, ledger.Running).observedUntil(5000)
	if r := waiting.build(); len(r.Runs) != 1 || r.Runs[0].Status != "queued" || len(r.Attempts) != 0 {
		t.Errorf("%+v", r)
	}
	s := waiting.life("7", "n1", 0, 30, 60, ledger.Succeeded) // the next export
	r := s.build()
	if len(r.Workloads) != 1 || r.Runs[0].Status != "succeeded" || r.Runs[0].QueueWait != 1800 {
		t.Errorf("%+v", r)
	}
	if cancelled := slurm().life("7", "", 0, -1, 9, ledger.Cancelled).build(); cancelled.Runs[0].Status != "cancelled" {
		t.Errorf("%+v", cancelled.Runs)
	}
}

func TestOutcomesFromSlurmStates(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome ledger.Outcome
		warned  bool
		want    ledger.Outcome
		reason  string
	}{
		{"preempted by the scheduler", ledger.Preempted, false, ledger.Preempted, "scheduler"},
		{"preempted with its spot instance", ledger.Preempted, true, ledger.Preempted, "spot_interruption"},
		{"its spot instance vanished", ledger.NodeFailure, true, ledger.Preempted, "spot_interruption"},
		{"succeeded in spite of the warning", ledger.Succeeded, true, ledger.Succeeded, ""},
		{"cancelled", ledger.Cancelled, true, ledger.Cancelled, ""},
		{"out of memory", ledger.OOM, false, ledger.OOM, ""},
	} {
		s := slurm().life("7", "n1", 0, 10, 60, c.outcome)
		if c.warned {
			s.warning("n1", 58)
		}
		if w := s.build().Workloads[0]; w.Outcome != c.want || w.Reason != c.reason {
			t.Errorf("%s: %s %s", c.name, w.Outcome, w.Reason)
		}
	}
}

// Cloud events may name a machine by any key that their provider uses.
func TestAWarningMayNameAnyKeyOfTheMachine(t *testing.T) {
	s := newStory().node("n1", func(n *Node) { n.Keys = []string{"gce/p/z/n1", "node/c/n1"} }).pod("a", job, 0, 30)
	s.in.Events = []ledger.InstanceEvent{{InstanceID: "gce/p/z/n1", Kind: ledger.EventInterruption, At: at(29)}}
	if w := s.build().Workloads[0]; w.Reason != "spot_interruption" {
		t.Errorf("%+v", w)
	}
}

// A job of a managed service runs on no known node: it has attempts and a cost, but holds nothing.
func TestJobOfAManagedService(t *testing.T) {
	part := func(number string, from, to int, outcome ledger.Outcome) ledger.WorkloadFact {
		return ledger.WorkloadFact{Cluster: "aws", System: ledger.SystemSageMaker, Name: "tune",
			UID:       "arn:aws:sagemaker:::training-job/tune#" + number,
			OwnerName: "tune", Created: at(0), Started: at(from), Completed: at(to), Outcome: outcome,
			Labels: map[string]string{ledger.LabelAttempt: number, ledger.LabelPricing: "spot"}}
	}
	s := newStory()
	s.in.Pods = []ledger.WorkloadFact{part("2", 60, 90, ledger.Succeeded), part("1", 5, 50, ledger.Preempted)}
	wantAttempts(t, s,
		"#1 5–50 preempted(scheduler) lost none from 5 complete 5: arn:aws:sagemaker:::training-job/tune#1 5–50",
		"#2 60–90 succeeded complete 60: arn:aws:sagemaker:::training-job/tune#2 60–90")
	r := s.build()
	run := r.Runs[0]
	if run.Kind != "training" || run.Status != "succeeded" || run.Attempts != 2 || run.Preempted != 1 ||
		run.QueueWait != 300 || run.RootKind != ledger.KindSageMakerJob {
		t.Errorf("%+v", run)
	}
	for _, w := range r.Workloads {
		if !w.NodeID.IsZero() || w.RunID != run.ID {
			t.Errorf("%+v", w)
		}
	}
	if a := r.Attempts[0]; a.Pricing != ledger.Spot || a.Nodes != 0 {
		t.Errorf("%+v", a)
	}
}

// A job submits its successor under one run id: the source counts the lives of each from 1; the run's attempts count
// over all.
func TestChainOfSlurmJobsIsOneRun(t *testing.T) {
	of := func(number string) func(*ledger.WorkloadFact) {
		return labelled(ledger.LabelRunID, "mine", ledger.LabelAttempt, number)
	}
	wantAttempts(t, slurm().
		life("7", "n1", 0, 1, 60, ledger.Preempted, of("1")).life("7", "n2", 61, 62, 100, ledger.Timeout, of("2")).
		life("8", "n1", 90, 101, 150, ledger.Succeeded, of("1")),
		"#1 1–60 preempted(scheduler) lost none from 1 complete 1: 7@0n1 1–60",
		"#2 62–100 timeout lost none from 62 complete 62: 7@61n2 62–100",
		"#3 101–150 succeeded complete 101: 8@90n1 101–150")
}
