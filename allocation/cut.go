package allocation

import (
	"iter"
	"slices"

	"gpuledger/internal/period"
)

// cuts returns the instants inside part at which the hour, the node's state or
// what changed(minute before, minute) asks about changes.
func (w *walker) cuts(part period.Interval, changed func(before, minute int) bool) []period.Second {
	cuts := []period.Second{part.From, part.To}
	from, to := w.grid.Overlap(part)
	for m := from + 1; m < to; m++ {
		at := w.grid.At(m)
		if at%period.Hour == 0 || w.down.Has(m) != w.down.Has(m-1) || w.source.Has(m) != w.source.Has(m-1) || changed(m-1, m) {
			cuts = append(cuts, at)
		}
	}
	return cuts
}

// stretches yields the stretches between the cuts that lie inside part.
func stretches(cuts []period.Second, part period.Interval) iter.Seq[period.Interval] {
	slices.Sort(cuts)
	return func(yield func(period.Interval) bool) {
		at := part.From
		for _, next := range cuts {
			if next <= at || next > part.To {
				continue
			}
			if !yield(period.Interval{From: at, To: next}) {
				return
			}
			at = next
		}
	}
}

func eachStretch(cuts []period.Second, part period.Interval, do func(period.Interval) error) error {
	for i := range stretches(cuts, part) {
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}
