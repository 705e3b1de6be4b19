package share

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

var people = []string{"nobody", "a1", "a2", "b", "c"}

func drawAmount(t *rapid.T, label string) *money.Amount {
	switch rapid.IntRange(0, 9).Draw(t, label+" kind") {
	case 0:
		return nil
	case 1:
		return amount("0")
	case 2:
		return amount(rapid.StringMatching(`-?[0-9]{1,22}\.[0-9]{0,18}`).Draw(t, label))
	}
	a := money.FromUnits(rapid.Int64Range(-1<<45, 1<<50).Draw(t, label))
	return &a
}

func drawMonth(t *rapid.T) *Month {
	m := month()
	m.Consumers = map[string][]Consumer{}
	teams := map[string]string{}
	for _, n := range people {
		teams[n] = rapid.SampledFrom([]string{"x", "y", "unowned"}).Draw(t, "team of "+n)
		m.Teams[owner(n)] = teams[n]
	}
	weight := func(label string) money.Amount {
		return money.FromUnits(rapid.SampledFrom([]int64{0, 1, 3, 10, money.UnitsPerOne, 7*money.UnitsPerOne + 1,
			1 << 61}).Draw(t, label))
	}
	for _, cluster := range []string{"c", "d"} {
		for _, n := range people {
			if rapid.Bool().Draw(t, "held") {
				m.Consumers[cluster] = append(m.Consumers[cluster], Consumer{owner(n), teams[n], weight("held"), weight("used")})
			}
		}
	}
	for _, n := range people {
		m.Machines[Covered{"ri-1", "1", "USD"}] = append(m.Machines[Covered{"ri-1", "1", "USD"}],
			Weight{owner(n), weight("contracted")})
	}
	seen := map[Key]bool{}
	for range rapid.IntRange(0, 12).Draw(t, "pools") {
		p := free("")
		p.Cluster = rapid.SampledFrom([]string{"c", "d", ""}).Draw(t, "cluster")
		p.Owner = owner(rapid.SampledFrom(people).Draw(t, "owner"))
		p.Cause = rapid.SampledFrom([]ledger.Cause{ledger.Free, ledger.Stranded, ledger.NonGPU, ledger.Used}).Draw(t, "cause")
		p.Day += period.Day * period.Second(rapid.IntRange(0, 2).Draw(t, "day"))
		p.Effective = drawAmount(t, "effective")
		if rapid.Bool().Draw(t, "discount") {
			p.Commitment = "ri-1"
		} else {
			p.Billed, p.List, p.Contracted = drawAmount(t, "billed"), drawAmount(t, "list"), drawAmount(t, "contracted")
		}
		if !seen[p.Key] {
			seen[p.Key] = true
			m.Pools = append(m.Pools, p)
		}
	}
	return m
}

func drawBook(t *rapid.T) policy.Book {
	v := policy.Standard()
	v.Commitments = rapid.SampledFrom([]policy.Commitments{
		policy.ToConsumer, policy.ToBuyer, policy.ToAll,
	}).Draw(t, "commitments")
	for range rapid.IntRange(0, 3).Draw(t, "rules") {
		v.Redistribute = append(v.Redistribute, policy.Redistribution{
			Cluster: rapid.SampledFrom([]string{"", "c", "*"}).Draw(t, "rule cluster"),
			Causes:  rapid.SampledFrom([][]string{nil, {"free"}, {"stranded", "non_gpu"}}).Draw(t, "causes"),
			Method: rapid.SampledFrom([]policy.RedistributionMethod{policy.PassNone, policy.PassUsed, policy.PassHeld,
				policy.PassEven,
				policy.PassWeights, policy.PassOwner}).Draw(t, "method"),
			Weights: map[string]int64{"x": rapid.Int64Range(0, 3).Draw(t, "x"), "y": rapid.Int64Range(0, 1<<40).Draw(t, "y")},
			Team:    "ops",
		})
	}
	b, err := policy.NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func collect(t *rapid.T, b policy.Book, m *Month) []*Shared {
	var all []*Shared
	for s, err := range Pass(b, m) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

var compareExactly = cmp.Options{cmp.Comparer(func(x, y money.Amount) bool { return x.Cmp(y) == 0 })}

func TestEveryPoolAddsUpToZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMonth(t)
		ids := map[ledger.ID]bool{}
		for _, s := range collect(t, drawBook(t), m) {
			for _, metric := range ledger.Metrics {
				sum, total := money.Amount{}, s.Total.Get(metric)
				for _, r := range s.Rows {
					a := r.Get(metric)
					if (a == nil) != (total == nil) {
						t.Fatalf("%s of a row is %v, of the pool %v", metric, a, total)
					}
					if a == nil {
						continue
					}
					sum = sum.Add(*a)
					if s.Commitment != "" {
						continue
					}
					// Incoming amounts have the sign of the pool, outgoing ones the other, and neither is more than
					// all.
					if sign := a.Sign() * total.Sign(); r.Kind == ledger.SharedIn && sign < 0 || r.Kind == ledger.SharedOut &&
						sign > 0 {
						t.Fatalf("%s of a pool of %s is %s: %s", r.Kind, total, metric, a)
					}
					if abs(*a).Cmp(abs(*total)) > 0 {
						t.Fatalf("%s is more than the pool's %s", a, total)
					}
				}
				if !sum.IsZero() {
					t.Fatalf("%s of the rows of %+v is %s together", metric, s.Key, sum)
				}
			}
			for _, r := range s.Rows {
				if ids[r.ID] {
					t.Fatalf("two rows are named %s", r.ID)
				}
				ids[r.ID] = true
			}
		}
	})
}

func abs(a money.Amount) money.Amount {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, m := drawBook(t), drawMonth(t)
		want := collect(t, b, m)
		other := *m
		other.Pools = rapid.Permutation(m.Pools).Draw(t, "pools")
		other.Consumers = map[string][]Consumer{}
		for cluster, list := range m.Consumers {
			other.Consumers[cluster] = slices.Clone(list)
			slices.Reverse(other.Consumers[cluster])
		}
		other.Machines = map[Covered][]Weight{}
		for k, list := range m.Machines {
			other.Machines[k] = rapid.Permutation(list).Draw(t, "machines")
		}
		if diff := cmp.Diff(want, collect(t, b, &other), compareExactly); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestOnlyRatiosOfWeightsMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, m := drawBook(t), drawMonth(t)
		times := func(a money.Amount) money.Amount { return money.Sum(a, a, a) }
		other := *m
		other.Consumers, other.Machines = map[string][]Consumer{}, map[Covered][]Weight{}
		for cluster, list := range m.Consumers {
			for _, c := range list {
				other.Consumers[cluster] = append(other.Consumers[cluster], Consumer{c.Owner, c.Team, times(c.Held), times(c.Used)})
			}
		}
		for k, list := range m.Machines {
			for _, w := range list {
				other.Machines[k] = append(other.Machines[k], Weight{w.Owner, times(w.Amount)})
			}
		}
		amounts := func(all []*Shared) []*Shared {
			for _, s := range all {
				for i := range s.Rows {
					s.Rows[i].Weight, s.Rows[i].WeightOf = money.Amount{}, money.Amount{}
				}
			}
			return all
		}
		if diff := cmp.Diff(amounts(collect(t, b, m)), amounts(collect(t, b, &other)), compareExactly); diff != "" {
			t.Fatal(diff)
		}
	})
}
