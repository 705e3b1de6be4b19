package sketch

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var values = rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 1_000_000), rapid.Int64Range(-70, 70), rapid.Int64(),
	rapid.SampledFrom([]int64{0, 63, 64, 127, 128, math.MaxInt64, math.MinInt64})), 0, 80)

func TestBinsAreInOrderAndNarrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		if a <= b && indexOf(a) > indexOf(b) {
			t.Fatalf("%d is in bin %d, %d in %d", a, indexOf(a), b, indexOf(b))
		}
		if i := indexOf(a); i < -lastBin || i > lastBin {
			t.Fatalf("%d is in bin %d", a, i)
		}
		m := middle(indexOf(a))
		if indexOf(m) != indexOf(a) {
			t.Fatalf("%d stands for the bin of %d", m, a)
		}
		if off := math.Abs(float64(m) - float64(a)); off > math.Abs(float64(a))*.008 {
			t.Fatalf("%d is kept as %d", a, m)
		}
	})
	for v := range int64(128) {
		if middle(indexOf(v)) != v || middle(indexOf(-v)) != -v {
			t.Fatalf("%d is not exact", v)
		}
	}
}

func TestMergingIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := values.Draw(t, "a"), values.Draw(t, "b"), values.Draw(t, "c")
		whole := Of(slices.Concat(a, b, c))
		left, right := Of(a), Of(c)
		x, y := Of(b), Of(b)
		left.Merge(&x)
		z := Of(c)
		left.Merge(&z) // (a+b)+c
		right.Merge(&y)
		w := Of(a)
		right.Merge(&w) // (c+b)+a
		for _, s := range []Sketch{left, right} {
			if !bytes.Equal(s.Append(nil), whole.Append(nil)) {
				t.Fatal("merging differs from adding")
			}
		}
		sorted := slices.Sorted(slices.Values(slices.Concat(a, b, c)))
		if !bytes.Equal(AppendSorted(nil, sorted), whole.Append(nil)) {
			t.Fatal("packing sorted values differs from packing their sketch")
		}
		back, rest, err := Decode(append(whole.Append(nil), 7))
		if err != nil || len(rest) != 1 || !bytes.Equal(back.Append(nil), whole.Append(nil)) {
			t.Fatalf("not read as written: %v", err)
		}
	})
}

func TestQuantileIsNearTheRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := values.Draw(t, "values")
		percent := rapid.IntRange(0, 100).Draw(t, "percent")
		s := Of(list)
		got, ok := s.Quantile(percent)
		if ok != (len(list) > 0) {
			t.Fatal("known without values, or unknown with")
		}
		if !ok {
			return
		}
		slices.Sort(list)
		want := Rank(list, percent)
		if math.Abs(float64(got)-float64(want)) > math.Abs(float64(want))*.008 {
			t.Fatalf("p%d is %d, not near %d", percent, got, want)
		}
	})
	var none Sketch
	if _, ok := none.Quantile(50); ok {
		t.Error("nothing has a median")
	}
	one := Of([]int64{5})
	for _, p := range []int{-1, 101} {
		if _, ok := one.Quantile(p); ok {
			t.Errorf("p%d", p)
		}
	}
}

func TestDecodeRefusals(t *testing.T) {
	s := Of([]int64{1, 1, 5, 900_000, 1 << 40})
	good := s.Append(nil)
	for i := range good {
		if _, _, err := Decode(good[:i]); !errors.Is(err, ErrCorrupt) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	for name, b := range map[string][]byte{
		"many bins": {0xff, 0xff, 0x7f}, "bin beyond": {1, 0xff, 0xff, 0x7f, 0},
		"too many values": append(append([]byte{2, 0}, bytes.Repeat([]byte{0xff}, 8)...), 0x7f, 31, 0xff, 0xff, 0xff, 0xff,
			0xff, 0xff, 0xff, 0xff, 0x7f),
	} {
		if _, _, err := Decode(b); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	s := Of([]int64{1, 1, 5, 900_000, 1 << 40, -7})
	f.Add(s.Append(nil))
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, _, err := Decode(b)
		if err != nil {
			return
		}
		again, rest, err := Decode(s.Append(nil))
		if err != nil || len(rest) != 0 || !slices.Equal(s.bins, again.bins) {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
		s.Quantile(95)
		s.Merge(&again)
	})
}

func BenchmarkHour(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	hour := make([]int64, 60)
	for i := range hour {
		hour[i] = 900_000 + int64(r.NormFloat64()*15_000)
	}
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		s := Of(hour)
		dst = s.Append(dst[:0])
	}
	b.ReportMetric(float64(len(dst)), "bytes/hour")
}
