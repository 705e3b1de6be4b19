package waste

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func besides(others ...OtherPod) *MachineFacts {
	m := &MachineFacts{
		Subject: "c/n", Life: period.Interval{From: 1800, To: 10 * period.Hour}, VCPU: 100, Memory: 1000, Others: others,
	}
	for h := range period.Second(10) {
		m.Costs = append(m.Costs, HourMoney{h * period.Hour, "USD", Cost{money.MustParse("40"), ledger.Open}})
	}
	return m
}

func TestOtherPodsCarryTheirShare(t *testing.T) {
	pod := func(from, to period.Second, cpu, memory int64) OtherPod {
		return OtherPod{period.Interval{From: from, To: to}, cpu, memory}
	}
	for name, c := range map[string]struct {
		others  []OtherPod
		cost    string
		numbers map[string]int64
	}{
		"the larger is of vCPUs": {
			[]OtherPod{pod(3600, 7200, 50_000, 100)}, "20", map[string]int64{"held": 3600, "share": 500_000},
		},
		"the larger is of memory": {
			[]OtherPod{pod(3600, 7200, 10_000, 250)}, "10", map[string]int64{"held": 3600, "share": 250_000},
		},
		// The machine was up for half of its first hour; the pod ran in all of that half.
		"the machine's first hour": {
			[]OtherPod{pod(1800, 5400, 10_000, 0)}, "6", map[string]int64{"held": 3600, "share": 100_000},
		},
		"two at once": {
			[]OtherPod{pod(3600, 7200, 10_000, 0), pod(3600, 7200, 20_000, 0)},
			"12", map[string]int64{"held": 3600, "share": 300_000},
		},
		"one asked for nothing": {
			[]OtherPod{pod(3600, 7200, 0, 0), pod(3600, 7200, 20_000, 0)}, "8",
			map[string]int64{"held": 3600, "share": 200_000, "without_share": 1},
		},
		"nothing is known": {
			[]OtherPod{pod(3600, 7200, 0, 0)}, "", map[string]int64{"held": 3600, "without_share": 1},
		},
	} {
		found := besides(c.others...).Judge(100 * period.Hour)
		if len(found) != 1 {
			t.Errorf("%s: %+v", name, found)
			continue
		}
		f := found[0]
		got, known := f.Share.Cost["USD"]
		if known != (c.cost != "") || known && got.Amount.String() != c.cost {
			t.Errorf("%s: costs %v; want %q", name, f.Share.Cost, c.cost)
		}
		if len(f.Evidence) != len(c.numbers) {
			t.Errorf("%s: %+v", name, f.Evidence)
		}
		for _, e := range f.Evidence {
			if e.Value != c.numbers[e.Name] {
				t.Errorf("%s: %s is %d, want %d", name, e.Name, e.Value, c.numbers[e.Name])
			}
		}
	}
	m := besides(pod(3600, 7200, 50_000, 0))
	m.VCPU, m.Memory = 0, 0
	if f := m.Judge(100 * period.Hour); len(f) != 1 || f[0].Share.Cost != nil {
		t.Errorf("of a machine of unknown size: %+v", f)
	}
}

// With any pods: together they cost their shares of the machine's cost while they ran, however their holds are split.
func TestSharesOfOtherPodsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := period.Second(rapid.Int64Range(1800, 20_000).Draw(t, "from"))
		at := from + period.Second(rapid.Int64Range(1, 5000).Draw(t, "cut"))
		to := at + period.Second(rapid.Int64Range(3600, 5000).Draw(t, "rest"))
		cpu := rapid.Int64Range(1, 100_000).Draw(t, "cpu")
		whole := besides(OtherPod{period.Interval{From: from, To: to}, cpu, 0}).Judge(0)
		parts := besides(OtherPod{period.Interval{From: from, To: at}, cpu, 0}, OtherPod{
			period.Interval{From: at, To: to}, cpu, 0,
		}).Judge(0)
		if a, b := whole[0].Share.Cost["USD"].Amount, parts[0].Share.Cost["USD"].Amount; a.Cmp(b) != 0 {
			t.Fatalf("%s in one, %s in two", a, b)
		}
		var up int64 // of the machine while it was up
		for h := from.Floor(period.Hour); h < to; h += period.Hour {
			up += int64(min(h+period.Hour, 10*period.Hour) - max(h, 1800))
		}
		most := new(big.Rat).Mul(big.NewRat(cpu, 100_000), big.NewRat(40*up, 1800))
		if whole[0].Share.Cost["USD"].Amount.Rat().Cmp(most) > 0 {
			t.Fatal("more than the share of all that the machine cost")
		}
	})
}

// The share of pods without GPUs on an untainted machine counts from their first second: there is no minimum time, and
// without such pods it costs nothing.
func TestUntaintedMachineCostsTheShareOfOtherPods(t *testing.T) {
	for name, c := range map[string]struct {
		others []OtherPod
		cost   string
	}{
		"nobody came":   {nil, ""},
		"a short visit": {[]OtherPod{{period.Interval{From: 3600, To: 4500}, 10_000, 0}}, "1"},
		"a day between": {
			[]OtherPod{
				{period.Interval{From: 3600, To: 4500}, 10_000, 0}, {period.Interval{From: 28_800, To: 32_400}, 20_000, 0},
			}, "9",
		},
		"nothing known":  {[]OtherPod{{period.Interval{From: 3600, To: 7200}, 0, 0}}, ""},
		"before it came": {[]OtherPod{{period.Interval{From: 0, To: 1800}, 10_000, 0}}, ""},
	} {
		m := besides(c.others...)
		m.Bare = true
		var bare []Finding
		for _, f := range m.Judge(100 * period.Hour) {
			if f.Kind == UntaintedGPUNode {
				bare = append(bare, f)
			}
		}
		if len(bare) != 1 || bare[0].From != m.Life.From || bare[0].To != m.Life.To {
			t.Errorf("%s: %+v", name, bare)
			continue
		}
		got, known := bare[0].Share.Cost["USD"]
		if known != (c.cost != "") || known && got.Amount.String() != c.cost {
			t.Errorf("%s: costs %v; want %q", name, bare[0].Share.Cost, c.cost)
		}
	}
}
