package split

import (
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/money"
	"gpuledger/test/tier"
)

// TestOnlyRatiosOfWeightsCount: weights times a number split like the weights,
// a weight of zero gets nothing, and a negative amount is the positive one with
// another sign.
func TestOnlyRatiosOfWeightsCount(t *testing.T) {
	tier.Check(t, 2000, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "rows")
		by := rapid.Uint64Range(2, 1000).Draw(t, "by")
		plain, scaled := make([]*Sum, n), make([]*Sum, n)
		empty := true
		for i := range plain {
			plain[i], scaled[i] = &Sum{}, &Sum{}
			seconds := rapid.SampledFrom([]uint64{0, 0, 1, 60, 3599, 3600}).Draw(t, "seconds")
			share := NewFraction(rapid.Uint64Range(1, 7).Draw(t, "num"),
				rapid.SampledFrom([]uint64{1, 7, 8, 56, 60}).Draw(t, "den"))
			plain[i].Add(share, seconds)
			scaled[i].Add(share, seconds*by)
			empty = empty && seconds == 0
		}
		if empty {
			plain[0].Add(One, 1)
			scaled[0].Add(One, by)
		}
		amount := money.MustParse(rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{0,18})?`).Draw(t, "amount"))
		split := func(sums []*Sum, a money.Amount) []money.Amount {
			shares, err := NewWeights(sums).Split(a)
			if err != nil {
				t.Fatal(err)
			}
			return shares
		}
		want, other, mirrored := split(plain, amount), split(scaled, amount), split(plain, amount.Neg())
		for i := range want {
			if want[i].Cmp(other[i]) != 0 || want[i].Cmp(mirrored[i].Neg()) != 0 {
				t.Fatalf("row %d: %s, with weights × %d %s, of the negative %s", i, want[i], by, other[i], mirrored[i])
			}
			if plain[i].Rat().Sign() == 0 && !want[i].IsZero() {
				t.Fatalf("row %d of no weight has %s", i, want[i])
			}
		}
	})
}
