package attempt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// segment makes a pod work for a run.
func (s *story) segment(pod, run string, number int32, from, to int, outcome ledger.Outcome) *story {
	f := ledger.SegmentFact{
		Cluster: "c", Namespace: "ns", Pod: pod, Run: run, Attempt: number, From: at(from), Outcome: outcome,
	}
	if to >= 0 {
		f.To = at(to)
	}
	s.in.Segments = append(s.in.Segments, f)
	return s
}

// weights prints the runs of a pod over time, in ppm.
func weights(r Result, uid string) string {
	var lines []string
	for _, a := range r.Attempts {
		for _, g := range a.Segments {
			if g.Workload == ledger.NewID("workload", "c", uid) {
				lines = append(lines, fmt.Sprintf("%s–%s %s#%d %d", minutes(g.From), minutes(g.To), a.RunID, a.Number, g.Weight))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Two runs of a sweep share an agent's pod; the rest of the time is the agent's own.
func TestPodSharedByTwoSweepRuns(t *testing.T) {
	s := newStory().node("n1").
		pod("a", "Job/agent", 0, 90, failed("Error"), label("gpuledger.io/run-id", "agent")).
		segment("pod-a", "lr-1", 0, 10, 40, ledger.Succeeded).
		segment("a", "lr-2", 0, 20, -1, "") // by uid, still running when the pod failed
	r := s.build()
	if got, want := weights(r, "a"),
		"0–10 agent#1 1000000\n10–20 lr-1#1 1000000\n20–40 lr-1#1 500000\n20–40 lr-2#1 500000\n40–90 lr-2#1 1000000"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	outcomes := map[string]ledger.Outcome{}
	for _, a := range r.Attempts {
		outcomes[a.RunID] = a.Outcome
	}
	if outcomes["lr-1"] != ledger.Succeeded || outcomes["lr-2"] != ledger.Failed || outcomes["agent"] != ledger.Failed {
		t.Errorf("%v", outcomes)
	}
}

// A segment from a tracker that knows no namespace finds the pod in any namespace.
func TestSegmentWithoutNamespace(t *testing.T) {
	s := newStory().node("n1").pod("a", "Job/agent", 0, 90, label("gpuledger.io/run-id", "agent")).
		segment("pod-a", "lr-1", 0, 10, 40, ledger.Succeeded)
	s.in.Segments[0].Namespace = ""
	if got := weights(s.build(), "a"); !strings.Contains(got, "10–40 lr-1#1 1000000") {
		t.Error(got)
	}
	s.in.Segments[0].Namespace = "other"
	if got := weights(s.build(), "a"); strings.Contains(got, "lr-1") {
		t.Error(got)
	}
}

func TestRunOfThreeSegmentsOnAService(t *testing.T) {
	s := newStory().node("n1").node("n2").
		pod("a", "Deployment/ray", 0, 200).pod("b", "Deployment/ray", 0, 200, on("n2")).
		segment("a", "r", 1, 10, 40, ledger.Failed).segment("b", "r", 1, 12, 41, ledger.Failed). // one attempt on two pods
		segment("a", "r", 5, 50, 80, ledger.Succeeded)
	r := s.build()
	wantAttempts(t, s, "#1 10–41 failed lost none from 10 complete 10: a 10–40 b 12–41",
		"#2 50–80 succeeded complete 50: a 50–80")
	if len(r.Runs) != 1 || r.Runs[0].ID != "r" || r.Runs[0].Status != "succeeded" || r.Runs[0].World != 2 ||
		r.Workloads[0].RunID != "" {
		t.Errorf("%+v", r)
	}
}

func TestSegmentsWithoutNumbersAreAttemptsWhereTheyDoNotOverlap(t *testing.T) {
	s := newStory().node("n1").node("n2").
		pod("a", "Deployment/ray", 0, 200).pod("b", "Deployment/ray", 0, 200, on("n2")).
		segment("a", "r", 0, 10, 40, ledger.Failed).segment("b", "r", 0, 39, 60,
		ledger.Succeeded).segment("a", "r", 0, 60, 80, "")
	wantAttempts(t, s, "#1 10–60 failed lost none from 10 complete 10: a 10–40 b 39–60",
		"#2 60–80 unknown complete 60: a 60–80")
}

// All time of the agent belongs to other runs: it has no run itself.
func TestAgentWithoutTimeOfItsOwnHasNoRun(t *testing.T) {
	r := newStory().node("n1").pod("a", "Job/agent", 0, 90, succeeded).segment("a", "r", 0, 0, 90,
		ledger.Succeeded).build()
	if !slices.Equal(runIDs(r), []string{"r"}) || len(r.Workloads) != 1 || r.Workloads[0].RunID != "" {
		t.Errorf("%+v", r)
	}
}

// Members and segments of one run are counted together.
func TestRunWithMembersAndSegments(t *testing.T) {
	s := newStory().node("n1").node("n2").
		pod("a", job, 100, 200, label("gpuledger.io/run-id", "r"), succeeded).
		pod("b", "Deployment/ray", 0, 90, on("n2")).segment("b", "r", 0, 5, 50, ledger.Failed)
	wantAttempts(t, s, "#1 5–50 failed lost none from 5 complete 5: b 5–50",
		"#2 100–200 succeeded complete 100: a 100–200")
}

func TestSegmentWithoutWorkloadIsReported(t *testing.T) {
	r := newStory().node("n1").pod("a", "Job/j", 0, 9).segment("a", "r", 0, 20, 30, "").segment("ghost", "r", 0, 1, 2,
		"").build()
	if len(r.Findings) != 2 || r.Findings[0].Code != "segment_without_workload" || slices.Contains(runIDs(r), "r") {
		t.Errorf("%+v", r.Findings)
	}
}

func TestLoadCutsAnywhere(t *testing.T) {
	l := newLoad([]*segment{
		{piece: piece{from: 10, to: 30}}, {piece: piece{from: 20, to: 40}}, {piece: piece{from: 50, to: 60}},
	})
	var got []string
	l.cut(5, 55, func(i period.Interval, by int) { got = append(got, fmt.Sprintf("%d–%d×%d", i.From, i.To, by)) })
	if want := "5–10×0 10–20×1 20–30×2 30–40×1 40–50×0 50–55×1"; strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
}
