package export

import (
	"math/rand/v2"
	"testing"
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
