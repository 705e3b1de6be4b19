package attempt

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
)

func runIDs(r Result) []string {
	var ids []string
	for _, v := range r.Runs {
		ids = append(ids, v.ID)
	}
	return ids
}

func TestSameNameIsOneRunUntilItSucceedsOrRests(t *testing.T) {
	const day = 24 * 60
	for _, c := range []struct {
		name  string
		story *story
		want  int
	}{
		{"failed, then again", newStory().pod("a", job, 0, 10, failed("Error")).pod("b", job, 20, 30), 1},
		{"succeeded, then again", newStory().pod("a", job, 0, 10, succeeded).pod("b", job, 20, 30), 2},
		{
			"succeeded after the other began",
			newStory().pod("a", job, 0, 25, worker(0), succeeded).pod("b", job, 20, 30, worker(1)), 1,
		},
		{"one member succeeded, the other failed", newStory().
			pod("a", job, 0, 10, worker(0), succeeded).pod("b", job, 0, 11, worker(1),
			failed("Error")).pod("c", job, 20, 30, worker(0)), 1},
		{"a member that failed an hour ago never came back", newStory().
			pod("a", job, 0, 10, worker(0), failed("Error")).pod("b", job, 0, 11, worker(1), failed("Error")).
			pod("c", job, 20, 80, worker(0), succeeded).pod("d", job, 90, 99, worker(0)), 2},
		{"a task that failed an hour ago never came back", newStory().
			object(ledger.ObjectFact{Kind: "Job", Name: "j", Created: t0}).pod("a", "Job/j", 0, 10, named("j-0-abcde"),
			failed("Error")).
			pod("b", "Job/j", 0, 80, named("j-1-abcde"), succeeded).
			object(ledger.ObjectFact{Kind: "Job", Name: "j", Created: at(89)}).pod("c", "Job/j", 90, 99, named("j-0-fghij")), 1},
		{"nobody held yet", newStory().pod("a", job, 0, 10, on(""), succeeded).pod("b", job, 20, 30), 1},
		{"24 h of rest", newStory().pod("a", job, 0, 10, failed("Error")).pod("b", job, 10+day, 20+day), 1},
		{"more than 24 h of rest", newStory().pod("a", job, 0, 10, failed("Error")).pod("b", job, 11+day, 20+day), 2},
		{"one Job object, task after task", newStory().object(ledger.ObjectFact{Kind: "Job", Name: "j", Created: t0}).
			pod("a", "Job/j", 0, 10, succeeded).pod("b", "Job/j", 20, 30), 1},
		{"other namespaces and kinds", newStory().pod("a", job, 0, 10).pod("b", "TFJob/train", 0, 10), 2},
	} {
		if got := runIDs(c.story.node("n1").build()); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestRunIDs(t *testing.T) {
	s := newStory().node("n1").
		object(ledger.ObjectFact{Kind: "Job", Name: "j", Created: t0 - 77, Attrs: map[string]string{}}).
		pod("a", "Job/j", 0, 10).
		pod("b", "Job/x", 0, 10, label("gpuledger.io/run-id", "mine"), label("team", "red")).
		pod("c", "Job/y", 0, 10, label("gpuledger_io_run_id", "mine"), label("team", "red")).
		pod("d", "Job/z", 0, 10, label("gpuledger.io/run-id", "both"), label("team", "red")).
		pod("e", "Job/z", 0, 10, label("gpuledger.io/run-id", "both"), label("team", "blue"))
	want := []string{"both@blue", "both@red", "c/ns/Job/j/1793577523", "mine"}
	if diff := gocmp.Diff(want, runIDs(s.build())); diff != "" {
		t.Error(diff)
	}
}

func TestRunFacts(t *testing.T) {
	s := newStory().node("n1", func(n *Node) { n.PriceClass = ledger.Spot }).node("n2").
		object(ledger.ObjectFact{
			Kind: "Job", Name: "j", Created: at(-10), OwnerKind: "CronJob",
			OwnerName: "nightly", Labels: map[string]string{"max-cost-per-run": "120.50", "cost-budget-limit": "7"},
		}).
		pod("a", "Job/j", 0, 10, failed("Error")).
		pod("b", "Job/j", 15, 40, on("n2"), succeeded)
	r := s.build()
	run := r.Runs[0]
	if run.QueueWait != 600 || run.Budget == nil || run.Budget.String() != "120.5" ||
		run.GroupID != "c/ns/CronJob/nightly" || run.Attempts != 2 {
		t.Errorf("%+v", run)
	}
	if a := r.Attempts[0]; a.Pricing != ledger.Spot || a.Nodes != 1 || a.GPUs != 8 {
		t.Errorf("%+v", a)
	}
	for text, want := range map[string]string{"12.5": "12.5", "0": "", "-1": "", "1e3": "", "ten": ""} {
		limited := newStory().node("n1").pod("a", "Job/j", 0, 10, label("label_max_cost_per_run", text)).build().Runs[0]
		if got := limited.Budget; (got == nil) != (want == "") || got != nil && got.String() != want || limited.LimitText != text {
			t.Errorf("%q: limit %v of %q, want %q", text, got, limited.LimitText, want)
		}
	}
	waiting := newStory().pod("a", job, 0, 10, on(""), func(p *ledger.WorkloadFact) { p.Phase = "Pending" }).build()
	if got := waiting.Runs[0]; got.Status != "queued" || got.StartedAt != 0 || got.EndedAt != 0 || got.QueueWait != -1 ||
		len(waiting.Attempts) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestPodsWithoutGPUsAreLeftOut(t *testing.T) {
	none := func(p *ledger.WorkloadFact) { p.Requests = map[string]int64{"cpu": 4} }
	s := newStory().node("gpu").node("cpu", func(n *Node) { n.GPUs = 0 }).
		pod("a", "Job/j", 0, 10, on("cpu"), none).
		pod("b", "Deployment/web", 0, 10, on("cpu"), none).
		pod("c", "DaemonSet/agent", 0, 10, on("gpu"), none).
		pod("d", "MPIJob/m", 0, 10, on("cpu"), none). // launcher of a GPU run
		pod("e", "MPIJob/m", 0, 10, on("gpu"))
	r := s.build()
	var uids []string
	for _, w := range r.Workloads {
		uids = append(uids, w.UID)
	}
	if !slices.Equal(uids, []string{"c", "d", "e"}) || len(r.Runs) != 1 {
		t.Errorf("%v %v", uids, runIDs(r))
	}
}
