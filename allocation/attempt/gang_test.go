package attempt

import (
	"testing"

	"gpuledger/internal/ledger"
)

// gang is a story of PyTorchJob "train" on nodes n1 and n2.
func gang() *story { return newStory().node("n1").node("n2") }

const job = "PyTorchJob/train"

func TestGangThatSucceedsIsOneAttempt(t *testing.T) {
	s := gang().
		pod("a", job, 0, 100, worker(0), succeeded).
		pod("b", job, 5, 101, worker(1), on("n2"), succeeded)
	wantAttempts(t, s, "#1 0–101 succeeded complete 5: a 0–100 b 5–101")
	run := s.build().Runs[0]
	if run.Status != "succeeded" || run.World != 2 || run.Attempts != 1 || run.EndedAt != at(101) ||
		run.ID != "c/ns/PyTorchJob/train/1793577600" {
		t.Errorf("%+v", run)
	}
}

func TestOneFailureEndsTheAttemptForAllAndTeardownStaysInIt(t *testing.T) {
	s := gang().
		pod("a", job, 0, 50, worker(0), failed("Error")).
		pod("b", job, 0, 53, worker(1), on("n2"), deleted). // within 300 s: teardown, whole
		pod("c", job, 60, 100, worker(0), succeeded).
		pod("d", job, 62, 100, worker(1), on("n2"), succeeded).
		saved("a", 30).saved("b", 52)
	wantAttempts(t, s,
		"#1 0–53 failed(Error) lost checkpoint from 52 complete 0: a 0–50 b 0–53",
		"#2 60–100 succeeded complete 62: c 60–100 d 62–100")
}

func TestSurvivorsAreCutAndGoOnInTheNextAttempt(t *testing.T) {
	s := gang().
		pod("a", job, 0, 100, worker(0), succeeded).
		pod("b", job, 0, 40, worker(1), on("n2")).warning("n2", 38).
		pod("c", job, 55, 100, worker(1), on("n2"), succeeded).observedUntil(110)
	wantAttempts(t, s,
		"#1 0–40 preempted(spot_interruption) lost none from 0 complete 0: a 0–40 b 0–40",
		"#2 40–100 succeeded complete 55: a 40–100 c 55–100")
	run := s.build().Runs[0]
	if run.Preempted != 1 || run.Attempts != 2 {
		t.Errorf("%+v", run)
	}
}

func TestMemberThatStartsAtTheEndBelongsToTheNextAttempt(t *testing.T) {
	s := gang().
		pod("a", job, 0, 40, worker(0), failed("Error")).
		pod("b", job, 40, 90, worker(0), succeeded)
	wantAttempts(t, s,
		"#1 0–40 failed(Error) lost none from 0 complete 0: a 0–40",
		"#2 40–90 succeeded complete 40: b 40–90")
}

func TestEqualEndsAreDecidedByTheSmallestUID(t *testing.T) {
	s := gang().
		pod("b", job, 0, 40, worker(0), failed("Second")).
		pod("a", job, 0, 40, worker(1), on("n2"), failed("First"))
	wantAttempts(t, s, "#1 0–40 failed(First) lost none from 0 complete 0: a 0–40 b 0–40")
}

func TestRunningMemberIsNoTeardown(t *testing.T) {
	s := gang().
		pod("a", job, 0, 40, worker(0), failed("Error")).
		pod("b", job, 0, 42, worker(1), on("n2")) // still there when data end
	wantAttempts(t, s,
		"#1 0–42 running(Error) lost none from - complete 0: a 0–40 b 0–42") // a loses its own
	if run := s.build().Runs[0]; run.Status != "running" || run.Attempts != 1 {
		t.Errorf("%+v", run)
	}
}

func TestGangThatNeverCompletes(t *testing.T) {
	s := gang().
		pod("a", job, 0, 30, worker(0), deleted).
		pod("b", job, 40, 60, worker(0)).
		pod("c", job, 41, 60, worker(1), on("n2"))
	wantAttempts(t, s,
		"#1 0–30 cancelled(deleted) complete -: a 0–30",
		"#2 40–60 running complete 41: b 40–60 c 41–60")
	if run := s.build().Runs[0]; run.Status != "running" || run.EndedAt != 0 {
		t.Errorf("%+v", run)
	}
}

// A member that never got a node does not delay the gang.
func TestMemberThatNeverHeldIsNoPartOfTheWorld(t *testing.T) {
	s := gang().
		pod("a", job, 0, 100, worker(0), succeeded).
		pod("b", job, 5, 100, worker(1), on("n2"), succeeded).
		pod("c", job, 0, 100, worker(2), on(""))
	if run := s.build().Runs[0]; run.World != 2 {
		t.Errorf("%+v", run)
	}
	wantAttempts(t, s, "#1 0–100 succeeded complete 5: a 0–100 b 5–100")
}

func TestGangJobIsOneWithAsManyCompletionsAsParallelPods(t *testing.T) {
	object := func(completions, parallelism string) ledger.ObjectFact {
		return ledger.ObjectFact{
			Kind: "Job", Name: "j", Created: at(-5),
			Attrs: map[string]string{"completions": completions, "parallelism": parallelism},
		}
	}
	pods := func(s *story) *story {
		return s.pod("a", "Job/j", 0, 20, named("j-0-abcde"), failed("Error")).pod("b", "Job/j", 0, 40, named("j-1-abcde"),
			on("n2"), succeeded)
	}
	wantAttempts(t, pods(gang().object(object("2", "2"))),
		"#1 0–40 succeeded(Error) lost none from - complete 0: a 0–20 b 0–40")
	wantAttempts(t, pods(gang().object(object("4", "2"))), // tasks
		"0#1 0–20 failed(Error) lost none from 0 complete 0: a 0–20",
		"1#1 0–40 succeeded complete 0: b 0–40")
}
