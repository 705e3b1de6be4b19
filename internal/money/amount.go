package money

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

const (
	// Digits is the number of decimal places of one ledger unit.
	Digits = 12
	// UnitsPerOne is how many ledger units make 1 of the currency.
	UnitsPerOne = 1_000_000_000_000

	maxDigits   = 120 // longest coefficient accepted from outside
	maxExponent = 100 // widest exponent accepted from outside
)

// Amount is an exact, immutable decimal amount of one currency. The zero value
// is zero. Two Amounts are equal exactly when Cmp returns 0.
type Amount struct {
	units int64 // value in 1e-12 while ext is nil
	ext   *ext  // set only when units cannot hold the value
}

// ext is coef × 10^-scale with scale ≥ Digits.
type ext struct {
	coef  *big.Int
	scale int
}

// FromUnits returns units × 1e-12.
func FromUnits(units int64) Amount {
	if units == math.MinInt64 { // its negative does not fit
		return normal(big.NewInt(units), Digits)
	}
	return Amount{units: units}
}

// FromBigUnits returns units × 1e-12 for any size of units.
func FromBigUnits(units *big.Int) Amount { return normal(new(big.Int).Set(units), Digits) }

// Parse reads a plain decimal: optional sign, digits, optional fraction,
// optional exponent ("-0.02", "2.63E-8", "0E-11"). It refuses an empty text,
// NaN, infinities, hexadecimal, underscores and blanks.
func Parse(text string) (Amount, error) {
	if a, ok := parseShort(text); ok {
		return a, nil
	}
	return parseLong(text)
}

// MustParse is Parse for constants in code and tests; it panics on bad text.
func MustParse(text string) Amount {
	a, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return a
}

// FromFloat reads a provider's binary float through its shortest decimal text
// that round-trips, which is the number the provider meant. It refuses NaN and
// infinities.
func FromFloat(f float64) (Amount, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Amount{}, fmt.Errorf("not an amount of money: %v", f)
	}
	if a, ok := shortFloat(f); ok {
		return a, nil
	}
	return Parse(strconv.FormatFloat(f, 'f', -1, 64))
}

// shortFloat finds the decimal of a float of at most 15 digits, 12 of them after the point, without formatting it: the
// nearest whole number of units is the one that divides back to f. Different decimals of up to 15 digits have different
// floats, so no other short one does; and a quotient of two whole numbers that floats hold exactly is rounded the same
// way as parsing the decimal.
func shortFloat(f float64) (Amount, bool) {
	const exact = 1e15 // floats hold all whole numbers up to here
	scaled := math.RoundToEven(f * UnitsPerOne)
	if math.Abs(scaled) < exact && scaled/UnitsPerOne == f {
		return Amount{units: int64(scaled)}, true
	}
	const coarse = 10_000 // larger amounts, with four decimals
	scaled = math.RoundToEven(f * coarse)
	if math.Abs(f) < math.MaxInt64/UnitsPerOne && scaled/coarse == f {
		return Amount{units: int64(scaled) * (UnitsPerOne / coarse)}, true
	}
	return Amount{}, false
}

// parseShort handles plain digits with at most 12 decimals that fit an int64.
func parseShort(s string) (Amount, bool) {
	i, neg := 0, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	var v uint64
	digits, frac, seenDot := 0, 0, false
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			if digits >= 18 {
				return Amount{}, false
			}
			v = v*10 + uint64(c-'0')
			if v > 0 {
				digits++
			}
			if seenDot {
				frac++
			}
		case c == '.' && !seenDot:
			seenDot = true
		default:
			return Amount{}, false
		}
	}
	if frac > Digits || (digits == 0 && len(strings.Trim(s, "+-.")) == 0) {
		return Amount{}, false
	}
	hi, lo := bits.Mul64(v, pow10(Digits-frac))
	if hi != 0 || lo > math.MaxInt64 {
		return Amount{}, false
	}
	u := int64(lo)
	if neg {
		u = -u
	}
	return Amount{units: u}, true
}

func pow10(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

func parseLong(text string) (Amount, error) {
	bad := func(why string) (Amount, error) {
		return Amount{}, fmt.Errorf("%q is not an amount of money: %s", clip(text), why)
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		if err != nil || e > maxExponent || e < -maxExponent {
			return bad("exponent out of range")
		}
		mantissa, exponent = text[:i], e
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") || strings.HasPrefix(mantissa, "+") {
		sign, mantissa = mantissa[:1], mantissa[1:]
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits := whole + frac
	switch {
	case digits == "":
		return bad("no digits")
	case len(digits) > maxDigits:
		return bad("too many digits")
	case strings.Trim(digits, "0123456789") != "":
		return bad("only digits, a sign, a point and an exponent are allowed")
	}
	coef, ok := new(big.Int).SetString(strings.TrimPrefix(sign, "+")+digits, 10)
	if !ok {
		return bad("only digits, a sign, a point and an exponent are allowed")
	}
	scale := len(frac) - exponent
	if scale < Digits {
		coef.Mul(coef, bigPow10(Digits-scale))
		scale = Digits
	}
	return normal(coef, scale), nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

var bigTen = big.NewInt(10)

func bigPow10(n int) *big.Int { return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil) }

// normal takes ownership of coef and returns the canonical Amount.
func normal(coef *big.Int, scale int) Amount {
	q, r := new(big.Int), new(big.Int)
	for scale > Digits {
		if q.QuoRem(coef, bigTen, r); r.Sign() != 0 {
			break
		}
		coef, q = q, coef
		scale--
	}
	if scale == Digits && coef.IsInt64() && coef.Int64() != math.MinInt64 {
		return Amount{units: coef.Int64()}
	}
	return Amount{ext: &ext{coef: coef, scale: scale}}
}

// Units returns the amount in whole units of 1e-12 if it is exactly that and fits an int64.
func (a Amount) Units() (int64, bool) { return a.units, a.ext == nil }

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int {
	if a.ext != nil {
		return a.ext.coef.Sign()
	}
	switch {
	case a.units < 0:
		return -1
	case a.units > 0:
		return 1
	}
	return 0
}

// IsZero reports whether the amount is exactly zero.
func (a Amount) IsZero() bool { return a.Sign() == 0 }

// Neg returns −a.
func (a Amount) Neg() Amount {
	if a.ext != nil {
		return normal(new(big.Int).Neg(a.ext.coef), a.ext.scale)
	}
	return Amount{units: -a.units}
}

// Add returns a + b.
func (a Amount) Add(b Amount) Amount {
	if a.ext == nil && b.ext == nil {
		s := a.units + b.units
		if (s > a.units) == (b.units > 0) && s != math.MinInt64 {
			return Amount{units: s}
		}
	}
	ac, as := a.Scaled()
	bc, bs := b.Scaled()
	switch {
	case as < bs:
		ac.Mul(ac, bigPow10(bs-as))
		as = bs
	case bs < as:
		bc.Mul(bc, bigPow10(as-bs))
	}
	return normal(ac.Add(ac, bc), as)
}

// Sub returns a − b.
func (a Amount) Sub(b Amount) Amount { return a.Add(b.Neg()) }

// Cmp returns -1, 0 or 1 as a is less than, equal to or greater than b.
func (a Amount) Cmp(b Amount) int { return a.Sub(b).Sign() }

// Scaled returns a fresh coefficient and a scale ≥ 12 with a = coef × 10^-scale.
func (a Amount) Scaled() (coef *big.Int, scale int) {
	if a.ext != nil {
		return new(big.Int).Set(a.ext.coef), a.ext.scale
	}
	return big.NewInt(a.units), Digits
}

// Rat returns the exact value as a rational.
func (a Amount) Rat() *big.Rat {
	coef, scale := a.Scaled()
	return new(big.Rat).SetFrac(coef, bigPow10(scale))
}

// FromRat is an exact amount rounded half up once: only for amounts that are not part of a sum.
func FromRat(r *big.Rat) Amount { return MustParse("1").MulRat(r) }

// MulRat returns a × r rounded half away from zero to whole units of 1e-12: used where a rate becomes an amount, which
// is a separate rounding step.
func (a Amount) MulRat(r *big.Rat) Amount {
	v := new(big.Rat).Mul(a.Rat(), r)
	v.Mul(v, new(big.Rat).SetInt64(UnitsPerOne))
	num, den := new(big.Int).Abs(v.Num()), v.Denom()
	num.Lsh(num, 1).Add(num, den)
	q := num.Quo(num, new(big.Int).Lsh(den, 1))
	if v.Sign() < 0 {
		q.Neg(q)
	}
	return normal(q, Digits)
}

// Mul returns a × b, exactly: such as an amount at an exchange rate.
func (a Amount) Mul(b Amount) Amount {
	x, n := a.Scaled()
	y, m := b.Scaled()
	return normal(new(big.Int).Mul(x, y), n+m)
}

// String returns the exact value in plain decimal notation without an
// exponent and without trailing zeros ("0", "-0.02", "32.77").
func (a Amount) String() string {
	var room [32]byte
	return string(a.Append(room[:0]))
}

// Append appends the text of String.
func (a Amount) Append(buf []byte) []byte {
	if a.ext != nil {
		return append(buf, a.ext.String()...)
	}
	abs := uint64(a.units)
	if a.units < 0 {
		buf = append(buf, '-')
		abs = -abs
	}
	buf = strconv.AppendUint(buf, abs/UnitsPerOne, 10)
	frac, n := abs%UnitsPerOne, Digits
	if frac == 0 {
		return buf
	}
	for ; frac%10 == 0; frac /= 10 {
		n--
	}
	buf = append(buf, ".000000000000"[:1+n]...)
	for i := len(buf) - 1; frac > 0; i-- {
		buf[i] = '0' + byte(frac%10)
		frac /= 10
	}
	return buf
}

func (e *ext) String() string {
	coef := new(big.Int).Set(e.coef)
	neg := coef.Sign() < 0
	s := coef.Abs(coef).String()
	if len(s) <= e.scale {
		s = strings.Repeat("0", e.scale-len(s)+1) + s
	}
	s = strings.TrimRight(s[:len(s)-e.scale]+"."+s[len(s)-e.scale:], "0")
	s = strings.TrimSuffix(s, ".")
	if neg {
		return "-" + s
	}
	return s
}

// MarshalText makes an Amount a string in JSON.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText is Parse.
func (a *Amount) UnmarshalText(text []byte) error {
	v, err := Parse(string(text))
	if err != nil {
		return err
	}
	*a = v
	return nil
}

// Sum adds amounts.
func Sum(amounts ...Amount) Amount {
	var t Amount
	for _, a := range amounts {
		t = t.Add(a)
	}
	return t
}
