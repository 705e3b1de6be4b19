package attempt

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func TestHold(t *testing.T) {
	life := Node{ID: ledger.NewID("x"), Life: period.Interval{From: t0, To: at(90)}}
	for _, c := range []struct {
		name     string
		pod      ledger.WorkloadFact
		placed   bool
		from, to period.Second
	}{
		{
			"scheduled before started",
			ledger.WorkloadFact{Scheduled: at(1), Started: at(2), LastSeen: at(9)}, true, at(1), at(10),
		},
		{"started when scheduling is unknown", ledger.WorkloadFact{Started: at(2), LastSeen: at(9)}, true, at(2), at(10)},
		{"first sample when neither is known", ledger.WorkloadFact{FirstSeen: at(3), LastSeen: at(9)}, true, at(3), at(10)},
		{
			"completion before phase before last sample",
			ledger.WorkloadFact{Scheduled: at(1), Completed: at(5), TerminalAt: at(6), LastSeen: at(9)}, true, at(1), at(5),
		},
		{
			"first terminal phase", ledger.WorkloadFact{Scheduled: at(1), TerminalAt: at(6), LastSeen: at(9)},
			true, at(1), at(6),
		},
		{"never beyond its node", ledger.WorkloadFact{Scheduled: at(1), LastSeen: at(95)}, true, at(1), at(90)},
		{"scheduled and never seen again", ledger.WorkloadFact{Scheduled: at(5)}, true, at(5), at(6)},
		{"without a node", ledger.WorkloadFact{Scheduled: at(1), LastSeen: at(9)}, false, 0, 0},
	} {
		if got := hold(&c.pod, life, c.placed, policy.Default()); got.From != c.from || got.To != c.to {
			t.Errorf("%s: %s–%s", c.name, minutes(got.From), minutes(got.To))
		}
	}
}

func TestOutcomeIsTheFirstRuleThatMatches(t *testing.T) {
	lost := func(p *ledger.WorkloadFact) { p.DisruptionReason = "DeletionByTaintManager" }
	oom := func(p *ledger.WorkloadFact) { p.TerminatedReason = "OOMKilled"; p.Phase = "Failed" }
	evicted := func(p *ledger.WorkloadFact) { p.StatusReason = "Evicted"; p.Phase = "Failed" }
	scheduler := func(p *ledger.WorkloadFact) { p.DisruptionReason = "PreemptionByScheduler"; p.Deleted = p.LastSeen }
	deadline := ledger.ObjectFact{
		Kind: "Job", Name: "j", Created: t0, Attrs: map[string]string{"failed_reason": "DeadlineExceeded"},
	}
	gone := func(real bool) func(*Node) {
		return func(n *Node) { n.Life.To, n.Gone = at(30), real }
	}
	for _, c := range []struct {
		name   string
		story  *story
		want   ledger.Outcome
		reason string
	}{
		{
			"succeeded in spite of a warning",
			newStory().node("n1").pod("a", "Job/j", 0, 30, succeeded).warning("n1", 25), ledger.Succeeded, "",
		},
		{
			"warning 10 min before the end", newStory().node("n1").pod("a", "Job/j", 0, 30, oom).warning("n1", 20),
			ledger.Preempted, "spot_interruption",
		},
		{
			"warning earlier than that",
			newStory().node("n1").pod("a", "Job/j", 0, 30, oom).warning("n1", 19), ledger.OOM, "OOMKilled",
		},
		{
			"warning of another instance",
			newStory().node("n1").pod("a", "Job/j", 0, 30, oom).warning("n2", 25), ledger.OOM, "OOMKilled",
		},
		{"evicted", newStory().node("n1").pod("a", "Job/j", 0, 30, evicted), ledger.Evicted, "Evicted"},
		{"scheduler", newStory().node("n1").pod("a", "Job/j", 0, 30, scheduler), ledger.Preempted, "scheduler"},
		{"node lost", newStory().node("n1").pod("a", "Job/j", 0, 30, lost), ledger.NodeFailure, "DeletionByTaintManager"},
		{
			"deadline", newStory().node("n1").object(deadline).pod("a", "Job/j", 0, 30, failed("Error")),
			ledger.Timeout, "DeadlineExceeded",
		},
		{"failed", newStory().node("n1").pod("a", "Job/j", 0, 30, failed("Error")), ledger.Failed, "Error"},
		{"ended with its node", newStory().node("n1", gone(true)).pod("a", "Job/j", 0, 30), ledger.NodeFailure, "node gone"},
		{
			"data of node and pod stop together",
			newStory().node("n1", gone(false)).pod("a", "Job/j", 0, 30), ledger.Running, "",
		},
		{"deleted", newStory().node("n1").pod("a", "Job/j", 0, 30, deleted), ledger.Cancelled, "deleted"},
		{
			"gone while others were observed",
			newStory().node("n1").pod("a", "Job/j", 0, 30).observedUntil(31), ledger.OutcomeUnknown, "",
		},
		{"one step is not enough", newStory().node("n1").pod("a", "Job/j", 0, 30).observedUntil(30), ledger.Running, ""},
	} {
		w := c.story.build().Workloads
		if len(w) != 1 || w[0].Outcome != c.want || w[0].Reason != c.reason {
			t.Errorf("%s: %+v", c.name, w)
		}
	}
}

func TestRootOwnerAndClass(t *testing.T) {
	owned := func(kind, name, ownerKind, owner string) ledger.ObjectFact {
		return ledger.ObjectFact{Kind: kind, Name: name, OwnerKind: ownerKind, OwnerName: owner, Created: t0}
	}
	for _, c := range []struct {
		name       string
		story      *story
		kind, root string
		class      ledger.WorkloadClass
	}{
		{"bare pod", newStory().pod("a", "", 0, 9), "Pod", "pod-a", ledger.ClassInteractive},
		{
			"known ReplicaSet", newStory().object(owned("ReplicaSet", "api-6d4", "Deployment",
				"api")).pod("a", "ReplicaSet/api-6d4", 0, 9), "Deployment", "api", ledger.ClassService,
		},
		{
			"unknown ReplicaSet", newStory().pod("a", "ReplicaSet/my-api-6d4", 0, 9),
			"Deployment", "my-api", ledger.ClassService,
		},
		{
			"rollout", newStory().object(owned("ReplicaSet", "api-6d4", "Rollout", "api")).pod("a", "ReplicaSet/api-6d4", 0, 9),
			"Rollout", "api", ledger.ClassService,
		},
		{
			"job of a cron job", newStory().object(owned("Job", "n-1", "CronJob", "n")).pod("a", "Job/n-1", 0, 9),
			"Job", "n-1", ledger.ClassRun,
		},
		{
			"job of a job set", newStory().object(owned("Job", "n-1", "JobSet", "n")).pod("a", "Job/n-1", 0, 9),
			"JobSet", "n", ledger.ClassRun,
		},
		{"unknown job", newStory().pod("a", "Job/n-1", 0, 9), "Job", "n-1", ledger.ClassRun},
		{"notebook", newStory().pod("a", "Notebook/n", 0, 9), "Notebook", "n", ledger.ClassInteractive},
		{"daemon", newStory().pod("a", "DaemonSet/n", 0, 9), "DaemonSet", "n", ledger.ClassSystem},
		{
			"label wins", newStory().pod("a", "Deployment/n", 0, 9, label("gpuledger_io_workload_class", "run")),
			"Deployment", "n", ledger.ClassRun,
		},
	} {
		w := c.story.node("n1").build().Workloads
		if len(w) != 1 || w[0].Kind != c.kind || w[0].OwnerName != c.root || w[0].Class != c.class ||
			(w[0].Service != "") != (c.class == ledger.ClassService) {
			t.Errorf("%s: %+v", c.name, w)
		}
	}
}

func TestKind(t *testing.T) {
	for _, c := range []struct{ rootKind, stage, want string }{
		{"PyTorchJob", "", "training"}, {"Job", "", "batch"},
		{"Job", "fine-tuning", "fine_tuning"}, {"Job", "finetuning", "fine_tuning"},
		{"PyTorchJob", "Evaluation", "evaluation"}, {"PyTorchJob", "prod", "training"},
	} {
		if got := kindOf(c.rootKind, folder{}.fold(map[string]string{"stage": c.stage})); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestLoss(t *testing.T) {
	base := func() *story { return newStory().node("n1") }
	wantAttempts(t, base().pod("a", "Job/j", 0, 30, failed("Error")).saved("a", 0).saved("a", 10).saved("a", 30).saved("a",
		31).saved("b", 20),
		"0#1 0–30 failed(Error) lost checkpoint from 30 complete 0: a 0–30")
	wantAttempts(t, base().pod("a", "Job/j", 0, 30, failed("Error")).saved("a", 0),
		"0#1 0–30 failed(Error) lost none from 0 complete 0: a 0–30")
	wantAttempts(t, base().pod("a", "Job/j", 0, 30, failed("Error"), label("stage", "inference")),
		"0#1 0–30 failed(Error) complete 0: a 0–30")
	wantAttempts(t, base().pod("a", "Job/j", 0, 30, deleted),
		"0#1 0–30 cancelled(deleted) complete 0: a 0–30")
}

// The price class of an attempt is the class of most of its held seconds; on a tie the first by name, whatever the
// order of maps.
func TestPriceClassOfMostSeconds(t *testing.T) {
	on := func(class ledger.PriceClass, seconds int64) piece {
		return piece{
			pod: &pod{WorkloadFact: &ledger.WorkloadFact{}, node: Node{PriceClass: class}}, to: period.Second(seconds),
		}
	}
	for _, c := range []struct {
		pieces []piece
		want   ledger.PriceClass
	}{
		{[]piece{on(ledger.OnDemand, 10), on(ledger.Spot, 100)}, ledger.Spot},
		{[]piece{on(ledger.OnDemand, 60), on(ledger.Spot, 100), on(ledger.OnDemand, 50)}, ledger.OnDemand},
		{[]piece{on(ledger.Spot, 50), on(ledger.OnDemand, 50)}, ledger.OnDemand},
		{nil, ""},
	} {
		for range 20 {
			if got := (&try{pieces: c.pieces}).pricing(); got != c.want {
				t.Fatalf("%v: %q, want %q", c.pieces, got, c.want)
			}
		}
	}
}

// The end was not observed: no work is lost, but all since the last checkpoint may be.
func TestAnUnknownEndLosesNothing(t *testing.T) {
	attemptOf := func(s *story) ledger.Attempt {
		t.Helper()
		a := s.build().Attempts
		if len(a) == 0 {
			t.Fatal("no attempt")
		}
		return a[0]
	}
	gone := func() *story { return newStory().node("n1").pod("a", "Job/j", 0, 30).observedUntil(31) }
	a := attemptOf(gone())
	if a.Outcome != ledger.OutcomeUnknown || a.LossBasis != "" || a.LossFrom != 0 || a.MayLoseFrom != a.Span.From {
		t.Errorf("without a checkpoint: %+v", a)
	}
	if a = attemptOf(gone().saved("a", 20)); a.LossFrom != 0 || a.MayLoseFrom != at(20) {
		t.Errorf("with a checkpoint: %+v", a)
	}
	if a = attemptOf(newStory().node("n1").pod("a", "Deployment/n", 0, 30, label("gpuledger_io_workload_class", "run"),
		label("stage", "inference")).observedUntil(31)); a.MayLoseFrom != 0 {
		t.Errorf("work that cannot be lost: %+v", a)
	}
	if a = attemptOf(newStory().node("n1").pod("a", "Job/j", 0, 30,
		failed("Error")).observedUntil(31)); a.MayLoseFrom != 0 || a.LossFrom == 0 {
		t.Errorf("whose end is known: %+v", a)
	}
}
