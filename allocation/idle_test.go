package allocation

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
)

func mean(percent, minutes int64) func(*policy.Policy) {
	return func(p *policy.Policy) {
		p.IdleKind, p.IdleThresholdPPM, p.IdleMinutes = policy.RollingMean, percent*10_000, minutes
	}
}

// A job polls once in ten minutes: it is never idle for fifteen minutes, and
// works 4 % of the time. Two hours with a mean below 5 % are held idle, the
// busy minutes in them, too.
func TestTwoHoursWithALowMeanAreIdle(t *testing.T) {
	s := newStory(t, 1)
	s.pod("poller", "8:00", "14:00", 1, 0)
	s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalGrEngine, between("8:00", "14:00"), func(m int) int64 {
		if m%10 == 0 {
			return 400_000
		}
		return 0
	})
	s.bill("10:00", 3600, "10")
	expect(t, account(s.allocate(), "10:00", "poller"), `used poller 1 h $10`)
	s.under(mean(5, 120))
	c := s.allocate()
	expect(t, account(c, "10:00", "poller"), `held_idle poller 1 h $10`)
	active := int64(0)
	for _, u := range c.Usage {
		if u.Hour == at("10:00") && u.Activity == ledger.Active {
			active += u.Seconds
		}
	}
	if active != 6*60 {
		t.Errorf("%d seconds are active whatever their cause, want 360", active)
	}
}

// The mean of exactly 5 % is not below it.
func TestTheMeanMustBeBelowTheThreshold(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "14:00", 1, 0)
	s.busy(0, "8:00", "14:00", 5)
	s.bill("10:00", 3600, "10")
	s.under(mean(5, 120))
	expect(t, account(s.allocate(), "10:00", "a"), `used a 1 h $10`)
}

// Six hours of 20 % end at 15:00; work begins. The last windows whose mean stays
// below 30 % reach into the work, up to its 44th minute.
func TestTheWindowReachesIntoWhatFollows(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "8:00", "20:00", 1, 0)
	s.busy(0, "8:00", "15:00", 20)
	s.busy(0, "15:00", "20:00", 100)
	s.bill("15:00", 3600, "60")
	s.under(mean(30, 360))
	// (360 − n) × 20 + n × 100 < 360 × 30 holds up to n = 44.
	expect(t, account(s.allocate(), "15:00", "a"), `
		used a 4/15 h $16
		held_idle a 11/15 h $44`)
}

// One missing minute in the middle leaves no window of two hours.
func TestAMissingMinuteBreaksTheWindow(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:30", 1, 0)
	s.busy(0, "9:00", "10:30", 0)
	s.busy(0, "10:31", "12:30", 0)
	s.bill("10:00", 3600, "60")
	s.under(func(p *policy.Policy) { mean(5, 120)(p); p.OverheadLimit = 0 })
	expect(t, account(s.allocate(), "10:00", "a"), `
		used a 59/60 h $59
		unobserved a 1/60 h $1`)
}

// Two pods that hold the card one after the other for an hour each are two
// holds: neither has a window of two hours.
func TestAWindowLiesInOneHold(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "10:30", 1, 0)
	s.pod("b", "10:30", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 0)
	s.bill("10:00", 3600, "60")
	s.under(func(p *policy.Policy) { mean(5, 120)(p); p.OverheadLimit = 0 })
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 1/2 h $30
		used b 1/2 h $30`)
}

// The window of the day's first minutes began the evening before.
func TestAWindowReachesBeyondTheDay(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life.From = at("-6:00")
	s.pod("a", "-5:00", "3:00", 1, 0)
	s.busy(0, "-5:00", "1:00", 10)
	s.busy(0, "1:00", "3:00", 100)
	s.bill("0:00", 3600, "60")
	s.under(mean(30, 360))
	expect(t, account(s.allocate(), "0:00", "a"), `held_idle a 1 h $60`)
}

// Lost work and start-up count towards the window and keep their cause.
func TestLostMinutesCountTowardsTheWindow(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1, 0).RunID = "r"
	a := s.attempt(1, "t", "9:00", "12:00", "a")
	a.LossFrom, a.LossBasis = at("10:30"), ledger.LossCheckpoint
	s.busy(0, "9:00", "12:00", 3)
	s.bill("10:00", 3600, "60")
	s.under(mean(5, 120))
	expect(t, account(s.allocate(), "10:00", "a"), `
		held_idle a 1/2 h $30
		lost a 1/2 h $30`)
}

// A job keeps its engine busy and its tensor cores idle. Whether that is idle depends on the signal; a card without it
// is unobserved.
func TestTheSignalDecidesWhatIsIdle(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.pod("b", "9:00", "12:00", 1, 1)
	s.busy(0, "9:00", "12:00", 90)
	s.busy(1, "9:00", "12:00", 90)
	s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalTensor, between("9:00", "12:00"),
		func(int) int64 { return 20_000 })
	s.bill("10:00", 3600, "20")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 1 h $10
		used b 1 h $10`)
	s.under(func(p *policy.Policy) { p.IdleSignal = policy.Tensor })
	c := s.allocate()
	expect(t, account(c, "10:00", "a", "b"), `
		held_idle a 1 h $10
		unobserved b 1 h $10`)
	for _, u := range c.Usage {
		if u.Hour == at("10:00") && u.Cause == ledger.HeldIdle && u.ActiveGPUHours.String() != "0.02" {
			t.Errorf("useful GPU-hours are those of the signal: %s", u.ActiveGPUHours)
		}
	}
}
