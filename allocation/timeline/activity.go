package timeline

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Activity is the activity of a slice per minute of a grid.
type Activity struct {
	grid Grid
	ppm  []int32 // unknown or 0..1,000,000
	sum  []int64 // Σ ppm × 60 of the known minutes before m
}

func newActivity(g Grid, ppm []int32) *Activity {
	a := &Activity{g, ppm, make([]int64, len(ppm)+1)}
	for m, v := range ppm {
		a.sum[m+1] = a.sum[m] + int64(max(v, 0))*period.Minute
	}
	return a
}

// Class says what minute m shows: active at or above the threshold in ppm,
// idle below, unknown without a sample (rule 5.2).
func (a *Activity) Class(m int, threshold int64) ledger.Activity {
	switch v := a.ppm[m]; {
	case v == unknown:
		return ledger.ActivityUnknown
	case int64(v) >= threshold:
		return ledger.Active
	}
	return ledger.Idle
}

// Sum is Σ ppm over the seconds of i whose minute is known.
func (a *Activity) Sum(i period.Interval) int64 { return a.until(i.To) - a.until(i.From) }

func (a *Activity) until(s period.Second) int64 {
	if len(a.ppm) == 0 || s <= a.grid.From {
		return 0
	}
	if s >= a.grid.To() {
		return a.sum[len(a.ppm)]
	}
	m := a.grid.Index(s)
	return a.sum[m] + int64(max(a.ppm[m], 0))*int64(s-a.grid.At(m))
}
