package money

import (
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestParseAndString(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0.02": "-0.02", "+1.50": "1.5", "32.77": "32.77", "2.63E-8": "0.0000000263", "0E-11": "0",
		"16.29693213663664462748541900": "16.296932136636644627485419", "9300000000000": "9300000000000",
		"1e3": "1000", ".5": "0.5", "5.": "5", "9223372.036854775807": "9223372.036854775807",
		"-9223372.036854775808": "-9223372.036854775808", "00000000000000000000.1": "0.1",
	} {
		a, err := Parse(in)
		if err != nil {
			t.Fatalf("Parse(%q): %v", in, err)
		}
		if a.String() != want {
			t.Errorf("Parse(%q) = %s, want %s", in, a, want)
		}
	}
	for _, in := range []string{
		"", "-", ".", "NaN", "Inf", "0x1", "1_0", " 1", "1 ", "1,5", "e5", "1e999", "--1", "1.2.3",
	} {
		if a, err := Parse(in); err == nil {
			t.Errorf("Parse(%q) = %s, want an error", in, a)
		}
	}
}

func TestTheSmallestIntegerIsAnAmountLikeAnyOther(t *testing.T) {
	a := FromUnits(math.MinInt64)
	if a.Neg().String() != "9223372.036854775808" || a.Add(a.Neg()).Sign() != 0 || a.Cmp(MustParse(a.String())) != 0 {
		t.Errorf("%s, negated %s", a, a.Neg())
	}
	shares, err := SplitUint(a, []uint64{1, 1})
	if err != nil || Sum(shares...).Cmp(a) != 0 || shares[0].Cmp(shares[1]) != 0 {
		t.Errorf("%v %v", shares, err)
	}
}

func genAmount(t *rapid.T, label string) Amount {
	coef := rapid.Int64().Draw(t, label)
	scale := rapid.IntRange(0, 20).Draw(t, label+" scale")
	c := big.NewInt(coef)
	if scale < Digits {
		c.Mul(c, bigPow10(Digits-scale))
		scale = Digits
	}
	return normal(c, scale)
}

func TestFromFloatIsItsShortestText(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, f float64) {
		got, err := FromFloat(f)
		want, werr := Parse(strconv.FormatFloat(f, 'f', -1, 64))
		if (err == nil) != (werr == nil) || err == nil && (got.Cmp(want) != 0 || got.String() != want.String()) {
			t.Fatalf("%v = %s (%v), want %s (%v)", f, got, err, want, werr)
		}
		if _, short := got.Units(); err == nil && short != (want.ext == nil) {
			t.Fatalf("%v is not canonical", f)
		}
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 0.1, 0.3, 1e-12, 1.5e-12, 5e-13, 999.999999999999,
		1000.000000000001, 123456789.1234, 9223372, 9223372.036854775, 9.3e6, 1e15, 1e300, 5e-324,
		0.1 + 0.2, 1.0 / 3, 98.32, 33.333333333333336, 1e22} {
		check(t, f)
		check(t, -f)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.Float64().Draw(t, "any"))
		check(t, float64(rapid.Int64Range(-1e15, 1e15).Draw(t, "coefficient"))/math.Pow10(rapid.IntRange(0, 16).Draw(t,
			"decimals")))
		f := float64(rapid.Int64Range(-1e16, 1e16).Draw(t, "near")) / 1e12
		check(t, math.Nextafter(f, 1))
	})
}

func TestArithmeticAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genAmount(t, "a"), genAmount(t, "b")
		sum := a.Add(b)
		if want := new(big.Rat).Add(a.Rat(), b.Rat()); sum.Rat().Cmp(want) != 0 {
			t.Fatalf("%s + %s = %s", a, b, sum)
		}
		if a.Cmp(b) != a.Rat().Cmp(b.Rat()) {
			t.Fatalf("Cmp(%s, %s) = %d", a, b, a.Cmp(b))
		}
		back, err := Parse(a.String())
		if err != nil || back.Cmp(a) != 0 {
			t.Fatalf("%s does not survive text: %v %v", a, back, err)
		}
		if !sum.Sub(b).Sub(a).IsZero() {
			t.Fatalf("(%s + %s) - b - a is not zero", a, b)
		}
	})
}

func TestSplitIsExactFairAndOrderFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := genAmount(t, "amount")
		n := rapid.IntRange(1, 12).Draw(t, "n")
		limit := rapid.SampledFrom([]uint64{3, 1000, 1 << 40, 1 << 62}).Draw(t, "limit")
		weights := make([]uint64, n)
		var any bool
		for i := range weights {
			weights[i] = rapid.Uint64Range(0, limit).Draw(t, "w")
			any = any || weights[i] > 0
		}
		if !any {
			weights[0] = 1
		}
		shares, err := SplitUint(amount, weights)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := Split(amount, bigWeights(weights))
		if err != nil {
			t.Fatal(err)
		}
		if got := Sum(shares...); got.Cmp(amount) != 0 {
			t.Fatalf("shares of %s add up to %s", amount, got)
		}
		total := new(big.Int)
		for _, w := range bigWeights(weights) {
			total.Add(total, w)
		}
		unit := big.NewRat(1, UnitsPerOne)
		withDust := 0
		for i := range shares {
			if shares[i].Cmp(slow[i]) != 0 {
				t.Fatalf("fast and exact paths differ at %d: %s, %s", i, shares[i], slow[i])
			}
			if weights[i] == 0 && !shares[i].IsZero() {
				t.Fatalf("zero weight got %s", shares[i])
			}
			exact := new(big.Rat).SetFrac(new(big.Int).SetUint64(weights[i]), total)
			exact.Mul(exact, amount.Rat())
			diff := new(big.Rat).Sub(shares[i].Rat(), exact)
			if diff.Abs(diff).Cmp(unit) >= 0 {
				withDust++
				if diff.Cmp(new(big.Rat).Mul(unit, big.NewRat(2, 1))) >= 0 {
					t.Fatalf("share %d is off by %s", i, diff.FloatString(20))
				}
			}
		}
		if withDust > 1 {
			t.Fatalf("%d shares are off by a unit or more; only the one that takes the dust may be", withDust)
		}
	})
}

func TestSplitRefuses(t *testing.T) {
	if _, err := SplitUint(FromUnits(5), []uint64{0, 0}); err == nil {
		t.Error("no weight at all must be refused")
	}
	if _, err := Split(FromUnits(5), []*big.Int{big.NewInt(-1), big.NewInt(2)}); err == nil {
		t.Error("a negative weight must be refused")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "-0.02", "2.63E-8", "1e3", "16.29693213663664462748541900"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Parse(s)
		if err != nil {
			return
		}
		b, err := Parse(a.String())
		if err != nil || a.Cmp(b) != 0 {
			t.Fatalf("%q → %s → %s: %v", s, a, b, err)
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	weights := make([]uint64, 40)
	for i := range weights {
		weights[i] = uint64(3600*56 + i)
	}
	for b.Loop() {
		if _, err := SplitUint(FromUnits(55_040_000_000_000), weights); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFromFloat(b *testing.B) {
	for name, f := range map[string]float64{"short": 98.32, "fine": 0.0000263125, "long": 1.0 / 3} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := FromFloat(f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
