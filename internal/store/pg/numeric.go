package pg

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"gpuledger/internal/money"
)

// PostgreSQL's binary NUMERIC: digits of base 10,000 with the weight of the first one, a sign, and the number of
// decimals to show. An Amount's unit of 1e-12 is exactly three such digits.
const (
	numericNegative = 0x4000
	numericSpecial  = 0xC000 // NaN and infinities have both top bits set
	base            = 10_000
	unitDigits      = money.Digits / 4
)

// appendAmount appends a in binary NUMERIC form, in the shortest exact way.
func appendAmount(buf []byte, a money.Amount) []byte {
	units, ok := a.Units()
	if !ok {
		coef, scale := a.Scaled()
		return appendBig(buf, coef, scale)
	}
	var sign uint16
	abs := uint64(units)
	if units < 0 {
		sign, abs = numericNegative, -abs
	}
	var digits [5]uint16 // 19 decimal digits at most
	n := len(digits)
	for abs > 0 {
		n--
		digits[n] = uint16(abs % base)
		abs /= base
	}
	return appendNumeric(buf, digits[n:], len(digits)-n-unitDigits-1, sign)
}

// appendBig appends coef × 10^-scale. It takes ownership of coef.
func appendBig(buf []byte, coef *big.Int, scale int) []byte {
	var sign uint16
	if coef.Sign() < 0 {
		sign = numericNegative
		coef.Neg(coef)
	}
	if rest := scale % 4; rest != 0 {
		coef.Mul(coef, [...]*big.Int{1: big.NewInt(1000), 2: big.NewInt(100), 3: big.NewInt(10)}[rest])
		scale += 4 - rest
	}
	var digits []uint16
	for rest, b := new(big.Int), big.NewInt(base); coef.Sign() != 0; {
		coef.QuoRem(coef, b, rest)
		digits = append(digits, uint16(rest.Uint64()))
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	return appendNumeric(buf, digits, len(digits)-scale/4-1, sign)
}

// appendNumeric appends digits, most significant first, without zeros at either end. It shows only as many decimals as
// needed.
func appendNumeric(buf []byte, digits []uint16, weight int, sign uint16) []byte {
	for len(digits) > 0 && digits[0] == 0 {
		digits = digits[1:]
		weight--
	}
	for len(digits) > 0 && digits[len(digits)-1] == 0 {
		digits = digits[:len(digits)-1]
	}
	decimals := 0
	if n := len(digits); n == 0 {
		weight, sign = 0, 0
	} else if places := 4 * (n - 1 - weight); places > 0 {
		for last := digits[n-1]; last%10 == 0; last /= 10 {
			places--
		}
		decimals = places
	}
	buf = binary.BigEndian.AppendUint16(buf, uint16(len(digits)))
	buf = binary.BigEndian.AppendUint16(buf, uint16(weight))
	buf = binary.BigEndian.AppendUint16(buf, sign)
	buf = binary.BigEndian.AppendUint16(buf, uint16(decimals))
	for _, d := range digits {
		buf = binary.BigEndian.AppendUint16(buf, d)
	}
	return buf
}

// ParseNumeric reads binary NUMERIC. NaN and infinities are errors.
func ParseNumeric(src []byte) (money.Amount, error) {
	if len(src) < 8 {
		return money.Amount{}, fmt.Errorf("a numeric of %d bytes is too short", len(src))
	}
	n := int(binary.BigEndian.Uint16(src))
	weight := int(int16(binary.BigEndian.Uint16(src[2:])))
	sign := binary.BigEndian.Uint16(src[4:])
	if sign&numericSpecial == numericSpecial {
		return money.Amount{}, fmt.Errorf("a numeric is NaN or infinite: an amount must be a number")
	}
	if src = src[8:]; len(src) != 2*n {
		return money.Amount{}, fmt.Errorf("a numeric of %d digits has %d bytes", n, len(src))
	}
	if last := weight - (n - 1); n == 0 || last >= -unitDigits {
		// All digits are at or above 1e-12: try machine integers.
		if units, ok := parseUnits(src, n, last+unitDigits); ok {
			if sign == numericNegative {
				units = -units
			}
			return money.FromUnits(units), nil
		}
	}
	coef, b := new(big.Int), big.NewInt(base)
	for i := range n {
		coef.Mul(coef, b)
		coef.Add(coef, big.NewInt(int64(binary.BigEndian.Uint16(src[2*i:]))))
	}
	if sign == numericNegative {
		coef.Neg(coef)
	}
	return money.Parse(coef.String() + "E" + strconv.Itoa(4*(weight-n+1)))
}

// parseUnits reads n digits followed by shift zero digits.
func parseUnits(src []byte, n, shift int) (int64, bool) {
	var v uint64
	for i := range n + shift {
		hi, lo := bits.Mul64(v, base)
		if hi != 0 {
			return 0, false
		}
		v = lo
		if i < n {
			d := uint64(binary.BigEndian.Uint16(src[2*i:]))
			if v += d; v < d {
				return 0, false
			}
		}
		if v == 0 && i >= n {
			break
		}
	}
	return int64(v), v <= math.MaxInt64
}
