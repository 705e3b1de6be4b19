package timeline

import (
	"math/bits"

	"gpuledger/internal/period"
)

const (
	// maxEnergyGap is how many minutes apart two counter values may be for
	// their difference to count.
	maxEnergyGap = 3
	// spread is the least common multiple of 1..maxEnergyGap: minute energy is
	// counted in sixths of a millijoule, so that spreading is exact.
	spread = 6
	// maxMilliwatts is more than any accelerator can draw; a faster counter is
	// an unseen change of unit or device.
	maxMilliwatts = 3_000_000
)

// Energy is the energy that the device of a slot drew over a grid.
type Energy struct {
	// PerMillijoule is how many units of Sum make one millijoule.
	PerMillijoule int64

	known Bits
	rate  []int64 // units per second of minute m, 0 without energy
}

// newEnergy takes differences of the counters (a counter difference belongs to
// the minutes after the previous known one, evenly) for the minutes in which
// the slot shows that device.
func newEnergy(s *Slot, list []counters, observed period.Interval) Energy {
	if len(list) == 0 {
		return Energy{}
	}
	e := Energy{known: s.mem.Bits(s.Grid), rate: s.mem.counts.take(s.Minutes())}
	for i := range s.Layouts {
		from, to := s.Overlap(s.Layouts[i].Interval)
		for c := range list {
			if list[c].device == s.Layouts[i].Device {
				e.take(&list[c], from, to)
			}
		}
	}
	// If the node was there for only a part of the minute, that part gets all the minute's energy.
	perSecond := int64(period.Minute)
	for _, edge := range []period.Second{observed.From, observed.To} {
		if part := secondsOf(edge.Floor(period.Minute), observed); part > 0 {
			perSecond = perSecond / gcd(perSecond, part) * part
		}
	}
	e.PerMillijoule = spread * perSecond
	from, to := s.Overlap(observed)
	e.known.keep(from, to)
	clear(e.rate[:from])
	clear(e.rate[to:])
	whole := perSecond / period.Minute
	for m := from; m < to; m++ {
		if m == from || m == to-1 {
			e.rate[m] *= perSecond / secondsOf(s.At(m), observed)
		} else if whole == 1 {
			m = to - 2
		} else {
			e.rate[m] *= whole
		}
	}
	return e
}

func secondsOf(minute period.Second, observed period.Interval) int64 {
	return period.Interval{From: minute, To: minute + period.Minute}.Intersect(observed).Seconds()
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// take writes sixths of millijoules into minutes [from, to).
func (e *Energy) take(c *counters, from, to int) {
	previous := -1
	for h, left := range c.known.words {
		next := uint64(0) // minutes that follow the one before them
		for base := h * minutesPerHour; left != 0; left &= left - 1 {
			m := base + bits.TrailingZeros64(left)
			if gap := m - previous; previous >= 0 && gap <= maxEnergyGap {
				rise := c.value[m] - c.value[previous]
				switch {
				case c.value[previous] < 0 || rise < 0 || rise > maxMilliwatts*period.Minute*int64(gap):
				case gap == 1:
					if m >= from && m < to {
						e.rate[m] = rise * spread
						next |= 1 << (m - base)
					}
				default:
					first, end := max(previous+1, from), min(m+1, to)
					for k := first; k < end; k++ {
						e.rate[k] = rise * spread / int64(gap)
					}
					e.known.fill(first, end)
				}
			}
			previous = m
		}
		e.known.words[h] |= next
	}
}

// Sum returns the units drawn in i and whether any of its minutes is known.
func (e *Energy) Sum(i period.Interval) (units int64, known bool) {
	if len(e.rate) == 0 {
		return 0, false
	}
	g := e.known.grid
	i = i.Intersect(g.Window())
	if i.Empty() {
		return 0, false
	}
	from, to := g.Index(i.From), g.Index(i.To-1)
	if e.known.First(from, to+1) > to {
		return 0, false
	}
	for _, v := range e.rate[from : to+1] {
		units += v
	}
	units *= period.Minute
	units -= e.rate[from] * int64(i.From-g.At(from))
	return units - e.rate[to]*int64(g.At(to)+period.Minute-i.To), true
}
