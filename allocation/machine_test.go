package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// A workstation with an A100 that is cut up and an L4 that is not: the node's
// hour is shared by slots, and each card has the layout and the table of its model.
func TestTwoModelsInOneNode(t *testing.T) {
	s := newStory(t, 2)
	s.node.Devices[1].Model = "NVIDIA L4"
	s.mig(0, 1, "3g.20gb", "9:00", "12:00", 50)
	s.mig(0, 2, "3g.20gb", "9:00", "12:00", 50)
	s.busy(1, "9:00", "12:00", 50)
	s.migPod("half", 1, "9:00", "12:00")
	s.pod("whole", "9:00", "12:00", 1, 1)
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00", "half", "whole"), `
		used - 1/2 h $1
		used half 1/2 h $1
		used whole 1 h $2`)
}

// A machine with an eighth of a GPU has one slot: its holder pays for the machine, whatever part of a card that is.
func TestAFractionOfAGPUIsASlot(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.InstanceType = "g6f.large"
	s.node.Devices[0].Model = "NVIDIA L4-3Q"
	s.busy(0, "9:00", "12:00", 50)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.bill("10:00", 3600, "0.202")
	expect(t, account(s.allocate(), "10:00", "a"), `used a 1 h $0.202`)
}

// Two lines bill the same hour of one machine, each for all of it: no time counts twice. The second 3,600 seconds are
// billed time that does not fit the clock, so they are unobserved. Money of both lines is split alike.
func TestOverlappingCharges(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "10")
	s.bill("10:00", 3600, "10")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1 h $10
		unobserved - 1 h $10`)
	var held money.Amount
	for _, p := range c.Postings {
		if p.Hour == at("10:00") {
			held = held.Add(*p.GPUHours)
		}
	}
	if held.String() != "1" {
		t.Errorf("%s GPU-hours are held: a card is held once", held)
	}
}

// A refund is larger than the hour that it is for: all owners get back what they paid, by the same shares, to the last
// unit.
func TestNegativeCharges(t *testing.T) {
	s := newStory(t, 3)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.pod("b", "9:00", "12:00", 1, 1)
	s.busy(0, "9:00", "12:00", 50)
	s.busy(1, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "10")
	s.bill("10:00", 0, "-20")
	expect(t, account(s.allocate(), "10:00", "a", "b"), `
		used a 1 h $-3.333333333333
		used b 1 h $-3.333333333334
		free - 1 h $-3.333333333333`)
}

// In a month after an all-upfront payment the invoice is zero: the hours cost
// nothing as billed and their amortised part as used.
func TestAZeroCostMonthIsAmortised(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	nothing := money.Amount{}
	s.bill("10:00", 3600, "25").Billed = &nothing
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1 h $12.5
		free - 1 h $12.5`)
	for _, p := range c.Postings {
		if p.Hour == at("10:00") && (p.Billed == nil || !p.Billed.IsZero()) {
			t.Errorf("billed %v: zero is zero, not unknown", p.Billed)
		}
	}
}

// Spot: the machine is billed for a quarter of the hour in which it was there.
func TestPartialHour(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Life.To = at("10:15")
	s.pod("a", "9:00", "10:15", 1, 0)
	s.busy(0, "9:00", "10:15", 50)
	s.bill("10:00", 900, "8")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1/4 h $4
		free - 1/4 h $4`)
}

// A machine without any telemetry is paid for, and a machine without a bill works: both show, one as unobserved time,
// one as quantities without cost.
func TestBilledWithoutTelemetryAndTelemetryWithoutBill(t *testing.T) {
	billed := newStory(t, 1)
	billed.node.Node.InSource, billed.node.Node.Seen, billed.node.Devices = false, 0, nil
	billed.bill("10:00", 3600, "10")
	expect(t, account(billed.allocate(), "10:00"), `unobserved - 1 h $10`)

	seen := newStory(t, 1)
	seen.pod("a", "9:00", "12:00", 1, 0)
	seen.busy(0, "9:00", "12:00", 50)
	c := seen.allocate()
	n := 0
	for _, p := range c.Postings {
		if p.Hour != at("10:00") {
			continue
		}
		n++
		if p.Method != "unbilled, exclusive" || p.Effective != nil || p.Billed != nil || p.GPUHours.String() != "1" ||
			p.Cause != ledger.Used {
			t.Errorf("%+v", p)
		}
	}
	if n != 1 {
		t.Errorf("%d postings of the hour", n)
	}
}
