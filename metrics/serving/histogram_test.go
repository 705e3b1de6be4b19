package serving

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func second(n int64) int64 { return n * 1_000_000_000 }

func TestQuantile(t *testing.T) {
	h := Histogram{[]int64{second(1), second(5), second(10), Infinite}, []int64{34, 81, 97, 100}}
	for _, c := range []struct {
		list []Histogram
		ppm  int64
		want string
	}{
		{nil, 500_000, ""},
		{[]Histogram{{}}, 500_000, ""},
		{[]Histogram{{[]int64{second(1), Infinite}, []int64{0, 0}}}, 500_000, ""},
		{[]Histogram{h}, 0, "0"},
		{[]Histogram{h}, 340_000, "1"},
		{[]Histogram{h}, 500_000, "111/47"}, // 1 + 4 × 16/47
		{[]Histogram{h}, 990_000, "10"},     // the last bucket gives its lower bound
		{[]Histogram{h, h}, 500_000, "111/47"},
		{[]Histogram{{[]int64{Infinite}, []int64{7}}}, 500_000, "0"},
		{[]Histogram{{[]int64{0, second(1), Infinite}, []int64{5, 5, 5}}}, 500_000, "0"},
		// With other bounds: the first lies half way at 2 s, the second at 1 s. 5 at 1 s, 15 at 2 s
		{
			[]Histogram{
				{[]int64{second(1), second(3), Infinite}, []int64{0, 10, 10}}, {[]int64{second(2), Infinite}, []int64{10, 10}},
			}, 500_000, "3/2",
		},
	} {
		got := Quantile(c.list, c.ppm)
		if want := c.want; got == nil && want != "" || got != nil && got.RatString() != want {
			t.Errorf("%d ppm of %v is %v, want %q", c.ppm, c.list, got, want)
		}
	}
}

// Adding histograms of equal bounds adds their counts, and quantiles never fall.
func TestQuantileProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := []int64{second(1), second(2), second(4), second(8), Infinite}
		draw := func(name string) Histogram {
			h := Histogram{Bounds: bounds}
			var n int64
			for range bounds {
				n += rapid.Int64Range(0, 50).Draw(t, name)
				h.Counts = append(h.Counts, n)
			}
			return h
		}
		a, b := draw("a"), draw("b")
		sum := Histogram{Bounds: bounds}
		for i := range bounds {
			sum.Counts = append(sum.Counts, a.Counts[i]+b.Counts[i])
		}
		var before *big.Rat
		for _, ppm := range []int64{0, 100_000, 500_000, 950_000, 1_000_000} {
			one, two := Quantile([]Histogram{sum}, ppm), Quantile([]Histogram{b, a}, ppm)
			if (one == nil) != (two == nil) || one != nil && one.Cmp(two) != 0 {
				t.Fatalf("%d ppm: %v merged, %v apart", ppm, one, two)
			}
			if one != nil && before != nil && one.Cmp(before) < 0 {
				t.Fatalf("%d ppm is %v, below %v", ppm, one, before)
			}
			before = one
		}
	})
}

func TestBucketsOfAScrape(t *testing.T) {
	h := histogramOf(map[int64]int64{second(5): 7, second(1): 8}, 9)
	if len(h.Bounds) != 3 || h.Counts[0] != 8 || h.Counts[1] != 8 || h.Counts[2] != 9 || h.Bounds[2] != Infinite {
		t.Errorf("%+v", h)
	}
	if h := histogramOf(nil, 9); h.Bounds != nil {
		t.Errorf("buckets of nothing: %+v", h)
	}
}

// Buckets without the last one give no result.
func TestHistogramsWithoutAll(t *testing.T) {
	for _, list := range [][]Histogram{
		nil, {{}}, {{Bounds: []int64{1, 2}, Counts: []int64{3, 4}}}, {{Bounds: []int64{1, Infinite}, Counts: []int64{0, 0}}},
	} {
		if q := Quantile(list, 500_000); q != nil {
			t.Errorf("%+v: %s", list, q)
		}
	}
}
