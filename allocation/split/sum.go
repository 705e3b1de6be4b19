package split

import (
	"math/big"
	"math/bits"

	"gpuledger/internal/money"
)

// Sum is Σ value × fraction, kept exactly: one 128-bit total per denominator.
// The zero value is 0.
type Sum struct {
	first term
	more  []term // further denominators, in the order of their first use
}

type term struct{ den, hi, lo uint64 }

// Add adds value × f.
func (s *Sum) Add(f Fraction, value uint64) {
	if f.Num == 0 || value == 0 {
		return
	}
	hi, lo := bits.Mul64(f.Num, value)
	s.add(f.Den, hi, lo)
}

// add adds (hi, lo) / den.
func (s *Sum) add(den, hi, lo uint64) {
	t := &s.first
	if t.den != den && t.den != 0 {
		t = nil
		for i := range s.more {
			if s.more[i].den == den {
				t = &s.more[i]
			}
		}
		if t == nil {
			s.more = append(s.more, term{})
			t = &s.more[len(s.more)-1]
		}
	}
	t.den = den
	var carry uint64
	t.lo, carry = bits.Add64(t.lo, lo, 0)
	t.hi, _ = bits.Add64(t.hi, hi, carry)
}

func (s *Sum) terms(yield func(term) bool) {
	if s.first.den == 0 || !yield(s.first) {
		return
	}
	for _, t := range s.more {
		if !yield(t) {
			return
		}
	}
}

func (t term) total() *big.Int {
	v := new(big.Int).SetUint64(t.hi)
	return v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(t.lo))
}

// Rat returns the sum.
func (s *Sum) Rat() *big.Rat {
	if s.first.hi == 0 && len(s.more) == 0 {
		return new(big.Rat).SetFrac(new(big.Int).SetUint64(s.first.lo), new(big.Int).SetUint64(max(s.first.den, 1)))
	}
	r := new(big.Rat)
	for t := range s.terms {
		r.Add(r, new(big.Rat).SetFrac(t.total(), new(big.Int).SetUint64(t.den)))
	}
	return r
}

// SetRat sets r to the sum, using word as storage if one word is enough: many sums can be written into storage that is
// allocated once. r and word must be new.
func (s *Sum) SetRat(r *big.Rat, word []big.Word) {
	if den := max(s.first.den, 1); s.first.hi == 0 && len(s.more) == 0 && s.first.lo%den == 0 {
		word[0] = big.Word(s.first.lo / den)
		r.Num().SetBits(word[:1:1])
		return
	}
	r.Set(s.Rat())
}

// Units returns the sum × num / den in units of 1e-12, rounded half up once.
// den must not be 0.
func (s *Sum) Units(num, den uint64) money.Amount {
	if s.first.hi == 0 && len(s.more) == 0 {
		if units, ok := ratio(s.first.lo, num, max(s.first.den, 1), den); ok {
			return money.FromUnits(units)
		}
	}
	r := s.Rat()
	r.Mul(r, new(big.Rat).SetFrac(new(big.Int).SetUint64(num), new(big.Int).SetUint64(den)))
	twice := new(big.Int).Lsh(r.Num(), 1)
	twice.Add(twice, r.Denom())
	return money.FromBigUnits(twice.Quo(twice, new(big.Int).Lsh(r.Denom(), 1)))
}

// ratio is value × num / (a × b), rounded half up; false if machine integers overflow.
func ratio(value, num, a, b uint64) (int64, bool) {
	hi, lo := bits.Mul64(value, num)
	dh, den := bits.Mul64(a, b)
	if dh != 0 || hi >= den {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, den)
	if r >= den-r {
		q++
	}
	return int64(q), q <= 1<<62
}
