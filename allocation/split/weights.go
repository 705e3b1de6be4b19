package split

import (
	"math/big"
	"math/bits"

	"gpuledger/internal/money"
)

// Weights are sums with a common denominator, ready to divide amounts by.
type Weights struct {
	small  []uint64 // nil when they or their sum exceed 64 bits
	common uint64   // the denominator
	total  uint64   // of small

	large       []*big.Int // set instead of small
	largeCommon *big.Int
}

// NewWeights brings the sums to their common denominator.
func NewWeights(sums []*Sum) *Weights {
	w := new(Weights)
	w.Take(sums)
	return w
}

// Take is NewWeights in w's buffers: the earlier content of w is overwritten.
func (w *Weights) Take(sums []*Sum) {
	w.large = nil
	if w.takeSmall(sums) {
		return
	}
	common := big.NewInt(1)
	for _, s := range sums {
		for t := range s.terms {
			den := new(big.Int).SetUint64(t.den)
			g := new(big.Int).GCD(nil, nil, common, den)
			common = new(big.Int).Mul(common, den.Quo(den, g))
		}
	}
	large := make([]*big.Int, len(sums))
	for i, s := range sums {
		large[i] = new(big.Int)
		for t := range s.terms {
			part := new(big.Int).Quo(common, new(big.Int).SetUint64(t.den))
			large[i].Add(large[i], part.Mul(part, t.total()))
		}
	}
	w.large, w.largeCommon = large, common
}

// TakeRats is Take for weights that are rationals already.
func (w *Weights) TakeRats(weights []*big.Rat) {
	common := big.NewInt(1)
	for _, r := range weights {
		g := new(big.Int).GCD(nil, nil, common, r.Denom())
		common.Mul(common, g.Quo(r.Denom(), g))
	}
	w.small, w.largeCommon, w.large = nil, common, make([]*big.Int, len(weights))
	for i, r := range weights {
		w.large[i] = new(big.Int).Mul(r.Num(), new(big.Int).Quo(common, r.Denom()))
	}
}

// takeSmall is Take in machine integers, false if they overflow.
func (w *Weights) takeSmall(sums []*Sum) bool {
	w.common, w.total, w.small = 1, 0, w.small[:0]
	for _, s := range sums {
		ok := w.include(&s.first)
		for i := range s.more {
			ok = ok && w.include(&s.more[i])
		}
		if !ok {
			return false
		}
	}
	for _, s := range sums {
		weight, ok := w.add(0, &s.first)
		for i := range s.more {
			more := false
			weight, more = w.add(weight, &s.more[i])
			ok = ok && more
		}
		if !ok {
			return false
		}
		w.small = append(w.small, weight)
	}
	return true
}

// include extends the common denominator by t's.
func (w *Weights) include(t *term) (ok bool) {
	if t.den == w.common || t.den == 0 {
		return true
	}
	w.common, ok = lcm(w.common, t.den)
	return ok
}

// add adds t to a weight and to the total.
func (w *Weights) add(weight uint64, t *term) (uint64, bool) {
	if t.den == 0 {
		return weight, true
	}
	hi, v := t.hi, t.lo
	if t.den != w.common {
		hi, v = bits.Mul64(t.lo, w.common/t.den)
		hi |= t.hi
	}
	sum, c1 := bits.Add64(weight, v, 0)
	all, c2 := bits.Add64(w.total, v, 0)
	w.total = all
	return sum, hi|c1|c2 == 0
}

// AddUpTo reports whether the weights add up to exactly total.
func (w *Weights) AddUpTo(total uint64) bool {
	if w.large == nil {
		hi, lo := bits.Mul64(w.common, total)
		return hi == 0 && lo == w.total
	}
	sum := new(big.Int)
	for _, v := range w.large {
		sum.Add(sum, v)
	}
	return sum.Cmp(new(big.Int).Mul(w.largeCommon, new(big.Int).SetUint64(total))) == 0
}

// Split divides the amount by largest remainder in units of 1e-12 (rule 8.3); see money.Split for guarantees and
// errors.
func (w *Weights) Split(amount money.Amount) ([]money.Amount, error) {
	if w.large != nil {
		return money.Split(amount, w.large)
	}
	return money.SplitUint(amount, w.small)
}

// SplitInto is Split into shares, which must have as many elements as there are sums.
func (w *Weights) SplitInto(shares []money.Amount, amount money.Amount, by *money.Splitter) error {
	if w.large != nil {
		all, err := money.Split(amount, w.large)
		copy(shares, all)
		return err
	}
	return by.Split(amount, w.small, w.total, shares)
}

// Quantity returns total × num / den in units of 1e-12, rounded half up: a quantity that is measured once and then
// split. den must not be 0.
func Quantity(total, num, den uint64) money.Amount {
	var s Sum
	s.Add(One, total)
	return s.Units(num, den)
}
