package mig

import "fmt"

// Measure is how a slice is weighed: by its dominant share, or a blend of its shares of compute and of memory. The zero
// value is the dominant share.
type Measure struct {
	blended bool
	compute int64 // weight of compute in ppm, the rest is memory's
}

// Measures (rule 3.4).
var (
	Dominant = Measure{}               // max(compute/C, memory/M): the part that the slice denies to others
	Compute  = Measure{true, millions} // compute/C
	Memory   = Measure{true, 0}        // memory/M
)

// Blend is ppm × compute/C + (1 − ppm) × memory/M; ppm lies between 0 and
// 1,000,000, which Weigh checks.
func Blend(ppm int64) Measure { return Measure{true, ppm} }

const millions = 1_000_000

func (m Measure) validate() error {
	if m.compute < 0 || m.compute > millions {
		return fmt.Errorf("a MIG weight with %d millionths for compute: 0 to 1000000 are possible", m.compute)
	}
	return nil
}

// scale is a measure on one card: integers over one unit.
type scale struct {
	unit, compute, memory int // of the whole card, of one compute slice, of one memory slice
	blended               bool
}

func (m Measure) on(c Card) scale {
	common := c.Compute * c.Memory / gcd(c.Compute, c.Memory)
	if !m.blended {
		return scale{common, common / c.Compute, common / c.Memory, false}
	}
	part := gcd(int(m.compute), millions)
	all, compute := millions/part, int(m.compute)/part
	return scale{common * all, common / c.Compute * compute, common / c.Memory * (all - compute), true}
}

// raw is the raw weight of the given slices in units of 1/unit.
func (s scale) raw(compute, memory int) int {
	if s.blended {
		return compute*s.compute + memory*s.memory
	}
	return max(compute*s.compute, memory*s.memory)
}
