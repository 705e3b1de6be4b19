package split

import (
	"errors"
	"math/big"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/test/tier"

	"pgregory.net/rapid"
)

func rat(f Fraction) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(f.Num), new(big.Int).SetUint64(f.Den))
}

func TestSharesOfATimeSlicedCard(t *testing.T) {
	quarter := NewFraction(1, 4)
	for _, c := range []struct {
		name   string
		claims []Fraction
		want   []Fraction
		rest   Fraction
	}{
		{"nobody", nil, nil, One},
		{"three of four claimed", []Fraction{quarter, quarter, quarter}, []Fraction{quarter, quarter, quarter}, quarter},
		{"a double claim", []Fraction{quarter, NewFraction(2, 4)}, []Fraction{quarter, {1, 2}}, quarter},
		{"over-claimed", []Fraction{{3, 4}, {3, 4}}, []Fraction{{1, 2}, {1, 2}}, Fraction{0, 1}},
		{"all", []Fraction{One}, []Fraction{One}, Fraction{0, 1}},
	} {
		shares, rest, err := Shares(c.claims)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.want {
			if shares[i] != c.want[i] {
				t.Errorf("%s: share %d is %v, want %v", c.name, i, shares[i], c.want[i])
			}
		}
		if rest != c.rest {
			t.Errorf("%s: rest %v, want %v", c.name, rest, c.rest)
		}
	}
	if _, _, err := Shares([]Fraction{{1, 1 << 62}, {1, 1<<62 - 1}}); !errors.Is(err, ErrTooFine) {
		t.Errorf("a common denominator beyond 64 bits: %v", err)
	}
}

func TestSharesAddUpToOne(t *testing.T) {
	tier.Check(t, 1000, func(t *rapid.T) {
		claims := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Fraction {
			return NewFraction(rapid.Uint64Range(0, 20).Draw(t, "num"), rapid.Uint64Range(1, 48).Draw(t, "den"))
		}), 0, 8).Draw(t, "claims")
		shares, rest, err := Shares(claims)
		if err != nil {
			t.Fatal(err)
		}
		sum := rat(rest)
		for _, s := range shares {
			sum.Add(sum, rat(s))
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Fatalf("%v add up to %s", claims, sum)
		}
	})
}

func TestSumsWeightsAndUnitsAreExact(t *testing.T) {
	tier.Check(t, 1000, func(t *rapid.T) {
		wide := rapid.Bool().Draw(t, "wide")
		maxDen, maxValue := uint64(60), uint64(3600)
		if wide {
			maxDen, maxValue = 1<<40, 1<<50
		}
		n := rapid.IntRange(1, 6).Draw(t, "rows")
		sums, exact := make([]*Sum, n), make([]*big.Rat, n)
		total := new(big.Rat)
		for i := range sums {
			sums[i], exact[i] = &Sum{}, new(big.Rat)
			for range rapid.IntRange(1, 4).Draw(t, "adds") {
				f := NewFraction(rapid.Uint64Range(1, maxDen).Draw(t, "num"), rapid.Uint64Range(1, maxDen).Draw(t, "den"))
				v := rapid.Uint64Range(1, maxValue).Draw(t, "value")
				sums[i].Add(f, v)
				exact[i].Add(exact[i], new(big.Rat).Mul(rat(f), new(big.Rat).SetInt(new(big.Int).SetUint64(v))))
			}
			total.Add(total, exact[i])
			if sums[i].Rat().Cmp(exact[i]) != 0 {
				t.Fatalf("sum %s, want %s", sums[i].Rat(), exact[i])
			}
			units := sums[i].Units(2500, 9)
			off := new(big.Rat).Mul(units.Rat(), big.NewRat(money.UnitsPerOne, 1))
			off.Sub(off, new(big.Rat).Mul(exact[i], big.NewRat(2500, 9)))
			if off.Cmp(big.NewRat(1, 2)) > 0 || off.Cmp(big.NewRat(-1, 2)) <= 0 {
				t.Fatalf("units are off by %s", off.FloatString(3))
			}
		}
		amount := money.FromUnits(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "amount"))
		shares, err := NewWeights(sums).Split(amount)
		if err != nil {
			t.Fatal(err)
		}
		if money.Sum(shares...).Cmp(amount) != 0 {
			t.Fatal("shares do not add up")
		}
		for i := range shares {
			want := new(big.Rat).Mul(amount.Rat(), new(big.Rat).Quo(exact[i], total))
			if d := want.Sub(want, shares[i].Rat()); d.Abs(d).Cmp(big.NewRat(1, money.UnitsPerOne)) >= 0 {
				t.Fatalf("share %d is off by %s", i, d.FloatString(18))
			}
		}
	})
}

func TestMulRefusesWhatDoesNotFit(t *testing.T) {
	if _, err := (Fraction{1, 1<<63 + 1}).Mul(Fraction{1, 3}); !errors.Is(err, ErrTooFine) {
		t.Errorf("got %v", err)
	}
	if f, err := (Fraction{2, 3}).Mul(Fraction{3, 4}); err != nil || f != (Fraction{1, 2}) {
		t.Errorf("2/3 × 3/4 = %v, %v", f, err)
	}
}

// Weights in machine integers divide like those that need more.
func TestSmallWeightsAgainstLarge(t *testing.T) {
	var room Weights
	var by money.Splitter
	tier.Check(t, 1000, func(t *rapid.T) {
		sums := make([]*Sum, rapid.IntRange(1, 40).Draw(t, "rows"))
		large := make([]*big.Int, len(sums))
		for i := range sums {
			sums[i] = new(Sum)
			total := new(big.Rat)
			for range rapid.IntRange(0, 3).Draw(t, "terms") {
				f := NewFraction(rapid.Uint64Range(0, 60).Draw(t, "num"),
					rapid.SampledFrom([]uint64{1, 1, 7, 56, 60}).Draw(t, "den"))
				seconds := rapid.SampledFrom([]uint64{0, 3600, 3600, 59, 86_400}).Draw(t, "seconds")
				sums[i].Add(f, seconds)
				total.Add(total, new(big.Rat).Mul(new(big.Rat).SetFrac(new(big.Int).SetUint64(f.Num),
					new(big.Int).SetUint64(f.Den)), new(big.Rat).SetUint64(seconds)))
			}
			total.Mul(total, big.NewRat(840, 1)) // a common denominator of 7, 56 and 60
			large[i] = total.Num()
			var r big.Rat
			sums[i].SetRat(&r, make([]big.Word, 1))
			if r.Cmp(sums[i].Rat()) != 0 {
				t.Fatalf("row %d: %s, want %s", i, r.String(), sums[i].Rat())
			}
		}
		sums = append(sums, new(Sum))
		sums[len(sums)-1].Add(One, 1)
		large = append(large, big.NewInt(840))
		amount := money.FromUnits(rapid.Int64Range(-1e15, 1e15).Draw(t, "amount"))
		want, err := money.Split(amount, large)
		if err != nil {
			t.Fatal(err)
		}
		room.Take(sums)
		got := make([]money.Amount, len(sums))
		if err := room.SplitInto(got, amount, &by); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i].Cmp(want[i]) != 0 {
				t.Fatalf("row %d of %d: %s, want %s", i, len(want), got[i], want[i])
			}
		}
	})
}
