package series

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestScaledIsExact(t *testing.T) {
	for _, c := range []struct {
		text string
		mul  uint64
		want int64
	}{
		{"0.8731", ratio, 873100},
		{"0.999892", ratio, 999892},
		{"87.31", percent, 873100},
		{"0.0000005", ratio, 1},
		{"0.00000049999999999999999999", ratio, 0},
		{"0.8731000000000001", ratio, 873100},
		{"1.294", ratio, 1294000},
		{"115.294000", milli, 115294},
		{"4384", mebi, 4384 << 20},
		{"126272101025", 1, 126272101025},
		{"1.26272101025e+11", 1, 126272101025},
		{"1.26272101025E11", milli, 126272101025000},
		{"-3.5", milli, -3500},
		{"-0.0005", milli, 0},
		{"-0.00051", milli, -1},
		{"+7", 1, 7},
		{"5.", 1, 5},
		{".5", 10, 5},
		{"0e5", 1, 0},
		{"00000000000000000000000000000000012", 1, 12},
		{"1e-400", ratio, 0},
		{"9223372036854775807", 1, 9223372036854775807},
		{"0.99999999999999999999999999999999", ratio, 1000000},
	} {
		d, n := ParseDecimal([]byte(c.text))
		if n != len(c.text) {
			t.Errorf("%s: %d bytes read", c.text, n)
			continue
		}
		if got, ok := d.scaled(c.mul); !ok || got != c.want {
			t.Errorf("%s × %d = %d %v, want %d", c.text, c.mul, got, ok, c.want)
		}
	}
	for _, text := range []string{"9223372036854775808", "1e30", "1e1000000", "99999999999999999999"} {
		d, n := ParseDecimal([]byte(text))
		if v, ok := d.scaled(1); n != len(text) || ok {
			t.Errorf("%s fits: %d", text, v)
		}
	}
	for _, text := range []string{"", "-", ".", "e5", "1e", "1e+", "abc", "--1", "na"} {
		if _, n := ParseDecimal([]byte(text)); n != 0 {
			t.Errorf("%q was read (%d bytes)", text, n)
		}
	}
	for text, k := range map[string]kind{
		"NaN": nan, "nan": nan, "+Inf": infinite, "-inf": infinite, "Infinity": infinite,
	} {
		if d, n := ParseDecimal([]byte(text)); n != len(text) || d.kind != k {
			t.Errorf("%q: %+v %d", text, d, n)
		}
	}
}

// Against arbitrary precision: round half up of the text times mul.
func TestScaledAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{1,9}(\.[0-9]{1,9})?(e[+-]?[0-9])?`).Draw(t, "text")
		mul := rapid.SampledFrom([]uint64{1, milli, percent, ratio, mebi}).Draw(t, "mul")
		d, n := ParseDecimal([]byte(text))
		if n != len(text) {
			t.Fatalf("%s: %d bytes", text, n)
		}
		got, ok := d.scaled(mul)
		r, valid := new(big.Rat).SetString(text)
		if !valid {
			t.Fatalf("bad rational %s", text)
		}
		r.Mul(r, new(big.Rat).SetUint64(mul)).Add(r, big.NewRat(1, 2))
		want := new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: floor for positive divisors
		if ok != want.IsInt64() || ok && got != want.Int64() {
			t.Fatalf("%s × %d = %d %v, want %s", text, mul, got, ok, want)
		}
	})
}

func TestMillis(t *testing.T) {
	for text, want := range map[string]int64{
		"1700000000": 1700000000000, "1700000000.123": 1700000000123, "1700000000.1239": 1700000000123,
		"1.7e9": 1700000000000, "1.700000000123e+09": 1700000000123,
		"1700000000123": 1700000000123, "1700000000.000000": 1700000000000,
	} {
		d, n := ParseDecimal([]byte(text))
		ms, seconds, ok := d.Millis()
		if n != len(text) || !ok || ms != want || seconds != (text != "1700000000123") {
			t.Errorf("%s: %d %v %v", text, ms, seconds, ok)
		}
	}
	for _, text := range []string{"-1700000000", "NaN", "+Inf", "1e40", "99999999999999999999999"} {
		d, _ := ParseDecimal([]byte(text))
		if ms, _, ok := d.Millis(); ok {
			t.Errorf("%s: %d", text, ms)
		}
	}
}

func TestBlankSentinels(t *testing.T) {
	all := []blankRule{blankAny, blankWide, blankHuge}
	for _, c := range []struct {
		text string
		rule []blankRule
	}{
		{"9223372036854775792", all}, {"9223372036854775795", all}, {"9.223372036854776e+18", all},
		{"140737488355328", all[:2]}, {"140737488355328.000000", all[:2]},
		{"140737488355331.0", all[:2]}, {"1.40737488355328e+14", all[:2]},
		{"2147483632", all[:1]}, {"2147483635.000000", all[:1]}, {"2.147483634e+09", all[:1]},
		{"2147483636", nil}, {"2147483631", nil}, {"0.5", nil}, {"-1", nil}, {"0", nil},
	} {
		d, _ := ParseDecimal([]byte(c.text))
		for i, r := range all {
			if got, want := r.blank(d), i < len(c.rule); got != want {
				t.Errorf("%s rule %d: %v, want %v", c.text, r, got, want)
			}
		}
	}
}

func FuzzDecimal(f *testing.F) {
	for _, s := range []string{
		"0.8731", "1e-9", "NaN", "+Inf", "9223372036854775807", strings.Repeat("9", 40) + "." + strings.Repeat("1", 40),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, n := ParseDecimal([]byte(s))
		if n == 0 || d.kind != finite {
			return
		}
		v, ok := d.scaled(1)
		d.floor(3)
		d.Millis()
		want, err := strconv.ParseFloat(s[:n], 64)
		if err != nil || !ok || want > 1e15 || want < -1e15 {
			return
		}
		if diff := float64(v) - want; diff > 0.51 || diff < -0.51 {
			t.Fatalf("%s: %d", s[:n], v)
		}
	})
}
