package attempt

import (
	"testing"

	"gpuledger/internal/ledger"
)

func started(p *ledger.WorkloadFact) { p.System, p.Created = ledger.SystemAttempts, 0 }

// A source with only a start gives no wait; a try that was submitted later does not give the wait of the first.
func TestWaitsOfUnknownCreationAreUnknown(t *testing.T) {
	resubmitted := func(p *ledger.WorkloadFact) { p.System, p.Created = ledger.SystemAttempts, at(70) }
	for name, c := range map[string]struct {
		second func(*ledger.WorkloadFact)
		want   int64
	}{"never said": {started, -1}, "said of the second try only": {resubmitted, -1}} {
		s := newStory().node("n1")
		s.pod("a", "AttemptsRun/r", 10, 60, started, label("gpuledger.io/run-id", "r"), label("gpuledger.io/attempt", "1"),
			succeeded)
		s.pod("b", "AttemptsRun/r", 90, 120, c.second, label("gpuledger.io/run-id", "r"), label("gpuledger.io/attempt", "2"),
			succeeded)
		if r := s.build(); len(r.Runs) != 1 || r.Runs[0].QueueWait != c.want || r.Runs[0].Attempts != 2 {
			t.Errorf("%s: %+v", name, r.Runs)
		}
	}
	submitted := func(p *ledger.WorkloadFact) { p.System, p.Created = ledger.SystemAttempts, at(3) }
	s := newStory().node("n1").pod("a", "AttemptsRun/r", 10, 60, submitted, succeeded)
	if r := s.build(); r.Runs[0].QueueWait != 7*60 {
		t.Errorf("%+v", r.Runs)
	}
}

// If only starts are known, tries that name no machine still count as tries next to others of the run that do.
func TestTriesWithoutSubmitTimeAreSeveral(t *testing.T) {
	nowhere := func(p *ledger.WorkloadFact) { p.Node, p.Name, p.Completed = "", "r", p.LastSeen+60 }
	s := newStory().node("n1")
	s.pod("a", "AttemptsRun/r", 10, 60, started, named("r"), label("gpuledger.io/run-id", "r"),
		label("gpuledger.io/attempt", "1"), succeeded)
	s.pod("b", "AttemptsRun/r", 90, 120, started, nowhere, label("gpuledger.io/run-id", "r"),
		label("gpuledger.io/attempt", "2"))
	if r := s.build(); len(r.Attempts) != 2 {
		t.Errorf("%+v", r.Attempts)
	}
}
