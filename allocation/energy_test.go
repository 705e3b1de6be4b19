package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// energyOf sums the energy of an hour's rows, per cause; "none" if no row has any.
func energyOf(c *Chunk, hour string) map[ledger.Cause]string {
	sums := map[ledger.Cause]money.Amount{}
	for _, u := range c.Usage {
		if u.Hour == at(hour) && u.EnergyKWh != nil {
			sums[u.Cause] = sums[u.Cause].Add(*u.EnergyKWh)
		}
	}
	out := map[ledger.Cause]string{}
	for c, a := range sums {
		out[c] = a.String()
	}
	return out
}

// The card draws 300 W: 0.3 kWh in an hour, shared by time held.
func TestEnergyFollowsTheDevice(t *testing.T) {
	s := newStory(t, 2)
	s.pod("a", "10:00", "10:40", 1, 0)
	s.busy(0, "9:00", "12:00", 50)
	s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalEnergy, between("9:00", "12:00"),
		func(m int) int64 { return int64(m) * 300 * 60 * 1000 })
	s.bill("10:00", 3600, "2")
	c := s.allocate()
	if e := energyOf(c, "10:00"); e[ledger.Used] != "0.3" || len(e) != 1 {
		t.Errorf("energy %v, want 0.3 kWh used and none for the card without a counter", e)
	}
	held := money.Amount{}
	for _, p := range c.Postings {
		if p.Hour == at("10:00") && !p.WorkloadID.IsZero() && p.EnergyKWh != nil {
			held = held.Add(*p.EnergyKWh)
		}
	}
	if held.String() != "0.2" {
		t.Errorf("the holder drew %s kWh, want 0.2", held)
	}
	if e := energyOf(c, "5:00"); len(e) != 0 {
		t.Errorf("no counter, no energy, got %v", e)
	}
}

// Gaps of up to three minutes are bridged; longer ones, resets and impossible
// jumps are not.
func TestEnergyCounterGaps(t *testing.T) {
	for _, c := range []struct {
		name    string
		minutes map[int]int64 // minute of 10:00 → watt-minutes since the start
		want    string
	}{
		{"every minute", map[int]int64{0: 0, 1: 600, 2: 1200}, "0.02"},
		{"three minutes apart", map[int]int64{0: 0, 3: 1800}, "0.03"},
		{"four minutes apart", map[int]int64{0: 0, 4: 2400}, ""},
		{"a reset between", map[int]int64{0: 5000, 1: 100, 2: 700}, "0.01"},
		{"faster than any card", map[int]int64{0: 0, 1: 600, 2: 1_000_000}, "0.01"},
	} {
		s := newStory(t, 1)
		for m, v := range c.minutes {
			row := s.row("GPU-0", 0, ledger.WholeDevice, "", at("10:00"))
			vec := row.Vectors[ledger.SignalEnergy]
			vec.Known |= 1 << m
			vec.Value[m] = v * 60 * 1000
			row.Vectors[ledger.SignalEnergy] = vec
		}
		s.bill("10:00", 3600, "2")
		total := money.Amount{}
		for _, text := range energyOf(s.allocate(), "10:00") {
			total = total.Add(money.MustParse(text))
		}
		want := money.Amount{}
		if c.want != "" {
			want = money.MustParse(c.want)
		}
		if total.Cmp(want) != 0 {
			t.Errorf("%s: %s kWh, want %s", c.name, total, want)
		}
	}
}

// A MIG card has one counter, repeated on every instance row: it is shared by
// weight and counted once.
func TestEnergyOfAPartitionedCard(t *testing.T) {
	s := newStory(t, 1)
	for _, id := range []int32{1, 2} {
		s.mig(0, id, "3g.20gb", "9:00", "12:00", 50)
		s.set("GPU-0", 0, id, "3g.20gb", ledger.SignalEnergy, between("9:00", "12:00"),
			func(m int) int64 { return int64(m) * 400 * 60 * 1000 })
	}
	s.migPod("a", 1, "9:00", "12:00")
	s.bill("10:00", 3600, "2")
	c := s.allocate()
	for _, u := range c.Usage {
		if u.Hour == at("10:00") && (u.EnergyKWh == nil || u.EnergyKWh.String() != "0.2") {
			t.Errorf("slice %d drew %v kWh, want 0.2", u.SliceID, u.EnergyKWh)
		}
	}
}

// The node appears at 10:00:30: the minute's energy goes to its 30 seconds.
func TestEnergyOfAPartialMinute(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life.From = at("10:00:30")
	s.set("GPU-0", 0, ledger.WholeDevice, "", ledger.SignalEnergy, between("9:59", "10:01"),
		func(m int) int64 { return int64(m) * 360 * 1000 })
	s.bill("10:00", 3570, "2")
	if e := energyOf(s.allocate(), "10:00"); e[ledger.Free] != "0.0001" {
		t.Errorf("energy %v, want 0.0001 kWh", e)
	}
}
