package truth

import (
	"math/big"
	"slices"
)

// Buckets are samples at or below bounds in thousandths of a second,
// without the last bucket, and all samples.
type Buckets struct {
	Below map[int64]int64
	All   int64
}

// Quantile interpolates the position of the given percentage of the samples, in seconds; nil without samples.
func (b Buckets) Quantile(percent int64) *big.Rat {
	if b.All == 0 {
		return nil
	}
	rank := big.NewRat(b.All*percent, 100)
	var bounds []int64
	for bound := range b.Below {
		bounds = append(bounds, bound)
	}
	slices.Sort(bounds)
	var from, below int64
	for _, bound := range bounds {
		if n := b.Below[bound]; big.NewRat(n, 1).Cmp(rank) >= 0 {
			part := new(big.Rat).Sub(rank, big.NewRat(below, 1))
			part.Mul(part, big.NewRat(bound-from, n-below))
			part.Add(part, big.NewRat(from, 1))
			return part.Quo(part, big.NewRat(1000, 1))
		}
		from, below = bound, b.Below[bound]
	}
	return big.NewRat(from, 1000)
}

func (b *Buckets) put(bound, n int64) {
	if b.Below == nil {
		b.Below = map[int64]int64{}
	}
	b.Below[bound] += n
}
