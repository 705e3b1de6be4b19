package split

import "math/bits"

// AddScaled adds o × f. It returns ErrTooFine, with a part of o added, if a denominator or a total is too large for a
// Sum.
func (s *Sum) AddScaled(o *Sum, f Fraction) error {
	for t := range o.terms {
		den, ok := product(t.den, f.Den)
		hh, hl := bits.Mul64(t.hi, f.Num)
		lh, ll := bits.Mul64(t.lo, f.Num)
		hi, carry := bits.Add64(hl, lh, 0)
		if !ok || hh != 0 || carry != 0 {
			return ErrTooFine
		}
		s.add(den, hi, ll)
	}
	return nil
}

// product returns a × b and whether it fits.
func product(a, b uint64) (uint64, bool) {
	hi, lo := bits.Mul64(a, b)
	return lo, hi == 0
}
