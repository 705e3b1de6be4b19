package series

import (
	"math"
	"math/bits"
	"strconv"
)

// Decimal is a number as written: ±mant × 10^exp.
type Decimal struct {
	mant uint64
	exp  int32
	neg  bool
	kind kind
}

type kind uint8

const (
	finite kind = iota
	nan
	infinite
)

// IsZero reports a value of exactly 0.
func (d Decimal) IsZero() bool { return d.kind == finite && d.mant == 0 }

var pow10 = [20]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// maxDigits is how many significant digits are kept. The rest is cut off, which does not affect
// the scaled integers.
const maxDigits = 19

// ParseDecimal reads a number at the start of b and returns how many bytes it took, 0 if there
// is none. Accepted: plain decimals, exponents, NaN, ±Inf.
func ParseDecimal(b []byte) (d Decimal, n int) {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		d.neg = b[0] == '-'
		i = 1
	}
	start := i
	var mant uint64
	for i < len(b) && b[i]-'0' <= 9 {
		mant = mant*10 + uint64(b[i]-'0')
		i++
	}
	digits := i - start
	if i < len(b) && b[i] == '.' {
		dot := i
		i++
		for i < len(b) && b[i]-'0' <= 9 {
			mant = mant*10 + uint64(b[i]-'0')
			i++
		}
		frac := i - dot - 1
		digits += frac
		d.exp = -int32(min(frac, 1<<20))
	}
	if digits == 0 {
		return parseSpecial(b, start, d.neg)
	}
	if digits > maxDigits {
		mant, d.exp = longMantissa(b[start:i])
	}
	d.mant = mant
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		e, m := parseExponent(b[i+1:])
		if m == 0 {
			return Decimal{}, 0
		}
		d.exp += e
		i += 1 + m
	}
	return d, i
}

// parseExponent reads ±digits, clamped to a range far beyond any use.
func parseExponent(b []byte) (e int32, n int) {
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		n = 1
	}
	start := n
	for n < len(b) && b[n]-'0' <= 9 {
		e = min(e*10+int32(b[n]-'0'), 1<<20)
		n++
	}
	if n == start {
		return 0, 0
	}
	if neg {
		e = -e
	}
	return e, n
}

// longMantissa reads digits with an optional point, keeping maxDigits.
func longMantissa(b []byte) (mant uint64, exp int32) {
	kept, point := 0, false
	for _, c := range b {
		switch {
		case c == '.':
			point = true
		case kept < maxDigits:
			mant = mant*10 + uint64(c-'0')
			if mant > 0 {
				kept++
			}
			if point {
				exp--
			}
		case !point:
			exp++
		}
	}
	return mant, exp
}

func parseSpecial(b []byte, start int, neg bool) (Decimal, int) {
	rest := b[start:]
	word := func(w string) bool {
		if len(rest) < len(w) {
			return false
		}
		for i := range len(w) {
			if rest[i]|0x20 != w[i] {
				return false
			}
		}
		return true
	}
	switch {
	case word("nan"):
		return Decimal{kind: nan}, start + 3
	case word("infinity"):
		return Decimal{kind: infinite, neg: neg}, start + 8
	case word("inf"):
		return Decimal{kind: infinite, neg: neg}, start + 3
	}
	return Decimal{}, 0
}

// scaled returns d × mul rounded half up to an integer; false if it does not fit 63 bits. d
// must be finite.
func (d Decimal) scaled(mul uint64) (int64, bool) {
	mant, exp := d.mant, d.exp
	if mant == 0 {
		return 0, true
	}
	if exp < -maxDigits {
		drop := -exp - maxDigits
		if drop > maxDigits {
			return 0, true
		}
		mant /= pow10[drop]
		exp = -maxDigits
	}
	hi, lo := bits.Mul64(mant, mul)
	var u uint64
	if exp < 0 {
		div := pow10[-exp]
		if hi >= div {
			return 0, false
		}
		q, r := bits.Div64(hi, lo, div)
		// Half up: away from zero for positive, towards zero for negative ties.
		if left := div - r; r > left || r == left && !d.neg {
			q++
		}
		u = q
	} else {
		if hi != 0 || exp > maxDigits {
			return 0, false
		}
		hi, u = bits.Mul64(lo, pow10[exp])
		if hi != 0 {
			return 0, false
		}
	}
	if u > 1<<63-1 {
		return 0, false
	}
	if d.neg {
		return -int64(u), true
	}
	return int64(u), true
}

// floor returns d rounded down to whole units of 10^-digits, for d ≥ 0.
func (d Decimal) floor(digits int32) (int64, bool) {
	exp := d.exp + digits
	if d.neg && d.mant != 0 {
		return 0, false
	}
	switch {
	case d.mant == 0 || exp < -maxDigits:
		return 0, true
	case exp < 0:
		q := d.mant / pow10[-exp]
		return int64(q), q <= 1<<63-1
	case exp > maxDigits:
		return 0, false
	}
	hi, u := bits.Mul64(d.mant, pow10[exp])
	return int64(u), hi == 0 && u <= 1<<63-1
}

// millisFrom is the smallest whole number that is read as milliseconds: as seconds it is the
// year 5138, as milliseconds 1973.
const millisFrom = 100_000_000_000

// Millis reads a timestamp in seconds or milliseconds. ok is false if it is not a point in
// time.
func (d Decimal) Millis() (ms int64, seconds, ok bool) {
	if d.kind != finite {
		return 0, false, false
	}
	whole, ok := d.floor(0)
	if !ok {
		return 0, false, false
	}
	if whole >= millisFrom {
		return whole, false, true
	}
	ms, ok = d.floor(3)
	return ms, true, ok
}

// DecimalOf is the shortest decimal that parses as f.
func DecimalOf(f float64) Decimal {
	a := math.Abs(f)
	if a < 1<<53 && f == math.Trunc(f) {
		return Decimal{mant: uint64(a), neg: f < 0}
	}
	// Of decimals with at most 15 digits, only one parses as f, and a quotient of exact numbers is
	// rounded as parsing does: the numbers of exporters with up to six decimal places need no
	// search.
	if a < 1e9 {
		if m := math.RoundToEven(a * 1e6); m/1e6 == a {
			return Decimal{mant: uint64(m), exp: -6, neg: f < 0}
		}
	}
	var room [32]byte
	d, _ := ParseDecimal(strconv.AppendFloat(room[:0], f, 'g', -1, 64))
	return d
}
