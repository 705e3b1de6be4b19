package series

import (
	"math"
	"math/bits"
	"strconv"
)

// Scale returns d × factor × 10^shift; false if it does not fit.
func (d Decimal) Scale(factor uint64, shift int32) (Decimal, bool) {
	hi, lo := bits.Mul64(d.mant, factor)
	if d.kind != finite || hi != 0 {
		return d, d.kind != finite
	}
	d.mant = lo
	if lo != 0 {
		d.exp += shift
	}
	return d, true
}

// Float is the nearest float64, for protocols that carry floats.
func (d Decimal) Float() float64 {
	switch d.kind {
	case nan:
		return math.NaN()
	case infinite:
		if d.neg {
			return math.Inf(-1)
		}
		return math.Inf(1)
	default:
	}
	f, err := strconv.ParseFloat(d.String(), 64)
	if err != nil {
		return math.Inf(1) // beyond the range, as IEEE rounds
	}
	return f
}

// String writes the number so that ParseDecimal reads it.
func (d Decimal) String() string {
	switch d.kind {
	case nan:
		return "NaN"
	case infinite:
		if d.neg {
			return "-Inf"
		}
		return "+Inf"
	default:
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	text := sign + strconv.FormatUint(d.mant, 10)
	if d.exp != 0 {
		text += "e" + strconv.FormatInt(int64(d.exp), 10)
	}
	return text
}

// Finite reports whether the number is neither NaN nor infinite.
func (d Decimal) Finite() bool { return d.kind == finite }
