package split

import (
	"math/big"
	"math/bits"

	"gpuledger/internal/money"
)

// Weights are sums brought to one denominator, ready to divide amounts by.
type Weights struct {
	small  []uint64   // nil when they or their sum exceed 64 bits
	large  []*big.Int // set instead of small
	common *big.Int   // the denominator
}

// NewWeights brings the sums to their common denominator.
func NewWeights(sums []*Sum) Weights {
	if w, common, ok := smallWeights(sums); ok {
		return Weights{small: w, common: new(big.Int).SetUint64(common)}
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
	return Weights{large: large, common: common}
}

func smallWeights(sums []*Sum) (weights []uint64, common uint64, ok bool) {
	common = 1
	for _, s := range sums {
		for t := range s.terms {
			if t.den == common {
				continue
			}
			if common, ok = lcm(common, t.den); !ok {
				return nil, 0, false
			}
		}
	}
	weights = make([]uint64, len(sums))
	total := uint64(0)
	for i, s := range sums {
		for t := range s.terms {
			hi, v := bits.Mul64(t.lo, common/t.den)
			sum, c1 := bits.Add64(weights[i], v, 0)
			all, c2 := bits.Add64(total, v, 0)
			if t.hi != 0 || hi != 0 || c1 != 0 || c2 != 0 {
				return nil, 0, false
			}
			weights[i], total = sum, all
		}
	}
	return weights, common, true
}

// AddUpTo reports whether the weights add up to exactly total.
func (w Weights) AddUpTo(total uint64) bool {
	sum := new(big.Int)
	for _, v := range w.large {
		sum.Add(sum, v)
	}
	small := uint64(0)
	for _, v := range w.small {
		small += v // NewWeights made sure that it fits
	}
	sum.Add(sum, new(big.Int).SetUint64(small))
	return sum.Cmp(new(big.Int).Mul(w.common, new(big.Int).SetUint64(total))) == 0
}

// Split divides the amount by largest remainder in units of 1e-12 (rule 8.3);
// see money.Split for what is guaranteed and refused.
func (w Weights) Split(amount money.Amount) ([]money.Amount, error) {
	if w.large != nil {
		return money.Split(amount, w.large)
	}
	return money.SplitUint(amount, w.small)
}

// Quantity returns total × num / den in units of 1e-12, rounded half up: a
// quantity that is measured once and then split. den must not be 0.
func Quantity(total, num, den uint64) money.Amount {
	var s Sum
	s.Add(One, total)
	return s.Units(num, den)
}
