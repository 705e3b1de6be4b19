package timeline

import "gpuledger/internal/period"

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

// Energy is what the device of a slot drew over a grid.
type Energy struct {
	grid Grid
	// PerMillijoule is how many units of Sum make one millijoule.
	PerMillijoule int64

	rate  []int64 // units per second of minute m, unknown without energy
	sum   []int64 // Σ units before minute m
	known []int32 // known minutes before m
}

// newEnergy takes differences of the counters (a counter difference belongs to
// the minutes after the previous known one, evenly) for the minutes in which
// the slot shows that device.
func newEnergy(s *Slot, counters map[string][]counter, observed period.Interval) Energy {
	if len(counters) == 0 {
		return Energy{}
	}
	e := Energy{grid: s.Grid, rate: make([]int64, s.Minutes()), sum: make([]int64, s.Minutes()+1), known: make([]int32, s.Minutes()+1)}
	for m := range e.rate {
		e.rate[m] = unknown
	}
	for i := range s.Layouts {
		from, to := s.Overlap(s.Layouts[i].Interval)
		minuteEnergy(counters[s.Layouts[i].Device], e.rate, from, to)
	}
	// A minute in which the node was there for only a part of its seconds
	// gives all its energy to those.
	perSecond := int64(period.Minute)
	for _, edge := range []period.Second{observed.From, observed.To} {
		if part := secondsOf(edge.Floor(period.Minute), observed); part > 0 {
			perSecond = perSecond / gcd(perSecond, part) * part
		}
	}
	e.PerMillijoule = spread * perSecond
	for m, v := range e.rate {
		e.sum[m+1], e.known[m+1] = e.sum[m], e.known[m]
		part := secondsOf(s.At(m), observed)
		if v == unknown || part == 0 {
			e.rate[m] = unknown
			continue
		}
		e.rate[m] = v * (perSecond / part)
		e.sum[m+1] += e.rate[m] * period.Minute
		e.known[m+1]++
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

// minuteEnergy writes sixths of millijoules into minutes [from, to).
func minuteEnergy(counters []counter, into []int64, from, to int) {
	previous := -1
	for m := range counters {
		if !counters[m].known {
			continue
		}
		if gap := int64(m - previous); previous >= 0 && gap <= maxEnergyGap {
			rise := counters[m].value - counters[previous].value
			if counters[previous].value >= 0 && rise >= 0 && rise <= maxMilliwatts*period.Minute*gap {
				for k := max(previous+1, from); k <= m && k < to; k++ {
					into[k] = rise * spread / gap
				}
			}
		}
		previous = m
	}
}

// Sum returns the units drawn in i and whether any of its minutes is known.
func (e *Energy) Sum(i period.Interval) (units int64, known bool) {
	if len(e.rate) == 0 {
		return 0, false
	}
	from, to := e.grid.Overlap(i)
	if from >= to || e.known[to] == e.known[from] {
		return 0, false
	}
	return e.until(i.To) - e.until(i.From), true
}

func (e *Energy) until(s period.Second) int64 {
	if s <= e.grid.From {
		return 0
	}
	if s >= e.grid.To() {
		return e.sum[len(e.rate)]
	}
	m := e.grid.Index(s)
	return e.sum[m] + max(e.rate[m], 0)*int64(s-e.grid.At(m))
}
