package allocation

import (
	"cmp"
	"slices"

	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// segment is a stretch of a workload's hold inside one attempt, or outside all of them.
type segment struct {
	period.Interval
	attempt int
}

// serving is a stretch of a workload's hold that the same attempts share.
type serving struct {
	period.Interval
	parts []servingPart
}

// servingPart is one segment and its part of the workload.
type servingPart struct {
	segment int // of the workload's segments
	share   split.Fraction
}

// served is a segment of an attempt before the segments are merged.
type served struct {
	segment
	weight int64
}

// takeAttempts cuts each hold by the attempts that the workload served.
func (n *NodeEngine) takeAttempts(list []ledger.Attempt) {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b ledger.Attempt) int {
		return cmp.Or(cmp.Compare(a.RunID, b.RunID), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Task, b.Task),
			slices.Compare(a.ID[:], b.ID[:]))
	})
	n.attempts = slices.CompactFunc(sorted, func(a, b ledger.Attempt) bool { return a.ID == b.ID })

	workload := make(map[ledger.ID]int, len(n.workloads))
	for i := range n.workloads {
		workload[n.workloads[i].ID] = i
	}
	all := make([][]served, len(n.workloads))
	for a := range n.attempts {
		for _, s := range n.attempts[a].Segments {
			if w, ok := workload[s.Workload]; ok {
				if i := (period.Interval{From: s.From, To: s.To}).Intersect(n.workloads[w].Hold); !i.Empty() {
					all[w] = append(all[w], served{segment{i, a}, max(s.Weight, 1)})
				}
			}
		}
	}
	n.segments = make([][]segment, len(n.workloads))
	n.servings = make([][]serving, len(n.workloads))
	for w := range n.workloads {
		n.segments[w], n.servings[w] = serve(n.workloads[w].Hold, all[w])
	}
}

// serve cuts a hold by attempts: time outside all attempts belongs to none, and attempts that overlap share by weight
// (rule 6.6c). Stretches of one attempt that touch are one segment.
func serve(hold period.Interval, list []served) (segments []segment, line []serving) {
	slices.SortFunc(list, func(a, b served) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.attempt, b.attempt), cmp.Compare(a.To, b.To),
			cmp.Compare(a.weight, b.weight))
	})
	var now []served
	for at := hold.From; at < hold.To; {
		now = slices.DeleteFunc(now, func(s served) bool { return s.To <= at })
		for len(list) > 0 && list[0].From <= at {
			if list[0].To > at {
				now = append(now, list[0])
			}
			list = list[1:]
		}
		next := hold.To
		if len(list) > 0 {
			next = min(next, list[0].From)
		}
		for i := range now {
			next = min(next, now[i].To)
		}
		stretch := serving{Interval: period.Interval{From: at, To: next}}
		for _, s := range weighed(now) {
			stretch.parts = append(stretch.parts, servingPart{0, s.share})
			p := &stretch.parts[len(stretch.parts)-1]
			p.segment, segments = segmentAt(segments, s.attempt, stretch.Interval)
		}
		if last := len(line) - 1; last >= 0 && slices.Equal(line[last].parts, stretch.parts) {
			line[last].To = next
		} else {
			line = append(line, stretch)
		}
		at = next
	}
	return segments, line
}

type weighedAttempt struct {
	attempt int
	share   split.Fraction
}

// weighed divides one second among the attempts that have it, by number.
func weighed(now []served) []weighedAttempt {
	switch len(now) {
	case 0:
		return []weighedAttempt{{none, split.One}}
	case 1:
		return []weighedAttempt{{now[0].attempt, split.One}}
	}
	weights := map[int]uint64{}
	total := uint64(0)
	for i := range now {
		weights[now[i].attempt] += uint64(now[i].weight)
		total += uint64(now[i].weight)
	}
	out := make([]weighedAttempt, 0, len(weights))
	for attempt, weight := range weights {
		out = append(out, weighedAttempt{attempt, split.NewFraction(weight, total)})
	}
	slices.SortFunc(out, func(a, b weighedAttempt) int { return cmp.Compare(a.attempt, b.attempt) })
	return out
}

// segmentAt returns the segment of an attempt that continues in i, else a new one.
func segmentAt(segments []segment, attempt int, i period.Interval) (int, []segment) {
	for k := len(segments) - 1; k >= 0 && k >= len(segments)-lookBack; k-- {
		if segments[k].attempt == attempt && segments[k].To == i.From {
			segments[k].To = i.To
			return k, segments
		}
	}
	return len(segments), append(segments, segment{i, attempt})
}

// lookBack is the most segments that the search for one to continue goes back; more than can share a workload.
const lookBack = 1024
