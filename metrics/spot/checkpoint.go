package spot

import "math/big"

// CheckpointSeconds is what writing a checkpoint is taken to cost where nothing
// says more.
const CheckpointSeconds = 60

// Interval is how often to write a checkpoint, in whole seconds rounded down.
type Interval struct {
	Young int64 // √(2 C M), Young 1974
	Daly  int64 // with the higher order of Daly 2006; M where a checkpoint costs at least M ÷ 2
}

// CheckpointInterval advises how often a job should write a checkpoint that
// costs C = cost seconds, on machines that are taken away every M = between
// seconds in the mean. It is false where either is not positive.
//
// Daly's τ = √(2CM) · (1 + ⅓ √(C/2M) + ⅑ (C/2M)) − C is √(2CM) · (1 + C/18M) − ⅔ C,
// so that one root suffices: it is taken in integers, down to the millisecond.
func CheckpointInterval(cost, between int64) (Interval, bool) {
	if cost <= 0 || between <= 0 {
		return Interval{}, false
	}
	c, m := big.NewInt(cost), big.NewInt(between)
	square := new(big.Int).Mul(c, m)
	ms := square.Sqrt(square.Mul(square, big.NewInt(2_000_000)))
	out := Interval{Young: new(big.Int).Quo(ms, big.NewInt(1000)).Int64()}
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
