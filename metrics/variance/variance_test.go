package variance

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/money"
)

func amount(text string) money.Amount { return money.MustParse(text) }

// told is a period told as "model pricing cost hours" and useful hours.
func told(useful string, cells ...string) Period {
	p := Period{Cells: map[Class]Cell{}, Useful: amount(useful)}
	for _, text := range cells {
		var c Class
		var cost, hours string
		if _, err := fmt.Sscan(text, &c.Model, &c.Pricing, &cost, &hours); err != nil {
			panic(err)
		}
		p.Cells[c] = Cell{Cost: amount(cost), Hours: amount(hours)}
	}
	return p
}

func TestEachEdgeOfTheFormulas(t *testing.T) {
	for _, c := range []struct {
		what          string
		before, after Period
		want          string // volume, efficiency, mix, price, exchange, without hours
	}{
		{"twice the work at the same efficiency and price",
			told("50", "H100 spot 200 100"), told("100", "H100 spot 400 200"), "200 0 0 0 0 0"},
		{"the same work in twice the hours",
			told("50", "H100 spot 200 100"), told("50", "H100 spot 400 200"), "0 200 0 0 0 0"},
		{"the same hours at another price",
			told("50", "H100 spot 200 100"), told("50", "H100 spot 300 100"), "0 0 0 100 0 0"},
		{"the example of docs/figures.md, 25.5",
			told("50", "H100 on_demand 200 100"), told("100", "H100 on_demand 600 300"), "200 200 0 0 0 0"},
		{"half of the hours from spot to on-demand",
			told("50", "H100 spot 200 100", "H100 on_demand 400 100"),
			told("50", "H100 spot 100 50", "H100 on_demand 600 150"), "0 0 100 0 0 0"},
		{"a new class has its price of now before, too",
			told("50", "H100 spot 200 100"), told("50", "H200 spot 500 100"), "0 0 300 0 0 0"},
		{"nothing before", told("0"), told("50", "H100 spot 200 100", "- - 7 0"), "200 0 0 0 0 7"},
		{"nothing after", told("50", "H100 spot 200 100", "- - 7 0"), told("0"), "-200 0 0 0 0 -7"},
		{"nothing useful before: the change of hours is volume",
			told("0", "H100 spot 200 100"), told("50", "H100 spot 300 150"), "100 0 0 0 0 0"},
		{"nothing useful after: all hours are lack of efficiency",
			told("50", "H100 spot 200 100"), told("0", "H100 spot 100 50"), "-200 100 0 0 0 0"},
		{"a class without hours in one period",
			told("50", "H100 spot 200 100"), told("50", "H100 spot 200 100", "H100 reserved 30 0"), "0 0 0 0 0 30"},
	} {
		parts := Split(c.before, c.after)
		got, err := parts.Round(c.after.Cost().Sub(c.before.Cost()))
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if text := fmt.Sprint(got[0], got[1], got[2], got[3], got[4], got[5]); text != c.want {
			t.Errorf("%s: got %s, want %s", c.what, text, c.want)
		}
	}
}

// The formulas as doc.go writes them, term by term.
func TestPartsFollowTheFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, is := working(t, "before"), working(t, "after")
		w, n := was.hours(), is.hours()
		div := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
		mul := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
		sub := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
		one := big.NewRat(1, 1)
		p0, e0, e1 := div(w.cost, w.total), div(w.useful, w.total), div(n.useful, n.total)
		want := Parts{}
		want[Volume] = mul(div(sub(n.useful, w.useful), e0), p0)
		want[Efficiency] = mul(mul(n.useful, sub(div(one, e1), div(one, e0))), p0)
		mix, price := new(big.Rat), new(big.Rat)
		for _, class := range classes {
			a, before := w.cells[class]
			b, after := n.cells[class]
			s0, s1, old := new(big.Rat), new(big.Rat), new(big.Rat)
			if after {
				s1, old = div(b.Hours.Rat(), n.total), b.price()
			}
			if before {
				s0, old = div(a.Hours.Rat(), w.total), a.price()
			}
			mix.Add(mix, mul(sub(s1, s0), old))
			if after {
				price.Add(price, mul(s1, sub(b.price(), old)))
			}
		}
		want[Mix], want[Price] = mul(n.total, mix), mul(n.total, price)
		want[Exchange], want[WithoutHours] = new(big.Rat), sub(n.apart, w.apart)
		for i, got := range Split(was, is) {
			if got.Cmp(want[i]) != 0 {
				t.Fatalf("%s: got %s, want %s", Names[i], got, want[i])
			}
		}
	})
}

// Whatever the periods and the rates are, the rounded parts add up to the difference, each within a unit of its exact
// value plus the digits of the difference below a unit.
func TestRoundedPartsAddUpToTheDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, is := drawn(t, "before"), drawn(t, "after")
		parts, difference := Split(was, is), is.Cost().Sub(was.Cost())
		if rapid.Bool().Draw(t, "converted") {
			r0, r1 := drawnAmount(t, "rate before", 4), drawnAmount(t, "rate after", 4)
			before, after := was.Cost().Mul(r0), is.Cost().Mul(r1)
			parts, difference = parts.In(before, after, was.Cost(), is.Cost()), after.Sub(before)
			exchange := new(big.Rat).Mul(is.Cost().Rat(), new(big.Rat).Sub(r1.Rat(), r0.Rat()))
			if !was.Cost().IsZero() && parts[Exchange].Cmp(exchange) != 0 {
				t.Fatalf("exchange is %s, not %s", parts[Exchange], exchange)
			}
		}
		got, err := parts.Round(difference)
		if err != nil {
			t.Fatal(err)
		}
		if sum := money.Sum(got[:]...); sum.Cmp(difference) != 0 {
			t.Fatalf("%v add up to %s, not to %s", got, sum, difference)
		}
		for i := range got {
			off := new(big.Rat).Sub(got[i].Rat(), parts[i])
			if off.Abs(off).Cmp(big.NewRat(2, 1_000_000_000_000)) >= 0 {
				t.Fatalf("%s: %s is far from %s", Names[i], got[i], parts[i].FloatString(14))
			}
		}
	})
}

func TestPartsOfAnotherDifferenceAreRefused(t *testing.T) {
	parts := Split(told("1", "H100 spot 2 1"), told("1", "H100 spot 3 1"))
	if _, err := parts.Round(amount("2")); err == nil {
		t.Error("parts of 1 were taken for a difference of 2")
	}
}

var classes = []Class{{"H100", "spot"}, {"H100", "reserved"}, {"A100", "spot"}, {}}

func drawn(t *rapid.T, what string) Period {
	p := Period{Cells: map[Class]Cell{}, Useful: drawnAmount(t, what+" useful", 3)}
	for _, class := range classes {
		if rapid.Bool().Draw(t, what+" has") {
			p.Cells[class] = Cell{Cost: drawnAmount(t, what+" cost", 15), Hours: drawnAmount(t, what+" hours", 3)}
		}
	}
	return p
}

// working is a period with capacity and useful hours.
func working(t *rapid.T, what string) Period {
	p, one := drawn(t, what), amount("1")
	p.Useful = p.Useful.Add(one)
	first := p.Cells[classes[0]]
	p.Cells[classes[0]] = Cell{Cost: first.Cost, Hours: first.Hours.Add(one)}
	return p
}

func drawnAmount(t *rapid.T, what string, digits int) money.Amount {
	n := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(1, 1_000_000_000)).Draw(t, what)
	return amount(fmt.Sprintf("%de-%d", n, rapid.IntRange(0, digits).Draw(t, what+" digits")))
}

// The parts of classes add up to those of the whole, and rounded to one of those they add up to it to the last digit.
func TestPartsOfClassesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, is := drawn(t, "before"), drawn(t, "after")
		whole, classes := Split(was, is), ByClass(was, is)
		rounded, err := whole.Round(is.Cost().Sub(was.Cost()))
		if err != nil {
			t.Fatal(err)
		}
		for part := range whole {
			sum, shares := new(big.Rat), []*big.Rat{}
			for _, of := range classes {
				sum.Add(sum, of[part])
				shares = append(shares, of[part])
			}
			if sum.Cmp(whole[part]) != 0 {
				t.Fatalf("%s: classes make %s, the whole is %s", Names[part], sum, whole[part])
			}
			if list := RoundTo(rounded[part], shares); len(list) > 0 && money.Sum(list...).Cmp(rounded[part]) != 0 {
				t.Fatalf("%s: %v do not add up to %s", Names[part], list, rounded[part])
			}
		}
	})
}
