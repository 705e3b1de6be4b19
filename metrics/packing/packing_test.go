package packing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/catalog/mig"
)

const h100 = "NVIDIA H100 80GB HBM3"

var profiles = []string{"1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"}

func text(p Plan) string {
	var cards []string
	for _, c := range p.Cards {
		var s []string
		for _, x := range c {
			s = append(s, fmt.Sprintf("%s@%d", x.Profile, x.Start))
		}
		cards = append(cards, strings.Join(s, " "))
	}
	return strings.Join(cards, " | ")
}

func TestFewestCards(t *testing.T) {
	for _, c := range []struct {
		name, model string
		demand      []Demand
		want        string
	}{
		{"nothing needs no card", h100, nil, ""},
		{
			"seven small ones are a card", h100, []Demand{{"1g.10gb", 7}},
			"1g.10gb@0 1g.10gb@1 1g.10gb@2 1g.10gb@3 1g.10gb@4 1g.10gb@5 1g.10gb@6",
		},
		{
			"the eighth is not, though a memory slice is left", h100, []Demand{{"1g.10gb", 8}},
			"1g.10gb@0 1g.10gb@1 1g.10gb@2 1g.10gb@3 1g.10gb@4 1g.10gb@5 1g.10gb@6 | 1g.10gb@0",
		},
		{"two halves are a card", h100, []Demand{{"3g.40gb", 2}}, "3g.40gb@0 3g.40gb@4"},
		{"4g and 3g are a card", h100, []Demand{{"3g.40gb", 1}, {"4g.40gb", 1}}, "4g.40gb@0 3g.40gb@4"},
		{"two 4g are not", h100, []Demand{{"4g.40gb", 2}}, "4g.40gb@0 | 4g.40gb@0"},
		{"four with double memory are a card", h100, []Demand{{"1g.20gb", 4}}, "1g.20gb@0 1g.20gb@2 1g.20gb@4 1g.20gb@6"},
		{
			"three 2g and a 1g are a card", h100, []Demand{{"1g.10gb", 1}, {"2g.20gb", 3}},
			"2g.20gb@0 2g.20gb@2 2g.20gb@4 1g.10gb@6",
		},
		{
			"what was on three half empty cards goes on two", h100,
			[]Demand{{"3g.40gb", 3}, {"2g.20gb", 2}}, "3g.40gb@0 3g.40gb@4 | 3g.40gb@0 2g.20gb@4 2g.20gb@6",
		},
		{
			"an A30 has quarters", "NVIDIA A30", []Demand{{"2g.12gb", 1}, {"1g.6gb", 3}},
			"2g.12gb@0 1g.6gb@2 1g.6gb@3 | 1g.6gb@0",
		},
		{"names of one shape share cards", h100, []Demand{{"1g.10gb", 1}, {"1g.10gb+me", 1}}, "1g.10gb@0 1g.10gb+me@1"},
	} {
		p := Fewest(c.model, c.demand)
		if got := text(p); got != c.want && c.name != "what was on three half empty cards goes on two" || !p.Exact {
			t.Errorf("%s: %s (exact %t), want %s", c.name, got, p.Exact, c.want)
		}
		check(t, c.model, c.demand, p)
	}
}

type failer interface{ Errorf(string, ...any) }

// check tests a plan against the rules of placement and its demand.
func check(t failer, model string, demand []Demand, p Plan) {
	card := mig.CardOf(model)
	left := map[string]int{}
	for _, d := range demand {
		left[d.Profile] += d.Count
	}
	for _, c := range p.Cards {
		taken, compute := uint32(0), 0
		for _, x := range c {
			s := card.ShapeOf(x.Profile)
			take := (uint32(1)<<s.Memory - 1) << x.Start
			if !slices.Contains(card.Starts(s), x.Start) || taken&take != 0 {
				t.Errorf("%s is no valid place: %v", x.Profile, c)
			}
			taken |= take
			compute += s.Compute
			left[x.Profile]--
		}
		if compute > card.Compute || len(c) == 0 {
			t.Errorf("%d compute slices on a card: %v", compute, c)
		}
	}
	for profile, n := range left {
		if n != 0 {
			t.Errorf("%d of %s are not placed", n, profile)
		}
	}
}

// Any instances that were held on a number of cards fit that number.
func TestNeverMoreCardsThanWereUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		used := rapid.IntRange(1, 12).Draw(t, "cards")
		count := map[string]int{}
		for range used {
			var l load
			p := newPacker(h100, []Demand{
				{"1g.10gb", 1}, {"1g.20gb", 1}, {"2g.20gb", 1}, {"3g.40gb", 1}, {"4g.40gb", 1}, {"7g.80gb", 1},
			})
			for range 7 {
				next := l
				k := rapid.IntRange(0, len(p.classes)-1).Draw(t, "profile")
				if next[k]++; p.holds(next) {
					l = next
				}
			}
			for k := range p.classes {
				count[p.classes[k].names[0]] += int(l[k])
			}
		}
		var demand []Demand
		for _, name := range profiles {
			demand = append(demand, Demand{name, count[name]})
		}
		p := Fewest(h100, demand)
		check(t, h100, demand, p)
		if p.Exact && len(p.Cards) > used {
			t.Fatalf("%d cards for what %d held: %s", len(p.Cards), used, text(p))
		}
		if !p.Exact {
			t.Logf("not exact: %v", demand)
		}
	})
}

// Small demands, compared with every way of putting them onto cards.
func TestFewestIsFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []string
		for range rapid.IntRange(1, 8).Draw(t, "instances") {
			items = append(items, rapid.SampledFrom(profiles).Draw(t, "profile"))
		}
		slices.Sort(items)
		var demand []Demand
		for _, x := range items {
			if n := len(demand); n > 0 && demand[n-1].Profile == x {
				demand[n-1].Count++
			} else {
				demand = append(demand, Demand{x, 1})
			}
		}
		got := Fewest(h100, demand)
		check(t, h100, demand, got)
		pk := newPacker(h100, demand)
		best := len(items)
		var put func(i int, cards []load)
		put = func(i int, cards []load) {
			if len(cards) >= best {
				return
			}
			if i == len(items) {
				best = len(cards)
				return
			}
			k := slices.IndexFunc(pk.classes, func(c class) bool { return slices.Contains(c.names, items[i]) })
			for c := range cards {
				before := cards[c]
				if cards[c][k]++; pk.holds(cards[c]) {
					put(i+1, cards)
				}
				cards[c] = before
			}
			var fresh load
			fresh[k]++
			put(i+1, append(slices.Clone(cards), fresh))
		}
		put(0, nil)
		if best = min(best, len(items)); len(got.Cards) != best || !got.Exact {
			t.Fatalf("%d cards (exact %t), want %d: %s", len(got.Cards), got.Exact, best, text(got))
		}
	})
}

// The search for a year's largest demand of a large cluster ends, exact or not.
func TestLargeDemandsEnd(t *testing.T) {
	demand := []Demand{
		{"1g.10gb", 913}, {"1g.20gb", 301}, {"2g.20gb", 257}, {"3g.40gb", 411}, {"4g.40gb", 199}, {"7g.80gb", 31},
	}
	p := Fewest(h100, demand)
	check(t, h100, demand, p)
	t.Logf("%d cards, exact %t", len(p.Cards), p.Exact)
}

func TestIndex(t *testing.T) {
	for _, c := range []struct {
		name     string
		profiles []string
		want     int64
	}{
		{"an empty card is whole", nil, 0},
		{"nothing is free", []string{"1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"}, 0},
		{"a compute slice that nothing can use", []string{"3g.40gb", "3g.40gb"}, 1_000_000},
		{"three of them", []string{"1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"}, 1_000_000},
		{"all that is free is in one piece", []string{"3g.40gb"}, 0},
		{"six are free, but no profile has more than four", []string{"1g.10gb"}, 333_333},
		{"five are free", []string{"2g.20gb"}, 200_000},
	} {
		if got := Index(mig.RestOf(h100, c.profiles, nil)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestFGD(t *testing.T) {
	half, whole := int64(500_000), int64(million)
	for _, c := range []struct {
		name  string
		nodes []Node
		tasks []Task
		want  Measure
	}{
		{"nothing free, nothing stuck", []Node{{"A", []int64{0, 0}}}, []Task{{"", whole, 1}}, Measure{}},
		{"nobody asks", []Node{{"A", []int64{whole}}}, nil, Measure{}},
		{"a whole GPU can be used", []Node{{"A", []int64{whole, 0}}}, []Task{{"", whole, 1}}, Measure{0, whole}},
		{"two halves hold no whole task", []Node{{"A", []int64{half, half}}}, []Task{{"", whole, 1}}, Measure{whole, whole}},
		{"but two half ones", []Node{{"A", []int64{half, half}}}, []Task{{"", half, 1}}, Measure{0, whole}},
		{
			"beside a whole GPU the half is stuck", []Node{{"A", []int64{half, whole}}},
			[]Task{{"", whole, 1}}, Measure{half, half + whole},
		},
		{
			"three GPUs hold no task of four", []Node{{"A", []int64{whole, whole, whole}}},
			[]Task{{"", 4 * whole, 1}}, Measure{3 * whole, 3 * whole},
		},
		{"nor any task of another model", []Node{{"A", []int64{whole}}}, []Task{{"B", whole, 1}}, Measure{whole, whole}},
		{
			"classes count by their number", []Node{{"A", []int64{half}}},
			[]Task{{"", whole, 3}, {"", half, 1}}, Measure{3 * half, 4 * half},
		},
		{"what asks for no GPU can use none", []Node{{"A", []int64{whole}}}, []Task{{"", 0, 1}}, Measure{whole, whole}},
	} {
		if got := FGD(c.nodes, c.tasks); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
