package table

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestDoublesAreTheirShortestText(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, f float64) {
		want := strconv.FormatFloat(f, 'f', -1, 64)
		if f == 0 {
			want = "0"
		}
		if got := string(appendDouble([]byte("x"), f)); got != "x"+want {
			t.Fatalf("%v is %s, want %s", f, got[1:], want)
		}
	}
	for _, f := range []float64{
		0, 1, 10, 100, 0.1, 0.01, 1e-10, 1.5e-10, 1e-11, 98.32, 99999.9999999999, 100000.0000000001,
		1e15, 1e16, 1e22, 1.0 / 3, 0.1 + 0.2, math.MaxFloat64, math.SmallestNonzeroFloat64,
	} {
		check(t, f)
		check(t, -f)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, float64(rapid.Int64Range(-1e16, 1e16).Draw(t, "coefficient"))/math.Pow10(rapid.IntRange(0, 16).Draw(t,
			"decimals")))
		if f := rapid.Float64().Draw(t, "any"); !math.IsInf(f, 0) {
			check(t, f)
			check(t, math.Nextafter(f, 0))
		}
	})
}
