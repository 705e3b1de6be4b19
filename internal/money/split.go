package money

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// Split divides amount over weights by largest remainder in units of 1e-12.
//
// The shares add up to amount exactly. Share i is within one unit of
// amount × weights[i] / Σ weights, apart from the amount's own digits below
// 1e-12, which go whole to the largest share. A zero weight gets zero.
// Leftover units go to the largest remainders; equal remainders are ordered by
// the index, so the caller must pass weights in the order of a stable key
// (smallest key first) to be independent of input order. A negative amount is
// split as its absolute value and negated.
//
// It returns an error when a weight is negative or all are zero while the
// amount is not zero.
func Split(amount Amount, weights []*big.Int) ([]Amount, error) {
	total := new(big.Int)
	for i, w := range weights {
		if w.Sign() < 0 {
			return nil, fmt.Errorf("weight %d is negative: %s", i, w)
		}
		total.Add(total, w)
	}
	shares := make([]Amount, len(weights))
	if amount.IsZero() {
		return shares, nil
	}
	if total.Sign() == 0 {
		return nil, fmt.Errorf("no weight to split %s over", amount)
	}
	if units, ok := amount.Units(); ok && total.IsUint64() {
		w := make([]uint64, len(weights))
		for i := range weights {
			w[i] = weights[i].Uint64()
		}
		splitSmall(units, w, total.Uint64(), shares)
		return shares, nil
	}
	splitBig(amount, weights, total, shares)
	return shares, nil
}

// SplitUint is Split for weights that are machine integers whose sum fits a
// uint64. It allocates nothing but its result.
func SplitUint(amount Amount, weights []uint64) ([]Amount, error) {
	var total uint64
	for _, w := range weights {
		s, carry := bits.Add64(total, w, 0)
		if carry != 0 {
			return Split(amount, bigWeights(weights))
		}
		total = s
	}
	units, ok := amount.Units()
	if !ok {
		return Split(amount, bigWeights(weights))
	}
	shares := make([]Amount, len(weights))
	if units == 0 {
		return shares, nil
	}
	if total == 0 {
		return nil, fmt.Errorf("no weight to split %s over", amount)
	}
	splitSmall(units, weights, total, shares)
	return shares, nil
}

func bigWeights(weights []uint64) []*big.Int {
	out := make([]*big.Int, len(weights))
	for i, w := range weights {
		out[i] = new(big.Int).SetUint64(w)
	}
	return out
}

func splitSmall(units int64, weights []uint64, total uint64, shares []Amount) {
	var s Splitter
	s.small(units, weights, total, shares)
}

// Splitter is SplitUint with reusable buffers. The zero value is ready; it is not safe for concurrent use.
type Splitter struct {
	packed []uint64
	rest   []remainder
}

// Split is SplitUint into shares, which has as many elements as weights. total is the sum of the weights.
func (s *Splitter) Split(amount Amount, weights []uint64, total uint64, shares []Amount) error {
	units, ok := amount.Units()
	switch {
	case !ok:
		all, err := Split(amount, bigWeights(weights))
		copy(shares, all)
		return err
	case units == 0:
		clear(shares)
		return nil
	case total == 0:
		return fmt.Errorf("no weight to split %s over", amount)
	}
	s.small(units, weights, total, shares)
	return nil
}

// A remainder and its index are packed into one word if both fit.
const (
	indexBits  = 10
	mostPacked = 1 << indexBits
)

func (s *Splitter) small(units int64, weights []uint64, total uint64, shares []Amount) {
	neg := units < 0
	abs := uint64(units)
	if neg {
		abs = -abs
	}
	if len(weights) <= mostPacked && total < 1<<(64-indexBits) {
		s.packedQuotas(abs, weights, total, shares)
	} else {
		s.quotas(abs, weights, total, shares)
	}
	if neg {
		for i := range shares {
			shares[i].units = -shares[i].units
		}
	}
}

// packedQuotas writes the shares of abs with the leftover units on the largest
// remainders.
func (s *Splitter) packedQuotas(abs uint64, weights []uint64, total uint64, shares []Amount) {
	rest := s.packed[:0]
	left := abs
	for i, w := range weights {
		hi, lo := bits.Mul64(abs, w)
		q, r := bits.Div64(hi, lo, total) // hi < total because w ≤ total
		shares[i] = Amount{units: int64(q)}
		left -= q
		if r != 0 {
			rest = append(rest, r<<indexBits|uint64(mostPacked-1-i)) // larger remainders, then smaller indexes, are larger
		}
	}
	s.packed = rest
	switch {
	case left == 0:
		return
	case left == uint64(len(rest)): // all of them
	case len(rest) <= 24:
		for i := 1; i < len(rest); i++ {
			v, k := rest[i], i
			for ; k > 0 && rest[k-1] < v; k-- {
				rest[k] = rest[k-1]
			}
			rest[k] = v
		}
	default:
		slices.SortFunc(rest, func(a, b uint64) int { return cmp.Compare(b, a) })
	}
	for _, v := range rest[:left] {
		shares[mostPacked-1-int(v%mostPacked)].units++
	}
}

// quotas is packedQuotas for weights of any size and number.
func (s *Splitter) quotas(abs uint64, weights []uint64, total uint64, shares []Amount) {
	rest := s.rest[:0]
	left := abs
	for i, w := range weights {
		hi, lo := bits.Mul64(abs, w)
		q, r := bits.Div64(hi, lo, total)
		shares[i] = Amount{units: int64(q)}
		left -= q
		if r != 0 {
			rest = append(rest, remainder{r, i})
		}
	}
	s.rest = rest
	slices.SortFunc(rest, func(a, b remainder) int {
		return cmp.Or(cmp.Compare(b.part, a.part), cmp.Compare(a.index, b.index))
	})
	for k := range left {
		shares[rest[k].index].units++
	}
}

type remainder struct {
	part  uint64
	index int
}

func splitBig(amount Amount, weights []*big.Int, total *big.Int, shares []Amount) {
	coef, scale := amount.Scaled()
	neg := coef.Sign() < 0
	coef.Abs(coef)
	units, dust := new(big.Int).QuoRem(coef, bigPow10(scale-Digits), new(big.Int))

	type rest struct {
		part  *big.Int
		index int
	}
	var rests []rest
	quotas := make([]*big.Int, len(weights))
	left := new(big.Int).Set(units)
	for i, w := range weights {
		q, r := new(big.Int).QuoRem(new(big.Int).Mul(units, w), total, new(big.Int))
		quotas[i] = q
		left.Sub(left, q)
		if r.Sign() != 0 {
			rests = append(rests, rest{r, i})
		}
	}
	slices.SortFunc(rests, func(a, b rest) int {
		return cmp.Or(b.part.Cmp(a.part), cmp.Compare(a.index, b.index))
	})
	for k := range left.Int64() { // fewer leftover units than weights
		q := quotas[rests[k].index]
		q.Add(q, big.NewInt(1))
	}
	largest := 0
	for i := range quotas {
		if quotas[i].Cmp(quotas[largest]) > 0 || weights[largest].Sign() == 0 && weights[i].Sign() > 0 {
			largest = i
		}
	}
	for i, q := range quotas {
		s := scale
		if i == largest && dust.Sign() != 0 {
			q = new(big.Int).Mul(q, bigPow10(scale-Digits))
			q.Add(q, dust)
		} else {
			s = Digits
		}
		if neg {
			q.Neg(q)
		}
		shares[i] = normal(q, s)
	}
}
