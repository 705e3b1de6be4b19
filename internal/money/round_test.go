package money

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func leaf(text string) Tree { return Tree{Amount: MustParse(text)} }

func node(children ...Tree) Tree {
	t := Tree{Children: children}
	for _, c := range children {
		t.Amount = t.Amount.Add(c.Amount)
	}
	return t
}

func show(t Tree) string {
	if len(t.Children) == 0 {
		return t.Amount.String()
	}
	var parts []string
	for _, c := range t.Children {
		parts = append(parts, show(c))
	}
	return fmt.Sprintf("%s(%s)", t.Amount, strings.Join(parts, " "))
}

func TestM09EveryLevelAddsUp(t *testing.T) {
	for _, c := range []struct {
		in     Tree
		places int
		want   string
	}{
		{node(leaf("33.333333333334"), leaf("33.333333333333"), leaf("33.333333333333")), 2, "100(33.34 33.33 33.33)"},
		{node(leaf("0.004"), leaf("0.004"), leaf("0.004")), 2, "0.01(0.01 0 0)"},
		{node(leaf("-0.004"), leaf("-0.004"), leaf("-0.004")), 2, "-0.01(0 0 -0.01)"},
		{node(leaf("5"), leaf("-2.005"), leaf("-2.005")), 2, "0.99(5 -2 -2.01)"},
		{node(node(leaf("1.005"), leaf("1.005")), node(leaf("2.004"), leaf("0.986"))), 2, "5(2.01(1.01 1) 2.99(2 0.99))"},
		{node(leaf("0.5"), leaf("0.5")), 0, "1(1 0)"},
		{leaf("2.5"), 0, "3"},
		{leaf("-2.5"), 0, "-3"},
		{Tree{}, 2, "0"},
	} {
		got, err := RoundTree(c.in, c.places)
		if err != nil || show(got) != c.want {
			t.Errorf("%s to %d places: %s (%v), want %s", show(c.in), c.places, show(got), err, c.want)
		}
	}
	if _, err := RoundTree(leaf("1"), 13); err == nil {
		t.Error("13 places")
	}
	if _, err := RoundTree(Tree{MustParse("1"), []Tree{leaf("0.5")}}, 2); err == nil ||
		err.Error() != "children add up to 0.5, not to 1" {
		t.Error(err)
	}
}

func TestM09RoundedLevelsAddUpWhateverTheTree(t *testing.T) {
	mismatches := 0
	var draw func(t *rapid.T, depth int) Tree
	draw = func(t *rapid.T, depth int) Tree {
		n := rapid.IntRange(0, 5).Draw(t, "children")
		if depth == 0 || n == 0 {
			return Tree{Amount: MustParse(rapid.StringMatching(`-?[0-9]{1,6}\.[0-9]{0,15}`).Draw(t, "amount"))}
		}
		var children []Tree
		for range n {
			children = append(children, draw(t, depth-1))
		}
		return node(children...)
	}
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 4).Draw(t, "places")
		exact := draw(t, 3)
		rounded, err := RoundTree(exact, places)
		if err != nil {
			t.Fatal(err)
		}
		unit := new(big.Rat).SetFrac(big.NewInt(1), bigPow10(places))
		var check func(e, r Tree)
		check = func(e, r Tree) {
			off := new(big.Rat).Sub(e.Amount.Rat(), r.Amount.Rat())
			if off.Abs(off).Cmp(unit) >= 0 || r.Amount.Sign()*e.Amount.Sign() < 0 {
				t.Fatalf("%s became %s", e.Amount, r.Amount)
			}
			sum := Amount{}
			for i := range e.Children {
				sum = sum.Add(r.Children[i].Amount)
				check(e.Children[i], r.Children[i])
			}
			if len(e.Children) > 0 && sum.Cmp(r.Amount) != 0 {
				mismatches++
				t.Fatalf("children of %s add up to %s", r.Amount, sum)
			}
		}
		check(exact, rounded)
	})
	if mismatches != 0 {
		t.Errorf("%d levels do not add up", mismatches)
	}
}
