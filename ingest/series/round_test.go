package series

import (
	"math"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct{ v, step, want int64 }{
		{0, 100, 0}, {49, 100, 0}, {50, 100, 100}, {149, 100, 100},
		{150, 100, 200}, {-49, 100, 0}, {-50, 100, -100}, {-151, 100, -200},
		{mebi/2 - 1, mebi, 0}, {mebi / 2, mebi, mebi}, {300 * mebi, mebi, 300 * mebi}, {5, 1, 5},
		{math.MaxInt64, mebi, math.MaxInt64 - (mebi - 1)}, {math.MinInt64, mebi, math.MinInt64},
	} {
		if got := nearest(c.v, c.step); got != c.want {
			t.Errorf("nearest(%d, %d) = %d, want %d", c.v, c.step, got, c.want)
		}
	}
}
