package series

// DecimalOfInt is a whole number, exactly.
func DecimalOfInt(i int64) Decimal {
	if i < 0 {
		return Decimal{mant: -uint64(i), neg: true}
	}
	return Decimal{mant: uint64(i)}
}
