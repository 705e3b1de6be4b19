package report_test

import (
	"math/big"
	"testing"
)

// interval is how often to write a checkpoint, in whole seconds rounded down.
type interval struct {
	Young int64 // √(2 C M), Young 1974
	Daly  int64 // with the higher order of Daly 2006; M where a checkpoint costs at least M ÷ 2
}

// checkpointInterval is the advice of report.spot in other words: how often a job
// should write a checkpoint that costs C = cost seconds, on machines that are taken
// away every M = between seconds in the mean. It is false where either is not positive.
//
// Daly's τ = √(2CM) · (1 + ⅓ √(C/2M) + ⅑ (C/2M)) − C is √(2CM) · (1 + C/18M) − ⅔ C,
// so that one root suffices: it is taken in integers, down to the millisecond.
func checkpointInterval(cost, between int64) (interval, bool) {
	if cost <= 0 || between <= 0 {
		return interval{}, false
	}
	c, m := big.NewInt(cost), big.NewInt(between)
	square := new(big.Int).Mul(c, m)
	ms := square.Sqrt(square.Mul(square, big.NewInt(2_000_000)))
	out := interval{Young: new(big.Int).Quo(ms, big.NewInt(1000)).Int64()}
	if 2*cost >= between {
		out.Daly = between
		return out, true
	}
	m18 := new(big.Int).Mul(m, big.NewInt(18))
	tau := new(big.Int).Mul(big.NewInt(3), new(big.Int).Mul(ms, new(big.Int).Add(m18, c)))
	tau.Sub(tau, new(big.Int).Mul(big.NewInt(2000), new(big.Int).Mul(c, m18)))
	out.Daly = tau.Quo(tau, new(big.Int).Mul(big.NewInt(3000), m18)).Int64()
	return out, true
}

func TestCheckpointInterval(t *testing.T) {
	for _, c := range []struct {
		cost, between int64
		young, daly   int64
		ok            bool
	}{
		{60, 86400, 3219, 3180, true}, // √10368000 = 3219.937…; · (1 + 60/1555200) − 40 = 3180.06…
		{60, 3600, 657, 617, true},    // 657.267; · 1.000926 − 40 = 617.87…
		{60, 120, 120, 120, true},     // a checkpoint costs half of what there is
		{600, 1000, 1095, 1000, true},
		{1, 1 << 40, 1482910, 1482909, true},
		{0, 3600, 0, 0, false},
		{60, 0, 0, 0, false},
		{60, -1, 0, 0, false},
	} {
		got, ok := checkpointInterval(c.cost, c.between)
		if ok != c.ok || ok && (got.Young != c.young || got.Daly != c.daly) {
			t.Errorf("C = %d, M = %d: %+v %v, want %+v", c.cost, c.between, got, ok, c)
		}
	}
}
