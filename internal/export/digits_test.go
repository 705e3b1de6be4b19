package export

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// Whatever the columns, DuckDB takes 128 bits for each product that may not fit 64, and no column loses digits.
func TestAnyTwoDecimalsCanBeMultiplied(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		of := make([]digits, 1+r.IntN(8))
		for i := range of {
			of[i] = digits{r.IntN(20), r.IntN(20)}
		}
		out := multipliable(of)
		for i, a := range out {
			if a.scale != of[i].scale || a.whole < of[i].whole || a.whole > of[i].whole && a.width() != wide {
				t.Fatalf("%v becomes %v", of[i], a)
			}
			for _, b := range out[:i+1] {
				if a.width() <= narrow && b.width() <= narrow && a.width()+b.width() > narrow && a.scale+b.scale < narrow {
					t.Fatalf("%v of %v: the product of %v and %v may be refused", out, of, a, b)
				}
			}
		}
	}
	if out := multipliable([]digits{{4, 5}, {6, 12}, {0, 0}}); out[0] != (digits{4, 5}) || out[1].width() != wide {
		t.Errorf("%v", out)
	}
}

// Coefficients get decimals as the library gives them.
func TestScaled(t *testing.T) {
	for _, coef := range []int64{0, 1, -1, 42, -999_999_999_999_999_999, 999_999_999_999_999_999, math.MaxInt64, -math.MaxInt64} {
		for by := range 20 { // 64 bits by 10^19 are less than 128
			if got, want := scaled(coef, by), decimal128.FromI64(coef).IncreaseScaleBy(int32(by)); got != want {
				t.Errorf("%d by %d: %s, want %s", coef, by, got.ToString(0), want.ToString(0))
			}
		}
	}
	if got := scaled(-42, 25); got != decimal128.FromI64(-42).IncreaseScaleBy(25) {
		t.Errorf("by 25: %s", got.ToString(0))
	}
}

// A column of few values keeps its dictionary; one whose first values nearly all differ has none.
func TestVariety(t *testing.T) {
	for of, want := range map[int64]bool{1: false, 100: false, sampled / 4: false, 3 * sampled: true} {
		var v variety
		for i := range int64(3 * sampled) {
			v.note(i % of)
		}
		if v.mostly() != want || v.cells != sampled || v.seen != nil {
			t.Errorf("%d values: %+v", of, v.news)
		}
	}
	if (&variety{}).mostly() {
		t.Error("no cells")
	}
}
