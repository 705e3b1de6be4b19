package packing

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

const a100 = "NVIDIA A100-SXM4-40GB"

func cut(n int) []Card {
	var cards []Card
	for i := range n {
		cards = append(cards, Card{fmt.Sprint("GPU-", i), []string{"3g.20gb", "2g.10gb"}})
	}
	return cards
}

func released(list []Layout) int {
	n := 0
	for _, l := range list {
		if len(l.Placed) == 0 {
			n++
		}
	}
	return n
}

func TestALayoutIsShownWhereItSaves(t *testing.T) {
	d := func(number int64, cards int, demand map[string]int) Day { return Day{number, cut(cards), demand} }
	two := map[string]int{"3g.20gb": 2}
	for name, c := range map[string]struct {
		days []Day
		want []int // released by day; -1: no layout is shown
	}{
		"nothing to save": {[]Day{d(1, 1, two)}, []int{-1}},
		"one of two":      {[]Day{d(1, 2, two)}, []int{1}},
		"it stays while it holds": {
			[]Day{d(1, 3, two), d(2, 3, map[string]int{"3g.20gb": 1}), d(3, 3, two)}, []int{2, 2, 2},
		},
		"more is held: another one":         {[]Day{d(1, 4, two), d(2, 4, map[string]int{"3g.20gb": 4})}, []int{3, 2}},
		"all of it is needed":               {[]Day{d(1, 2, two), d(2, 2, map[string]int{"3g.20gb": 4})}, []int{1, -1}},
		"a day that needs more than all":    {[]Day{d(1, 2, two), d(2, 2, nil)}, []int{1, -1}},
		"that day is 28 days ago":           {[]Day{d(1, 2, nil), d(29, 2, two)}, []int{-1, 1}},
		"that day is 27 days ago":           {[]Day{d(1, 2, nil), d(28, 2, two)}, []int{-1, -1}},
		"demand of long ago: saves more":    {[]Day{d(1, 4, map[string]int{"3g.20gb": 4}), d(40, 4, two)}, []int{2, 3}},
		"a card that it needs is gone":      {[]Day{d(1, 3, two), {2, cut(3)[1:], two}}, []int{2, 1}},
		"no card had instances on that day": {[]Day{d(1, 2, two), d(2, 0, map[string]int{}), d(3, 2, two)}, []int{1, -1, 1}},
	} {
		shown := Shown(a100, c.days)
		for i, want := range c.want {
			switch got := released(shown[i]); {
			case want < 0 && len(shown[i]) > 0, want >= 0 && got != want:
				t.Errorf("%s, day %d: %d of %d released; want %d", name, i, got, len(shown[i]), want)
			}
		}
	}
}

// A layout that releases fewer than 5 % more cards does not replace the shown one.
func TestSmallGainsDoNotReplaceALayout(t *testing.T) {
	few := func(n int) map[string]int { return map[string]int{"3g.20gb": n} }
	all := []Day{{1, cut(50), few(16)}, {40, cut(50), few(13)}} // 42 released, then 43
	if shown := Shown(a100, all); released(shown[0]) != 42 || released(shown[1]) != 42 {
		t.Errorf("%d released, then %d; want 42 twice", released(shown[0]), released(shown[1]))
	}
	all[1].Demand = few(9) // 45: more than 44.1
	if shown := Shown(a100, all); released(shown[1]) != 45 {
		t.Errorf("%d released; want 45", released(shown[1]))
	}
}

func TestLayoutsOfAnyDays(t *testing.T) {
	profiles := []string{"1g.5gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"}
	rapid.Check(t, func(t *rapid.T) {
		var days []Day
		number := int64(0)
		for range rapid.IntRange(1, 8).Draw(t, "days") {
			number += rapid.Int64Range(1, 12).Draw(t, "gap")
			d := Day{number, cut(rapid.IntRange(0, 6).Draw(t, "cards")), map[string]int{}}
			for _, p := range profiles {
				if n := rapid.IntRange(0, 2).Draw(t, p); n > 0 {
					d.Demand[p] = n
				}
			}
			if len(Fewest(a100, listed(d.Demand)).Cards) > len(d.Cards) {
				d.Demand = nil
			}
			days = append(days, d)
		}
		shown := Shown(a100, days)
		for i, list := range shown {
			if len(list) == 0 {
				continue
			}
			if len(list) != len(days[i].Cards) || released(list) == 0 {
				t.Fatalf("day %d: %d layouts of %d cards, %d released", i, len(list), len(days[i].Cards), released(list))
			}
			room := map[string]int{}
			for _, l := range list {
				for _, p := range l.Placed {
					room[p.Profile]++
				}
			}
			for _, other := range days[:i+1] {
				for profile, n := range other.Demand {
					if len(other.Cards) > 0 && other.Number > days[i].Number-ShownDays && room[profile] < n {
						t.Fatalf("day %d has room for %d × %s, of which %d were held on day %d", i, room[profile], profile, n,
							other.Number)
					}
				}
			}
			if i > 0 && len(shown[i-1]) > 0 &&
				fmt.Sprint(days[i-1]) == fmt.Sprint(Day{days[i-1].Number, days[i].Cards, days[i].Demand}) &&
				fmt.Sprint(shown[i-1]) != fmt.Sprint(list) && days[i].Number-days[0].Number < ShownDays {
				t.Fatalf("day %d: the same again changes what is shown", i)
			}
		}
	})
}

func listed(demand map[string]int) (list []Demand) {
	for p, n := range demand {
		list = append(list, Demand{p, n})
	}
	return list
}
