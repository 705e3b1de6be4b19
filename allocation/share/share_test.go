package share

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const november = period.Second(1793491200) // 2026-11-01

func owner(name string) ledger.ID { return ledger.NewID("owner", name) }

func amount(text string) *money.Amount {
	if text == "" {
		return nil
	}
	a := money.MustParse(text)
	return &a
}

func hours(name, team, held, used string) Consumer {
	return Consumer{owner(name), team, money.MustParse(held), money.MustParse(used)}
}

func free(cost string) Pool {
	return Pool{Key{Day: november, Cluster: "c", Cause: ledger.Free, Owner: owner("nobody"), BillingAccount: "1",
		BillingPeriod: "2026-11", Currency: "USD", State: ledger.Open},
		ledger.Costs{Effective: amount(cost)}}
}

func book(t testing.TB, change func(*policy.Version)) policy.Book {
	t.Helper()
	v := policy.Standard()
	v.Settings.Version = "v2"
	change(&v)
	b, err := policy.NewBook(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rule(r policy.Redistribution) func(*policy.Version) {
	return func(v *policy.Version) { v.Redistribute = append(v.Redistribute, r) }
}

// names of owners, to read results by.
var names = map[ledger.ID]string{}

func init() {
	for _, n := range []string{"nobody", "a1", "a2", "b", "c", "buyer", "team:ops", "team:"} {
		names[owner(n)] = n
	}
}

func month(pools ...Pool) *Month {
	return &Month{
		Pools: pools,
		Consumers: map[string][]Consumer{
			"c": {hours("a1", "a", "30", "10"), hours("a2", "a", "10", "0"), hours("b", "b", "60", "30")},
			"d": {hours("c", "c", "100", "100")},
		},
		Machines: map[Covered][]Weight{},
		Buyers:   map[string]ledger.ID{"ri-1": owner("buyer")},
		Teams:    map[ledger.ID]string{owner("nobody"): "unowned", owner("a1"): "a", owner("b"): "b"},
		Named:    func(team string) ledger.ID { return owner("team:" + team) },
	}
}

func passed(t testing.TB, b policy.Book, m *Month) []*Shared {
	t.Helper()
	var all []*Shared
	for s, err := range Pass(b, m) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// shown is the effective cost by owner and kind, smallest name first.
func shown(all []*Shared) string {
	var lines []string
	for _, s := range all {
		for _, r := range s.Rows {
			lines = append(lines, fmt.Sprintf("%s %s %s", names[r.Owner], strings.TrimPrefix(string(r.Kind), "shared_"),
				r.Effective))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, ", ")
}

func TestMethods(t *testing.T) {
	for _, c := range []struct {
		name, cost string
		rule       policy.Redistribution
		want       string
	}{
		{"none", "10", policy.Redistribution{Method: policy.PassNone}, ""},
		{"used", "10", policy.Redistribution{Method: policy.PassUsed}, "a1 in 2.5, b in 7.5, nobody out -10"},
		{"held", "10", policy.Redistribution{Method: policy.PassHeld}, "a1 in 3, a2 in 1, b in 6, nobody out -10"},
		{"even", "10", policy.Redistribution{Method: policy.PassEven}, "a1 in 3.75, a2 in 1.25, b in 5, nobody out -10"},
		{
			"weights", "10", policy.Redistribution{
				Method: policy.PassWeights, Weights: map[string]int64{"a": 1, "b": 4, "absent": 5},
			}, "a1 in 1.5, a2 in 0.5, b in 8, nobody out -10",
		},
		{
			"weights of teams that are not there", "10",
			policy.Redistribution{Method: policy.PassWeights, Weights: map[string]int64{"absent": 5}}, "",
		},
		{"owner", "10", policy.Redistribution{Method: policy.PassOwner, Team: "ops"}, "nobody out -10, team:ops in 10"},
		{"a refund", "-10", policy.Redistribution{Method: policy.PassHeld}, "a1 in -3, a2 in -1, b in -6, nobody out 10"},
		{"another cause", "10", policy.Redistribution{Method: policy.PassHeld, Causes: []string{"stranded"}}, ""},
		{"another cluster", "10", policy.Redistribution{Method: policy.PassHeld, Cluster: "d"}, ""},
		{"what a team has", "10", policy.Redistribution{Method: policy.PassHeld, From: "a"}, ""},
		{
			"what nobody owns", "10", policy.Redistribution{Method: policy.PassOwner, From: "unowned", Team: "ops"},
			"nobody out -10, team:ops in 10",
		},
		{
			"less than a unit each", "0.000000000001", policy.Redistribution{Method: policy.PassHeld},
			"b in 0.000000000001, nobody out -0.000000000001",
		},
		{
			"digits below a unit", "0.00000000000125", policy.Redistribution{Method: policy.PassOwner, Team: "ops"},
			"nobody out -0.00000000000125, team:ops in 0.00000000000125",
		},
	} {
		if got := shown(passed(t, book(t, rule(c.rule)), month(free(c.cost)))); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTheFirstRuleThatMatchesCounts(t *testing.T) {
	b := book(t, func(v *policy.Version) {
		v.Redistribute = []policy.Redistribution{
			{Cluster: "prod-*", Method: policy.PassNone},
			{Causes: []string{"stranded", "free"}, Method: policy.PassOwner, Team: "ops"}, {Method: policy.PassHeld},
		}
	})
	all := passed(t, b, month(free("1")))
	if len(all) != 1 || all[0].Rule != (Rule{"v2", 2, "owner"}) {
		t.Errorf("%+v", all)
	}
	p := free("1")
	p.Cluster = "prod-eu"
	if all := passed(t, b, month(p)); len(all) != 0 {
		t.Errorf("none: %+v", all)
	}
	p.Cause = ledger.Used // is never passed on
	p.Cluster = "c"
	if all := passed(t, b, month(p)); len(all) != 0 {
		t.Errorf("used: %+v", all)
	}
}

func TestVersionsHoldFromTheirDay(t *testing.T) {
	first, second := policy.Standard(), policy.Standard()
	second.Settings.Version, second.ValidFrom = "v2", november+period.Day
	second.Redistribute = []policy.Redistribution{{Method: policy.PassHeld}}
	b, err := policy.NewBook(first, second)
	if err != nil {
		t.Fatal(err)
	}
	later := free("1")
	later.Day += period.Day
	all := passed(t, b, month(free("1"), later))
	if len(all) != 1 || all[0].Day != later.Day {
		t.Errorf("%+v", all)
	}
}

func TestAnOwnerWhoPaysItsOwnShareKeepsIt(t *testing.T) {
	p := free("10")
	p.Owner = owner("b")
	b := book(t, rule(policy.Redistribution{Method: policy.PassHeld}))
	if got := shown(passed(t, b, month(p))); got != "a1 in 3, a2 in 1, b out -4" {
		t.Error(got)
	}
	alone := month(p)
	alone.Consumers["c"] = alone.Consumers["c"][2:]
	if all := passed(t, b, alone); len(all) != 0 {
		t.Errorf("all of it comes back: %+v", all[0])
	}
}

func TestWithoutAClusterEverybodyPays(t *testing.T) {
	p := free("10")
	p.Cluster, p.Cause = "", ledger.Shared
	if got := shown(passed(t, book(t, rule(policy.Redistribution{Method: policy.PassHeld})),
		month(p))); got != "a1 in 1.5, a2 in 0.5, b in 3, c in 5, nobody out -10" {
		t.Error(got)
	}
}

func TestWithoutConsumersNothingIsPassedOn(t *testing.T) {
	m := month(free("10"))
	m.Consumers = nil
	for _, method := range []policy.RedistributionMethod{policy.PassUsed, policy.PassHeld, policy.PassEven} {
		if all := passed(t, book(t, rule(policy.Redistribution{Method: method})), m); len(all) != 0 {
			t.Errorf("%s: %+v", method, all)
		}
	}
}

func TestUnknownStaysUnknown(t *testing.T) {
	p := free("10")
	p.List, p.Billed = amount("0"), amount("7")
	all := passed(t, book(t, rule(policy.Redistribution{Method: policy.PassHeld})), month(p))
	for _, r := range all[0].Rows {
		if r.Contracted != nil || r.List == nil || !r.List.IsZero() || r.Billed == nil {
			t.Errorf("%+v", r)
		}
	}
	nothing := free("")
	if all := passed(t, book(t, rule(policy.Redistribution{Method: policy.PassHeld})), month(nothing)); len(all) != 0 {
		t.Errorf("a pool of which nothing is known: %+v", all)
	}
}

func TestCommitments(t *testing.T) {
	discount := func(who, cost string, cause ledger.Cause) Pool {
		p := free(cost)
		p.Owner, p.Cause, p.Commitment = owner(who), cause, "ri-1"
		return p
	}
	m := month(discount("a1", "-40", ledger.Used), discount("b", "-20", ledger.Used), discount("b", "-3", ledger.HeldIdle))
	m.Machines[Covered{"ri-1", "1", "USD"}] = []Weight{
		{owner("a1"), money.MustParse("100")}, {owner("b"), money.MustParse("50")},
		{owner("c"), money.MustParse("150")}, {owner("a2"), money.MustParse("-5")},
	}
	for _, c := range []struct {
		to   policy.Commitments
		want string
	}{
		{policy.ToConsumer, ""},
		// They pay the contracted price, the buyer gets the difference.
		{policy.ToBuyer, "a1 out 40, b out 20, b out 3, buyer in -20, buyer in -3, buyer in -40"},
		// 60 of used in 2 : 1 : 3, 3 of held idle likewise.
		{policy.ToAll, "a1 in -1, a1 out 20, b out 10, b out 2.5, c in -1.5, c in -30"},
	} {
		if got := shown(passed(t, book(t, func(v *policy.Version) { v.Commitments = c.to }), m)); got != c.want {
			t.Errorf("%s: %s, want %s", c.to, got, c.want)
		}
	}
	other := discount("a1", "-40", ledger.Used)
	other.Commitment = "ri-2" // it has no owner
	if got := shown(passed(t, book(t, func(v *policy.Version) { v.Commitments = policy.ToBuyer }),
		month(other))); got != "a1 out 40, team: in -40" {
		t.Error(got)
	}
}

// Weights finer than 1e-12 keep their ratio.
func TestFineWeightsKeepTheirRatio(t *testing.T) {
	g := group{
		members: []member{{ledger.ID{1}, money.MustParse("0.00000000000000025")}, {ledger.ID{2}, money.MustParse("0.75")}},
	}
	g.finish()
	if ratio := new(big.Rat).SetFrac(g.weights[0], g.weights[1]); ratio.Cmp(big.NewRat(1, 3_000_000_000_000_000)) != 0 {
		t.Errorf("weights %v", g.weights)
	}
}
