package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
)

func TestIdleForFourteenMinutesIsStillUsed(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "12:00", 1, 0)
	s.busy(0, "8:00", "10:00", 50)
	s.busy(0, "10:00", "10:14", 5)
	s.busy(0, "10:14", "10:20", 10) // the threshold itself is active
	s.busy(0, "10:20", "10:35", 9)
	s.busy(0, "10:35", "12:00", 50)
	s.bill("10:00", 3600, "60")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 3/4 h $45
		held_idle a 1/4 h $15`)
}

func TestMissingMinuteBreaksTheIdleRun(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "12:00", 1, 0)
	s.busy(0, "8:00", "10:00", 50)
	s.busy(0, "10:00", "10:14", 0)
	s.busy(0, "10:15", "10:29", 0)
	s.busy(0, "10:29", "12:00", 50)
	s.bill("10:00", 3600, "60")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 59/60 h $59
		unobserved a 1/60 h $1`)
}

// The idle run belongs to the hold: the minutes before the pod came and those of the pod before it do not count.
func TestIdleRunStopsAtTheHold(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "10:10", 1, 0)
	s.pod("b", "10:10", "10:20", 1, 0)
	s.busy(0, "8:00", "10:00", 50)
	s.busy(0, "10:00", "11:00", 0)
	s.bill("10:00", 3600, "60")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 1/6 h $10
		overhead b 1/6 h $10
		free - 2/3 h $40`)
}

// An idle run that began on the day before continues.
func TestIdleRunOverMidnight(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life.From = at("-5:00")
	s.pod("a", "-4:00", "12:00", 1, 0)
	s.busy(0, "-1:00", "-0:10", 50)
	s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalGrEngine, between("-0:10", "0:06"),
		func(int) int64 { return 0 })
	s.busy(0, "0:06", "12:00", 50)
	s.bill("0:00", 3600, "60")
	expect(t, account(s.allocate(), "0:00", "a"), `
		used a 9/10 h $54
		held_idle a 1/10 h $6`)
}

// Starting is overhead until the first active minute, at most half an hour.
func TestStartupIsOverhead(t *testing.T) {
	s := newStory(t, 2)
	s.pod("slow", "10:00", "12:00", 1, 0)
	s.busy(0, "10:00", "10:10", 0)
	s.busy(0, "10:12", "12:00", 50)
	s.pod("never", "10:00", "12:00", 1, 1)
	s.busy(1, "10:00", "12:00", 0)
	s.bill("10:00", 3600, "120")
	expect(t, account(s.allocate(), "10:00", "slow", "never"), `
		used slow 4/5 h $48
		overhead slow 1/6 h $10
		overhead never 1/2 h $30
		held_idle never 1/2 h $30
		unobserved slow 1/30 h $2`)
}

func TestCrashLoopIsOverhead(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "12:00", 1, 0)
	s.busy(0, "8:00", "10:00", 50)
	s.busy(0, "10:00", "11:00", 0)
	s.day.PodStates = []ledger.PodStateHour{{Cluster: "c", UID: "a", Hour: at("10:00"), Minutes: 1<<20 - 1}}
	s.bill("10:00", 3600, "60")
	expect(t, account(s.allocate(), "10:00", "a"), `
		overhead a 1/3 h $20
		held_idle a 2/3 h $40`)
}

// Two members run, the third comes at 10:12: everything before is overhead.
func TestGangWaitsForItsLastMember(t *testing.T) {
	s := newStory(t, 2)
	s.pod("w0", "10:00", "12:00", 1, 0)
	s.pod("w1", "10:05", "12:00", 1, 1)
	s.busy(0, "10:00", "12:00", 50)
	s.busy(1, "10:00", "12:00", 50)
	s.attempt(1, "", "10:00", "12:00", "w0", "w1").GangComplete = at("10:12")
	s.bill("10:00", 3600, "120")
	expect(t, account(s.allocate(), "10:00", "w0", "w1"), `
		used - 1/12 h $5
		used w0 4/5 h $48
		used w1 4/5 h $48
		overhead w0 1/5 h $12
		overhead w1 7/60 h $7`)
	s.node.Attempts[0].GangComplete = 0 // never complete: half an hour at most
	expect(t, account(s.allocate(), "10:00", "w0", "w1"), `
		used - 1/12 h $5
		used w0 1/2 h $30
		used w1 1/2 h $30
		overhead w0 1/2 h $30
		overhead w1 5/12 h $25`)
}

// Work after the last checkpoint is lost; the next attempt starts over with
// its own overhead, and the idle run goes on over both.
func TestLostWorkAndTheNextAttempt(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "10:30", 50)
	s.busy(0, "10:30", "10:50", 0)
	s.busy(0, "10:50", "12:00", 50)
	first := s.attempt(1, "0", "9:00", "10:30", "a")
	first.Outcome, first.LossBasis, first.LossFrom = ledger.Failed, ledger.LossCheckpoint, at("10:20")
	s.attempt(2, "0", "10:30", "12:00", "a")
	s.bill("10:00", 3600, "60")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1/2 h $30
		overhead a 1/3 h $20
		lost a 1/6 h $10`)
	if q := quality(c, ledger.Lost); q != "measured" {
		t.Errorf("loss from a checkpoint is %s", q)
	}
	first = &s.node.Attempts[0]
	first.LossBasis, first.LossFrom = ledger.LossNone, at("9:00")
	c = s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1/6 h $10
		overhead a 1/3 h $20
		lost a 1/2 h $30`)
	if q := quality(c, ledger.Lost); q != "assumed" {
		t.Errorf("loss without a checkpoint is %s", q)
	}
}

func TestWorkloadOutsideItsAttemptsKeepsItsHold(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.attempt(1, "0", "9:00", "10:30", "a")
	s.attempt(2, "0", "10:15", "10:45", "a") // a quarter of an hour of both
	s.bill("10:00", 3600, "60")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `used a 1 h $60`)
	seconds := map[ledger.ID]string{}
	for _, u := range c.Usage {
		if u.Hour == at("10:00") {
			seconds[u.AttemptID] = u.Weight.RatString()
		}
	}
	if seconds[s.node.Attempts[0].ID] != "1350" || seconds[s.node.Attempts[1].ID] != "1350" ||
		seconds[ledger.ID{}] != "900" {
		t.Errorf("seconds per attempt: %v", seconds)
	}
}

// The exporter is silent during the whole hold: the cause is unobserved, the
// holder pays.
func TestExporterGapOverAWholeHold(t *testing.T) {
	s := newStory(t, 1)
	s.busy(0, "9:00", "10:00", 50)
	s.pod("a", "10:00", "10:30", 1)
	s.bill("10:00", 3600, "2")
	expect(t, account(s.allocate(), "10:00", "a"), `
		free - 1/2 h $1
		unobserved a 1/2 h $1`)
}

// kube-state-metrics is silent: it is unknown whether the idle card was held.
func TestPlacementSourceGap(t *testing.T) {
	s := newStory(t, 2)
	s.busy(0, "9:00", "12:00", 0)
	s.busy(1, "9:00", "12:00", 50)
	for i := range s.day.Sources {
		if s.day.Sources[i].Hour == at("10:00") {
			s.day.Sources[i].Minutes = 1<<30 - 1
		}
	}
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00"), `
		used - 1 h $2
		free - 1/2 h $1
		unobserved - 1/2 h $1`)
}

func TestNotReadyAndCordoned(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.day.NodeStates = []ledger.NodeStateHour{
		{State: ledger.NotReady, Hour: at("10:00"), Minutes: 0xf, Known: 1<<60 - 1},
		{State: ledger.Cordoned, Hour: at("10:00"), Minutes: 0xff0, Known: 1<<60 - 1},
	}
	s.bill("10:00", 3600, "120")
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 1 h $60
		free - 4/5 h $48
		unavailable - 1/5 h $12`)
}

// The node was billed for 900 s of the hour and seen for 600 s of it.
func TestBilledLongerThanObserved(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Life = between("10:05", "10:15")
	s.pod("a", "10:05", "10:15", 1, 0)
	s.busy(0, "10:05", "10:15", 50)
	s.bill("10:00", 900, "3")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1/6 h $1
		free - 1/6 h $1
		unavailable - 1/6 h $1`)
	for _, span := range c.Spans {
		if span.Cause == ledger.Unavailable && (span.From != at("10:00") || span.To != at("10:05")) {
			t.Errorf("the boot is drawn %s to %s", span.From, span.To)
		}
	}
}

// Seen for 1800 s but billed for 900 s: the denominator is the time seen.
func TestObservedLongerThanBilled(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life = between("10:00", "10:30")
	s.bill("10:00", 900, "3")
	expect(t, account(s.allocate(), "10:00"), `free - 1/2 h $3`)
}

func TestBilledButNeverSeen(t *testing.T) {
	s := newStory(t, 4)
	s.node.Node.Life, s.node.Node.InSource, s.node.Node.Seen, s.node.Devices = between("0:00", "0:00"), false, 0, nil
	s.bill("10:00", 3600, "4")
	s.bill("11:00", 1800, "2")
	c := s.allocate()
	expect(t, account(c, "10:00"), `unobserved - 4 h $4`)
	expect(t, account(c, "11:00"), `unobserved - 2 h $2`)
	expect(t, account(c, "12:00"), ``)
}

// Exporter rows exist but no placement source lists the node.
func TestSeenOnlyByTheExporter(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.InSource, s.node.Node.Seen = false, ledger.SeenSampled
	s.busy(0, "10:00", "11:00", 50)
	s.busy(1, "10:00", "11:00", 0)
	s.bill("10:00", 3600, "2")
	expect(t, account(s.allocate(), "10:00"), `
		used - 1 h $1
		unobserved - 1 h $1`)
}

// Slots come from the catalogue: those whose device was never seen count too.
func TestNodeWithoutAnyDeviceSeen(t *testing.T) {
	s := newStory(t, 4)
	s.node.Devices = nil
	s.pod("a", "9:00", "12:00", 3)
	s.bill("10:00", 3600, "4")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		free - 1 h $1
		unobserved a 3 h $3`)
	for _, u := range c.Usage {
		if u.Device != "" {
			t.Errorf("slot %d has device %q", u.Slot, u.Device)
		}
	}
}

// If the engine signal is missing for the whole hour, utilisation replaces it.
func TestUtilisationReplacesAMissingEngineSignal(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "13:00", 1, 0)
	util := func(from, to string, ppm int64) {
		s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalGPUUtil, between(from, to), func(int) int64 { return ppm })
	}
	util("8:00", "12:00", 900_000)
	s.busy(0, "8:00", "9:00", 90)
	s.busy(0, "11:00", "11:01", 90) // one engine sample: the hour's other minutes are unknown
	s.bill("10:00", 3600, "60")
	s.bill("11:00", 3600, "60")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `used a 1 h $60`)
	expect(t, account(c, "11:00", "a"), `
		used a 1/60 h $1
		unobserved a 59/60 h $59`)
}
