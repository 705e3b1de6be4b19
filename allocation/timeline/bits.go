package timeline

import (
	"math/bits"

	"gpuledger/internal/period"
)

// allMinutes are the bits of an hour's minutes.
const allMinutes = 1<<minutesPerHour - 1

// Bits is one bit per minute of a grid.
type Bits struct {
	grid  Grid
	words []uint64 // per hour
}

// AddHour adds the minutes of an hour; hours outside the grid are ignored.
func (b Bits) AddHour(hour period.Second, minutes uint64) {
	if h, ok := b.grid.hour(hour); ok {
		b.words[h] |= minutes & allMinutes
	}
}

// Has reports whether minute m is in the set; the zero Bits is empty.
func (b Bits) Has(m int) bool {
	return len(b.words) > 0 && b.words[m/minutesPerHour]>>(m%minutesPerHour)&1 == 1
}

// Edges returns the minutes of the hour-th hour of the grid that differ from the minute before; before the first minute
// the set is empty.
func (b Bits) Edges(hour int) uint64 {
	if len(b.words) == 0 {
		return 0
	}
	w := b.words[hour]
	before := w & 1
	if hour > 0 {
		before = b.words[hour-1] >> (minutesPerHour - 1) & 1
	}
	return (w ^ (w<<1 | before)) & allMinutes
}

// First returns the first minute of [from, to) that is in the set, to if there is none.
func (b Bits) First(from, to int) int { return b.next(from, to, 0) }

// next returns the first minute of [from, to) that is in the set, or, with all bits of flip set, that is not; to if
// there is none.
func (b Bits) next(from, to int, flip uint64) int {
	if len(b.words) == 0 {
		if flip != 0 {
			return min(from, to)
		}
		return to
	}
	for from < to {
		h := from / minutesPerHour
		if w := ((b.words[h] ^ flip) & allMinutes) >> (from - h*minutesPerHour); w != 0 {
			return min(from+bits.TrailingZeros64(w), to)
		}
		from = (h + 1) * minutesPerHour
	}
	return to
}

// Runs returns the minutes that belong to an unbroken run of at least need minutes of the set inside [from, to), in m's
// buffers.
func (b Bits) Runs(m *Memory, from, to, need int) Bits {
	long := m.Bits(b.grid)
	for from < to {
		start := b.next(from, to, 0)
		end := b.next(start, to, ^uint64(0))
		if end-start >= need {
			long.fill(start, end)
		}
		from = end
	}
	return long
}

// Add adds the minutes of another set of the same grid.
func (b Bits) Add(o Bits) {
	for h := range o.words {
		b.words[h] |= o.words[h]
	}
}

// Remove removes the minutes of another set of the same grid.
func (b Bits) Remove(o Bits) {
	for h := range o.words {
		b.words[h] &^= o.words[h]
	}
}

// Bridge adds the minutes between two of the set that have fewer than gap others between them.
func (b Bits) Bridge(gap int) {
	end := b.grid.Minutes()
	for at := b.next(0, end, 0); at < end; {
		last := b.next(at, end, ^uint64(0))
		if at = b.next(last, end, 0); at < end && at-last < gap {
			b.fill(last, at)
		}
	}
}

// fill adds the minutes [from, to).
func (b Bits) fill(from, to int) {
	for from < to {
		h := from / minutesPerHour
		end := min(to, (h+1)*minutesPerHour)
		b.words[h] |= (1<<(end-h*minutesPerHour) - 1) &^ (1<<(from-h*minutesPerHour) - 1)
		from = end
	}
}

// keep drops all minutes outside [from, to).
func (b Bits) keep(from, to int) {
	for h := range b.words {
		first := min(max(from-h*minutesPerHour, 0), minutesPerHour)
		end := min(max(to-h*minutesPerHour, 0), minutesPerHour)
		b.words[h] &= (1<<end - 1) &^ (1<<first - 1)
	}
}
