package main

import (
	"math/big"

	"gpuledger/metrics"
)

// number is a value as Prometheus keeps it, the nearest double; false if unknown. A time is seconds since 1970.
func number(v metrics.Value) (float64, bool) {
	switch {
	case !v.Valid:
		return 0, false
	case !v.Time.IsZero():
		return float64(v.Time.UnixMilli()) / 1000, true
	case v.Text == "":
		return float64(v.Int), true
	}
	r, ok := new(big.Rat).SetString(v.Text)
	if !ok {
		return 0, false
	}
	f, _ := r.Float64()
	return f, true
}
