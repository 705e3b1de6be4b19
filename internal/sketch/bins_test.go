package sketch

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBinsAreThoseOfTheSketch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Int64()).Draw(t, "values")
		want := map[int32]uint64{}
		for _, v := range values {
			want[BinOf(v)]++
		}
		s := Of(values)
		s.Each(func(bin int32, count uint64) {
			if want[bin] != count || BinOf(ValueOf(bin)) != bin {
				t.Fatalf("bin %d: %d, want %d; its value %d is in bin %d", bin, count, want[bin], ValueOf(bin), BinOf(ValueOf(bin)))
			}
			delete(want, bin)
		})
		if len(want) > 0 {
			t.Fatalf("not told: %v", want)
		}
	})
}
