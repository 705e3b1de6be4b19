package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// TestM05NobodyToBearACost: an hour without holders, or without any data, still has exactly one cause for every cent.
func TestM05NobodyToBearACost(t *testing.T) {
	t.Run("idle node", func(t *testing.T) {
		s := newStory(t, 3)
		s.bill("10:00", 3600, "0.01")
		c := s.allocate()
		expect(t, account(c, "10:00"), `free - 3 h $0.01`)
		allOf(t, c, "0.01")
	})
	t.Run("GPU without samples", func(t *testing.T) {
		s := newStory(t, 3)
		s.pod("a", "9:00", "12:00", 3, 0, 1, 2)
		s.bill("10:00", 3600, "100.01")
		c := s.allocate()
		expect(t, account(c, "10:00", "a"), `unobserved a 3 h $100.01`)
		allOf(t, c, "100.01")
	})
	t.Run("no source knows the node", func(t *testing.T) {
		s := newStory(t, 1)
		s.node.Node.InSource, s.node.Node.Seen, s.node.Devices, s.day.Sources = false, 0, nil, nil
		s.bill("10:00", 3600, "-0.01")
		c := s.allocate()
		expect(t, account(c, "10:00"), `unobserved - 1 h $-0.01`)
		allOf(t, c, "-0.01")
	})
	t.Run("an hour in which the node was not there, and no time is billed", func(t *testing.T) {
		s := newStory(t, 1)
		s.node.Node.Life = between("0:00", "2:00")
		s.bill("10:00", 0, "7").UsageSeconds = nil
		allOf(t, s.allocate(), "7")
	})
}

// TestAmortisePairsAreMarkedAndPostedWhole: the half that arrives is split over the users of the node like its other
// costs, and has no quantity.
func TestAmortisePairsAreMarkedAndPostedWhole(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "9:00", "12:00", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.bill("10:00", 3600, "0")
	p := s.bill("10:00", 0, "98")
	p.UsageSeconds, p.Billed, p.PostingKind = nil, nil, ledger.Amortise
	c := s.allocate()
	expect(t, account(c, "10:00", "a"), `
		used a 1 h $49
		free - 1 h $49`)
	n := 0
	for _, p := range c.Postings {
		if p.Hour != at("10:00") || p.Kind != ledger.Amortise {
			continue
		}
		n++
		if p.GPUHours != nil || p.CapacityGPUHours != nil || p.Billed != nil || p.ID.IsZero() {
			t.Errorf("%+v", p)
		}
	}
	if n != 2 {
		t.Errorf("%d amortise postings", n)
	}

	left := money.MustParse("-98")
	metered := money.MustParse("3")
	day, err := NodelessDay([]ledger.Part{
		{
			ID: ledger.ID{1}, Kind: ledger.PartCommitmentFee, Hour: at("10:00"),
			PostingKind: ledger.Amortise, Costs: ledger.Costs{Effective: &left},
		},
		{
			ID: ledger.ID{2}, Kind: ledger.PartMetered, Hour: at("10:00"),
			OwnerID: ledger.ID{9}, Costs: ledger.Costs{Effective: &metered},
		},
	}, nil, s.day.Day, "p", func(p *ledger.Part) (Payer, bool) {
		return Payer{Workload: ledger.ID{4}, Run: "tune", Attempt: ledger.ID{5}}, p.ID == ledger.ID{2}
	})
	if err != nil || len(day.Postings) != 2 {
		t.Fatal(day, err)
	}
	if p := day.Postings[0]; p.Kind != ledger.Amortise || p.Cause != ledger.CommitmentFee ||
		p.Effective.String() != "-98" || p.Billed != nil || p.RunID != "" {
		t.Errorf("%+v", p)
	}
	if p := day.Postings[1]; p.Kind != ledger.Direct || p.Cause != ledger.Metered || p.OwnerID != (ledger.ID{9}) ||
		p.WorkloadID != (ledger.ID{4}) || p.RunID != "tune" || p.AttemptID != (ledger.ID{5}) {
		t.Errorf("%+v", p)
	}
}

// allOf checks that the postings of a chunk add up to an amount.
func allOf(t *testing.T, c *Chunk, want string) {
	t.Helper()
	sum := money.Amount{}
	for i := range c.Postings {
		if e := c.Postings[i].Effective; e != nil {
			sum = sum.Add(*e)
		}
		if c.Postings[i].Cause == "" || c.Postings[i].OwnerID.IsZero() {
			t.Errorf("no cause or owner: %+v", c.Postings[i])
		}
	}
	if sum.Cmp(money.MustParse(want)) != 0 {
		t.Errorf("postings add up to %s, want %s", sum, want)
	}
}
