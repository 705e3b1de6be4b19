package sketch

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func packed(values []int64) (list []int64) {
	s := Of(values)
	s.Each(func(bin int32, count uint64) { list = append(list, Pack(bin, count)) })
	return list
}

// Parts have their share of the values to within one, and together they are the whole, for few of the smallest values
// as for many.
func TestSplitPackedDealsByWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := packed(rapid.SliceOf(rapid.Int64Range(0, 1_000_000)).Draw(t, "values"))
		var weights []*big.Int
		total := int64(0)
		for _, w := range rapid.SliceOfN(rapid.Int64Range(0, 1000), 1, 5).Draw(t, "weights") {
			weights, total = append(weights, big.NewInt(w)), total+w
		}
		parts := SplitPacked(whole, weights)
		var together []int64
		for i, part := range parts {
			if !slices.IsSorted(part) {
				t.Fatalf("part %d is not sorted: %v", i, part)
			}
			together = MergePacked(together, part)
			for upto := range whole { // in each prefix of the values, too
				all, mine := counted(whole[:upto+1]), int64(0)
				for _, p := range part {
					if p>>countBits <= whole[upto]>>countBits {
						mine += countOf(p)
					}
				}
				off := mine*total - all*weights[i].Int64()
				if total > 0 && max(off, -off) > int64(len(weights)-1)*total {
					t.Fatalf("part %d has %d of %d, by weight %d of %d", i, mine, all, weights[i], total)
				}
			}
		}
		if !slices.Equal(together, whole) {
			t.Fatalf("parts are %v together, want %v", together, whole)
		}
	})
}

func counted(list []int64) (n int64) {
	for _, p := range list {
		n += countOf(p)
	}
	return n
}

func TestMergePackedIsTheSketchOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOf(rapid.Int64Range(0, 1_000_000))
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		if got, want := MergePacked(packed(a), packed(b)), packed(slices.Concat(a, b)); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
