package allocation

import (
	"math/big"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// The hour from 10 was closed: two pods shared it, at $16. Then the bill is restated: the line is gone, one of $17
// replaces it. Late telemetry shows that only one of them was busy.
func TestAClosedHourIsAdjusted(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.pod("b", "9:00", "12:00", 1, 1)
	s.busy(0, "9:00", "12:00", 50)
	s.busy(1, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "16")
	s.bill("11:00", 3600, "16")
	before := s.allocate()

	closed := s.day.Parts[0]
	finals := map[ledger.ID][]ledger.Posting{}
	for _, p := range before.Postings {
		if p.PartID == closed.ID {
			finals[closed.ID] = append(finals[closed.ID], p)
		}
	}
	for _, u := range before.Usage {
		if u.Hour == at("10:00") {
			s.day.Frozen = append(s.day.Frozen, u)
		}
	}
	s.day.Finals = finals
	s.day.Parts[0].Final = true
	s.busy(1, "10:00", "11:00", 1) // a later value of the same minutes

	part := func(id byte, amount string) ledger.Part {
		cost := money.MustParse(amount)
		return ledger.Part{ID: ledger.ID{id}, ChargeID: ledger.ID{id}, Kind: ledger.PartCompute, NodeID: s.node.Node.ID,
			Hour: at("10:00"), Currency: "USD",
			PostingKind: ledger.Adjustment, Costs: ledger.Costs{Effective: &cost, Billed: &cost},
			Quality: ledger.Measured, Method: "resource id"}
	}
	back := part(1, "-16")
	back.Reverses, back.Costs = closed.ID, negated(closed.Costs)
	fresh := part(2, "17")
	fresh.Replaces = closed.ID
	credit := part(3, "-0.01")
	credit.PostingKind = ""
	s.day.Parts = append(s.day.Parts, back, fresh, credit)
	c := s.allocate()

	sums := map[ledger.ID]money.Amount{}
	for _, p := range c.Postings {
		if p.Hour != at("10:00") {
			continue
		}
		if p.GPUHours != nil || p.CapacityGPUHours != nil {
			t.Errorf("an adjustment carries quantities: %+v", p)
		}
		sums[p.PartID] = sums[p.PartID].Add(*p.Effective)
		switch p.PartID {
		case back.ID:
			f := finals[closed.ID][0]
			for _, x := range finals[closed.ID] {
				if x.ID == p.Adjusts {
					f = x
				}
			}
			if p.Adjusts != f.ID || p.Effective.Cmp(f.Effective.Neg()) != 0 || p.Kind != ledger.Adjustment ||
				p.OwnerID != f.OwnerID || p.Cause != f.Cause {
				t.Errorf("%+v does not take back %+v", p, f)
			}
		case fresh.ID:
			if p.Adjusts.IsZero() || p.Kind != ledger.Adjustment || p.Cause != ledger.Used {
				t.Errorf("%+v: a new line is an adjustment of the one that it replaces, over the frozen rows", p)
			}
		case credit.ID:
			if p.Kind != ledger.Direct || p.Effective.String() != "-0.005" {
				t.Errorf("a credit of the open period goes to those who held then: %+v", p)
			}
		default:
			t.Errorf("posted again: %+v", p)
		}
	}
	for id, want := range map[ledger.ID]string{back.ID: "-16", fresh.ID: "17", credit.ID: "-0.01"} {
		if got := sums[id]; got.String() != want {
			t.Errorf("part %s: %s, want %s", id, got, want)
		}
	}
	for _, u := range c.Usage {
		if u.Hour == at("10:00") {
			t.Errorf("a usage row of the closed hour is made anew: %+v", u)
		}
	}
	late := ""
	for _, d := range c.Diagnostics {
		if d.Code == "late_telemetry" {
			late += d.Detail
		}
	}
	if strings.Count(late, "is closed") != 1 || !strings.Contains(late, "T10:00:00Z") {
		t.Errorf("late telemetry: %q", late)
	}
	expect(t, account(c, "11:00", "a", "b"), `
		used a 1 h $8
		used b 1 h $8`)
}

func negated(c ledger.Costs) (out ledger.Costs) {
	for _, m := range ledger.Metrics {
		if a := c.Get(m); a != nil {
			n := a.Neg()
			out.Set(m, &n)
		}
	}
	return out
}

// A reversal that would leave a rest is an error, not a rounding.
func TestAReversalMustBeWhole(t *testing.T) {
	s := newStory(t, 1)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "16")
	c := s.allocate()
	p := s.day.Parts[0]
	back := p
	back.ID, back.Reverses, back.Costs = ledger.ID{1}, p.ID, p.Costs
	var finals []ledger.Posting
	for _, x := range c.Postings {
		if x.PartID == p.ID {
			finals = append(finals, x)
		}
	}
	if _, err := reversal(&back, finals); err == nil || !strings.Contains(err.Error(), "does not take back all") {
		t.Error(err)
	}
	if _, err := reversal(&back, nil); err == nil || !strings.Contains(err.Error(), "no final posting") {
		t.Error(err)
	}
}

// A frozen row of another day, or without weight, is refused: it would count in an hour that it does not belong to.
func TestFrozenRowsOfAnotherDayAreRefused(t *testing.T) {
	whole := big.NewRat(1, 1)
	for name, row := range map[string]ledger.Usage{
		"the day before": {Hour: theDay - period.Hour, Weight: whole},
		"the day after":  {Hour: theDay + period.Day, Weight: whole},
		"no weight":      {Hour: at("10:00")}, "nothing": {Hour: at("10:00"), Weight: new(big.Rat)},
	} {
		s := newStory(t, 1)
		s.day.Frozen = []ledger.Usage{row}
		engine, err := NewNode(s.node, s.policy)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Day(s.day); err == nil || !strings.Contains(err.Error(), "frozen") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
