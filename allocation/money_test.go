package allocation

import (
	"math/big"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// A p4d at $32.77 an hour whose eight GPUs are held and 22 % active costs
// $18.62 per active GPU-hour.
func TestUsefulGPUHour(t *testing.T) {
	s := newStory(t, 8)
	s.pod("train", "9:00", "12:00", 8, 0, 1, 2, 3, 4, 5, 6, 7)
	for slot := range 8 {
		s.busy(slot, "9:00", "12:00", 22)
	}
	s.bill("10:00", 3600, "32.77")
	c := s.allocate()
	expect(t, account(c, "10:00", "train"), `used train 8 h $32.77`)
	active, cost, held := money.Amount{}, money.Amount{}, money.Amount{}
	for _, p := range c.Postings {
		if p.Hour == at("10:00") {
			active, cost, held = active.Add(*p.ActiveGPUHours), cost.Add(*p.Effective), held.Add(*p.GPUHours)
		}
	}
	if got := new(big.Rat).Quo(cost.Rat(), active.Rat()).FloatString(2); got != "18.62" || active.String() != "1.76" ||
		held.String() != "8" {
		t.Errorf("$%s per active GPU-hour, %s active, %s held; want $18.62, 1.76, 8", got, active, held)
	}
}

func TestIdleEightGPUNodeWithATwoGPUPod(t *testing.T) {
	s := newStory(t, 8)
	s.pod("notebook", "8:00", "20:00", 2, 3, 5)
	for slot := range 8 {
		s.busy(slot, "8:00", "20:00", 0)
	}
	s.bill("10:00", 3600, "32")
	expect(t, account(s.allocate(), "10:00", "notebook"), `
		held_idle notebook 2 h $8
		free - 6 h $24`)
}

// A savings plan that covers half an hour leaves two charges in it; the quantities appear once.
func TestSavingsPlanCoversHalfAnHour(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 1800, "1.5")
	s.bill("10:00", 1800, "2.5")
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1 h $2
		free - 1 h $2`)
	var capacity, held money.Amount
	n := 0
	for _, p := range c.Postings {
		if p.Hour == at("10:00") {
			capacity, held, n = capacity.Add(*p.CapacityGPUHours), held.Add(*p.GPUHours), n+1
		}
	}
	if capacity.String() != "2" || held.String() != "1" || n != 4 {
		t.Errorf("%s GPU-hours capacity, %s held, %d postings; want 2, 1, 4", capacity, held, n)
	}
}

func TestDiscountLineCarriesNoQuantity(t *testing.T) {
	s := newStory(t, 1)
	s.bill("10:00", 3600, "4")
	s.bill("10:00", 0, "-1").UsageSeconds = nil
	c := s.allocate()
	expect(t, account(c, "10:00"), `free - 1 h $3`)
	for _, p := range c.Postings {
		if p.Hour == at("10:00") && (p.CapacityGPUHours == nil) != (p.Effective.Sign() < 0) {
			t.Errorf("posting of %s carries quantity %v", p.Effective, p.CapacityGPUHours)
		}
	}
}

func TestMetricThatTheBillDoesNotCarryStaysNull(t *testing.T) {
	s := newStory(t, 1)
	s.bill("10:00", 3600, "4")
	for _, p := range s.allocate().Postings {
		if p.Hour == at("10:00") && (p.List != nil || p.Contracted != nil || p.Billed == nil) {
			t.Error("list and contracted must be absent, billed present")
		}
	}
}

// An uncovered hour is charged from a rate, a covered one without a bill has
// no cost, and neither loses its quantities.
func TestHoursWithoutABill(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Life = between("0:00", "20:30")
	s.day.CoveredUntil = at("19:00")
	s.day.Rate = &ledger.Rate{ID: ledger.NewID("rate", "1"), Currency: "USD", Hourly: money.MustParse("10")}
	s.bill("10:00", 3600, "4")
	c := s.allocate()
	expect(t, account(c, "10:00"), `free - 2 h $4`)
	expect(t, account(c, "18:00"), `free - 2 h $0`)
	expect(t, account(c, "19:00"), `free - 2 h $10`)
	expect(t, account(c, "20:00"), `free - 1 h $5`)
	expect(t, account(c, "21:00"), ``)
	if len(c.Parts) != 20 {
		t.Errorf("%d parts made, want 20", len(c.Parts))
	}
	for _, p := range c.Postings {
		switch {
		case p.CapacityGPUHours == nil:
			t.Errorf("%s: no quantity", p.Hour)
		case p.Hour == at("18:00") && (p.Effective != nil || p.State != ledger.Open || !p.RateID.IsZero()):
			t.Error("a covered hour without a line has no cost and is open")
		case p.Hour == at("19:00") &&
			(p.Effective == nil || p.State != ledger.Provisional || p.RateID.IsZero() || !p.ChargeID.IsZero() || p.List != nil):
			t.Error("an uncovered hour is provisional, from the rate, without a list price nobody gave")
		}
	}
}

func TestUncoveredHourWithoutAnyRate(t *testing.T) {
	s := newStory(t, 1)
	s.day.CoveredUntil = 0
	for _, p := range s.allocate().Postings {
		if p.Effective != nil || p.State != ledger.Provisional || p.CapacityGPUHours == nil {
			t.Fatal("no rate: no cost, but quantities, provisional")
		}
	}
}

// A public price is an assumption, in its own currency, and never applies to hours that a bill covers: those stay
// without costs, in the currency of the bill.
func TestUncoveredHourAtAPublicPrice(t *testing.T) {
	s := newStory(t, 1)
	s.day.Rate = &ledger.Rate{
		ID: ledger.NewID("rate", "public"), Currency: "CHF", Hourly: money.MustParse("7.2"), Public: true,
	}
	hours := map[period.Second]money.Amount{}
	s.day.CoveredUntil = at("18:00")
	for _, p := range s.allocate().Postings {
		switch {
		case p.Hour < at("18:00"):
			if p.Effective != nil || !p.RateID.IsZero() || p.Quality == ledger.Assumed && p.Method == "public price" {
				t.Fatalf("a covered hour costs what its bill says: %+v", p)
			}
		case p.Effective == nil || p.Currency != "CHF" || p.Quality != ledger.Assumed || p.State != ledger.Provisional ||
			p.RateID != s.day.Rate.ID:
			t.Fatalf("an uncovered hour is assumed and provisional: %+v", p)
		default:
			hours[p.Hour] = hours[p.Hour].Add(*p.Effective)
		}
	}
	if len(hours) == 0 {
		t.Fatal("no hour at the public price")
	}
	for h, sum := range hours {
		if sum.Cmp(money.MustParse("7.2")) != 0 {
			t.Errorf("hour %s costs %s", h, sum)
		}
	}
}

func TestPartsWithoutInstanceTime(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life = between("0:00", "10:00")
	s.bill("12:00", 0, "-3").UsageSeconds = nil // a refund for an hour in which nothing ran
	volume := s.bill("9:00", 0, "0.5")
	volume.Kind, volume.UsageSeconds = ledger.PartShared, nil
	s.bill("9:00", 3600, "2")
	c := s.allocate()
	if !hasDiagnostic(c, "part_without_usage") {
		t.Error("a compute part without usage must be named")
	}
	found := map[ledger.Cause]string{}
	for _, p := range c.Postings {
		if p.UsageID.IsZero() {
			found[p.Cause] = p.Effective.String()
		}
	}
	if found[ledger.Unavailable] != "-3" || found[ledger.Shared] != "0.5" || len(found) != 2 {
		t.Errorf("whole postings: %v", found)
	}
}

func TestNodelessDay(t *testing.T) {
	s := newStory(t, 1)
	for _, kind := range []ledger.PartKind{
		ledger.PartCommitmentFee, ledger.PartCommitmentUnused, ledger.PartShared, ledger.PartNonGPU, ledger.PartCompute,
	} {
		p := s.bill("3:00", 0, "7")
		p.Kind, p.NodeID, p.UsageSeconds = kind, ledger.ID{}, nil
	}
	c, err := NodelessDay(s.day.Parts, nil, s.day.Day, "v", nil)
	if err != nil {
		t.Fatal(err)
	}
	causes := map[ledger.Cause]int{}
	for _, p := range c.Postings {
		causes[p.Cause]++
		if p.Effective.String() != "7" || p.Slot != -1 || p.State != ledger.Open {
			t.Errorf("posting %+v", p)
		}
	}
	for _, want := range []ledger.Cause{
		ledger.CommitmentFee, ledger.CommitmentUnused, ledger.Shared, ledger.NonGPU, ledger.Unobserved,
	} {
		if causes[want] != 1 {
			t.Errorf("%s: %d postings", want, causes[want])
		}
	}
	s.day.Parts[0].Hour += 86400
	if _, err := NodelessDay(s.day.Parts, nil, s.day.Day, "v", nil); err == nil {
		t.Error("a part of another day must be refused")
	}
}
