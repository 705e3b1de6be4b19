package split

import (
	"errors"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/money"
	"gpuledger/test/tier"
)

// oneUnit is the smallest step of a stored amount.
var oneUnit = big.NewRat(1, 1_000_000_000_000)

// pods is a weight for each of n pods that hold the same share.
func pods(n int) []*Sum {
	sums := make([]*Sum, n)
	for i := range sums {
		sums[i] = &Sum{}
		sums[i].Add(One, 3600)
	}
	return sums
}

func TestM03AwkwardSplits(t *testing.T) {
	for _, c := range []struct {
		amount string
		over   int
	}{
		{"0.01", 3}, {"100.00", 7}, {"1e-10", 3}, {"1e-12", 3}, {"1e-13", 3},
		{"1e-28", 7}, {"55.04", 10_000}, {"0.000000001", 10_000},
		{"98765432109876543210.123456789012345678", 7},
	} {
		amount := money.MustParse(c.amount)
		shares, err := NewWeights(pods(c.over)).Split(amount)
		if err != nil {
			t.Fatal(err)
		}
		exact := new(big.Rat).Quo(amount.Rat(), big.NewRat(int64(c.over), 1))
		checkShares(t, c.amount, amount, shares, func(int) *big.Rat { return exact })
	}
}

func TestM04NegativeLinesSplitLikePositiveOnes(t *testing.T) {
	for _, text := range []string{"0.01", "100", "1e-10", "1e-20", "12345.678901234567"} {
		for _, n := range []int{1, 3, 7, 1000} {
			amount := money.MustParse(text)
			up, errUp := NewWeights(pods(n)).Split(amount)
			down, errDown := NewWeights(pods(n)).Split(amount.Neg())
			if errUp != nil || errDown != nil {
				t.Fatal(errUp, errDown)
			}
			sum := money.Amount{}
			for i := range up {
				if up[i].Cmp(down[i].Neg()) != 0 {
					t.Errorf("-%s over %d: share %d is %s, of the positive line %s", text, n, i, down[i], up[i])
				}
				if down[i].Sign() > 0 {
					t.Errorf("-%s over %d: share %d changed its sign: %s", text, n, i, down[i])
				}
				sum = sum.Add(down[i])
			}
			if sum.Cmp(amount.Neg()) != 0 {
				t.Errorf("-%s over %d adds up to %s", text, n, sum)
			}
		}
	}
}

func TestM05NoWeightIsAnErrorAndNeverLosesMoney(t *testing.T) {
	idle := []*Sum{{}, {}, {}}
	if _, err := NewWeights(idle).Split(money.MustParse("1")); err == nil {
		t.Error("a cost without anybody to bear it must be an error: the engine gives idle time a row of its own")
	}
	if shares, err := NewWeights(idle).Split(money.Amount{}); err != nil || len(shares) != 3 {
		t.Errorf("nothing over nobody: %v %v", shares, err)
	}
	if shares, err := NewWeights(nil).Split(money.Amount{}); err != nil || len(shares) != 0 {
		t.Errorf("nothing over none: %v %v", shares, err)
	}
}

func TestM02RandomLinesOverRandomUsage(t *testing.T) {
	tier.Check(t, 2000, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "rows")
		sums := make([]*Sum, n)
		total := new(big.Rat)
		for i := range sums {
			sums[i] = &Sum{}
			for range rapid.IntRange(0, 3).Draw(t, "terms") {
				sums[i].Add(NewFraction(rapid.Uint64Range(0, 7).Draw(t, "num"), rapid.Uint64Range(1, 60).Draw(t, "den")),
					rapid.Uint64Range(0, 3600).Draw(t, "seconds"))
			}
			total.Add(total, sums[i].Rat())
		}
		if total.Sign() == 0 {
			return
		}
		amount := money.MustParse(rapid.StringMatching(`-?[0-9]{1,25}(\.[0-9]{0,20})?`).Draw(t, "amount"))
		shares, err := NewWeights(sums).Split(amount)
		if err != nil {
			t.Fatal(err)
		}
		checkShares(t, amount.String(), amount, shares, func(i int) *big.Rat {
			return new(big.Rat).Mul(amount.Rat(), new(big.Rat).Quo(sums[i].Rat(), total))
		})
	})
}

// checkShares: exact sum, sign kept, within one unit of the exact share; digits
// below a unit go whole to one share.
func checkShares(
	t interface{ Errorf(string, ...any) }, name string,
	amount money.Amount, shares []money.Amount, exact func(i int) *big.Rat,
) {
	sum := new(big.Rat)
	for i, s := range shares {
		sum.Add(sum, s.Rat())
		if s.Sign()*amount.Sign() < 0 || s.Rat().Cmp(amount.Rat())*amount.Sign() > 0 {
			t.Errorf("%s: share %d is %s, outside of nothing to the line", name, i, s)
		}
		off := new(big.Rat).Sub(s.Rat(), exact(i))
		if off.Abs(off).Cmp(new(big.Rat).Add(oneUnit, oneUnit)) >= 0 {
			t.Errorf("%s: share %d is off by %s", name, i, off.FloatString(20))
		}
	}
	if sum.Cmp(amount.Rat()) != 0 {
		t.Errorf("%s: shares add up to %s", name, sum.FloatString(30))
	}
}

// Claims beyond 64 bits are refused, not wrapped around.
func TestClaimsThatAreTooFineAreRefused(t *testing.T) {
	for _, claims := range [][]Fraction{
		{{Num: 1 << 63, Den: 1}, {Num: 1, Den: 3}},
		{{Num: 1 << 63, Den: 1}, {Num: 1 << 63, Den: 1}},
	} {
		if _, _, err := Shares(claims); !errors.Is(err, ErrTooFine) {
			t.Errorf("%v: %v", claims, err)
		}
	}
}

// A ratio that does not fit machine integers uses large ones.
func TestRatiosThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		value, num, a, b uint64
		want             int64
		ok               bool
	}{{1 << 63, 2, 1, 1, 0, false}, {1 << 63, 4, 1, 1, 0, false},
		{5, 3, 2, 1, 8, true}, {1, 1, 3, 1, 0, true}, {1, 1, 1 << 40, 1 << 40, 0, false}} {
		if got, ok := ratio(c.value, c.num, c.a, c.b); ok != c.ok || ok && got != c.want {
			t.Errorf("%d × %d ÷ (%d × %d): %d %v", c.value, c.num, c.a, c.b, got, ok)
		}
	}
}
