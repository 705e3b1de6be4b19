package allocation

import (
	"math/bits"
	"slices"

	"gpuledger/internal/period"
)

// cuts are the instants at which something about a slice changes.
type cuts struct {
	minutes []period.Second // ascending
	seconds []period.Second // set by the start and end of holds
}

// minutes finds the minutes inside part at which the hour, the node's state or one of the minute sets behind edges(hour
// of the grid) changes.
func (w *walker) minutes(part period.Interval, edges func(hour int) uint64) {
	w.cut.minutes = w.cut.minutes[:0]
	from, to := w.grid.Overlap(part)
	for h := from / 60; h*60 < to; h++ {
		changes := 1 | w.down.Edges(h) | w.source.Edges(h) | edges(h)
		for ; changes != 0; changes &= changes - 1 {
			if m := h*60 + bits.TrailingZeros64(changes); m > from && m < to {
				w.cut.minutes = append(w.cut.minutes, w.grid.At(m))
			}
		}
	}
}

// eachStretch calls do for each stretch between the cuts inside part, in order.
func (c *cuts) eachStretch(part period.Interval, do func(period.Interval) error) error {
	slices.Sort(c.seconds)
	minutes, seconds := c.minutes, c.seconds
	for at := part.From; at < part.To; {
		next := part.To
		for len(minutes) > 0 && minutes[0] <= at {
			minutes = minutes[1:]
		}
		if len(minutes) > 0 {
			next = min(next, minutes[0])
		}
		for len(seconds) > 0 && seconds[0] <= at {
			seconds = seconds[1:]
		}
		if len(seconds) > 0 {
			next = min(next, seconds[0])
		}
		if err := do(period.Interval{From: at, To: next}); err != nil {
			return err
		}
		at = next
	}
	return nil
}
