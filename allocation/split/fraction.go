package split

import (
	"errors"
	"math/bits"
)

// ErrTooFine means that a fraction needs a denominator beyond 64 bits; no real card, replica count or number of holders
// leads to one.
var ErrTooFine = errors.New("shares are too fine to be represented exactly in 64 bits")

// Fraction is a rational ≥ 0 in lowest terms; Den is never 0.
type Fraction struct{ Num, Den uint64 }

// One is the whole.
var One = Fraction{1, 1}

// NewFraction returns num/den in lowest terms. den must not be 0.
func NewFraction(num, den uint64) Fraction {
	g := gcd(num, den)
	return Fraction{num / g, den / g}
}

// IsZero reports whether the fraction is 0.
func (f Fraction) IsZero() bool { return f.Num == 0 }

// Mul returns f × o.
func (f Fraction) Mul(o Fraction) (Fraction, error) {
	if o == One {
		return f, nil
	}
	a, b := gcd(f.Num, o.Den), gcd(o.Num, f.Den)
	hn, num := bits.Mul64(f.Num/a, o.Num/b)
	hd, den := bits.Mul64(f.Den/b, o.Den/a)
	if hn != 0 || hd != 0 {
		return Fraction{}, ErrTooFine
	}
	return NewFraction(num, den), nil
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

// lcm returns the least common multiple and whether it fits.
func lcm(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a/gcd(a, b), b)
	return lo, hi == 0
}

// Shares turns each holder's claim on a device into the share that it holds: the claim itself or, if the claims add up
// to more than the whole, the claim divided by their sum (rule 4.5). rest is the unclaimed share.
func Shares(claims []Fraction) (shares []Fraction, rest Fraction, err error) {
	common := uint64(1)
	for _, c := range claims {
		var ok bool
		if common, ok = lcm(common, c.Den); !ok {
			return nil, Fraction{}, ErrTooFine
		}
	}
	total := uint64(0)
	for _, c := range claims {
		hi, n := bits.Mul64(c.Num, common/c.Den)
		sum, carry := bits.Add64(total, n, 0)
		if hi != 0 || carry != 0 {
			return nil, Fraction{}, ErrTooFine
		}
		total = sum
	}
	whole := max(common, total)
	shares = make([]Fraction, len(claims))
	for i, c := range claims {
		shares[i] = NewFraction(c.Num*(common/c.Den), whole)
	}
	return shares, NewFraction(whole-total, whole), nil
}
