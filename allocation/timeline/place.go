package timeline

import (
	"math/bits"
	"slices"

	"gpuledger/internal/period"
)

// place sets the memory slices at which the instances of layouts begin, and cuts the layouts where these change (rule
// 3.7). The position of an instance comes from the newest row of the stretch; before its first row, from that row; if
// no row of the stretch has it, from the layout that reaches into the window from before or continues after it. Layouts
// without a known position stay as they are.
func place(g Grid, list []*series, layouts []Layout, before, after *Layout) []Layout {
	var out []Layout // nil while nothing was cut
	for i := range layouts {
		l := &layouts[i]
		parts := placed(g, list, l, before, after)
		if len(parts) > 1 && out == nil {
			out = slices.Clone(layouts[:i])
		}
		switch {
		case out != nil && len(parts) > 0:
			out = append(out, parts...)
		case out != nil:
			out = append(out, *l)
		case len(parts) == 1:
			*l = parts[0]
		}
	}
	if out == nil {
		return layouts
	}
	return out
}

// placed is a layout cut where its instances move; nil if the position of one of them is unknown.
func placed(g Grid, list []*series, l *Layout, before, after *Layout) []Layout {
	if len(l.Instances) == 0 {
		return nil
	}
	told := make([][]move, len(l.Instances))
	for i, instance := range l.Instances {
		told[i] = movesOf(g, list, seriesKey{l.Device, instance}, l.Interval)
		if len(told[i]) > 0 {
			told[i][0].at = l.From
			continue
		}
		switch {
		case before != nil && before.Starts != nil && l.From == g.From && l.same(before):
			told[i] = []move{{l.From, before.Starts[i]}}
		case after != nil && after.Starts != nil && l.To == g.To() && l.same(after):
			told[i] = []move{{l.From, after.Starts[i]}}
		default:
			return nil
		}
	}
	var cuts []period.Second
	for _, moves := range told {
		for _, m := range moves {
			cuts = append(cuts, m.at)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	parts := make([]Layout, len(cuts))
	for k, from := range cuts {
		parts[k] = *l
		parts[k].From, parts[k].Starts = from, make([]int, len(told))
		if k > 0 {
			parts[k-1].To = from
		}
		for i, moves := range told {
			for _, m := range moves {
				if m.at <= from {
					parts[k].Starts[i] = m.start
				}
			}
		}
	}
	return parts
}

// move is the position of an instance from a minute on.
type move struct {
	at    period.Second
	start int
}

// movesOf lists the positions that rows of a stretch give an instance, each from the first minute that has it.
func movesOf(g Grid, list []*series, key seriesKey, during period.Interval) []move {
	i := slices.IndexFunc(list, func(s *series) bool { return s.key == key })
	if i < 0 || len(list[i].start.known.words) == 0 {
		return nil
	}
	told := &list[i].start
	var moves []move
	for h := range g.Hours {
		for left := told.known.words[h]; left != 0; left &= left - 1 {
			m := h*minutesPerHour + bits.TrailingZeros64(left)
			at, start := g.At(m), int(told.value[m])
			if during.Contains(at) && (len(moves) == 0 || moves[len(moves)-1].start != start) {
				moves = append(moves, move{at, start})
			}
		}
	}
	return moves
}
