package allocation

import (
	"cmp"
	"slices"

	"gpuledger/allocation/cause"
	"gpuledger/allocation/split"
	"gpuledger/allocation/timeline"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// heldDay is a hold with the limits that decide its causes during the day.
type heldDay struct {
	*hold
	segments []segmentDay
	servings []servingDay
	idle     timeline.Bits // rule 7.4
	crashes  timeline.Bits

	// Backing arrays for the usual case of one segment.
	oneSegment [1]segmentDay
	oneServing [1]servingDay
	onePart    [1]partDay
}

// servingDay is a stretch with the segments that share it.
type servingDay struct {
	period.Interval
	parts []partDay
}

// partDay is one segment of a stretch, by its index in the day's list.
type partDay struct {
	segment int
	share   split.Fraction
}

// segmentDay is a segment with its limits; an interval that does not apply is empty.
type segmentDay struct {
	segment
	number  int             // among the workload's segments
	lost    period.Interval // rule 7.1
	gang    period.Interval // rule 7.2 (a)
	start   period.Interval // rule 7.2 (b)
	assumed bool            // the point from which work was lost is not recorded
}

// prepare gathers the limits of a hold once for the day, in w's buffers.
func (w *walker) prepare(h *hold) *heldDay {
	activity := w.activityOf(h.slice)
	w.days = append(w.days, heldDay{}) // append keeps earlier elements in place for their pointers
	held := &w.days[len(w.days)-1]
	*held = heldDay{hold: h, crashes: w.crashes[h.workload], idle: w.idle(activity, h.Interval)}
	held.segments, held.servings = held.oneSegment[:0], held.oneServing[:0]
	line := w.servings[h.workload]
	first, _ := slices.BinarySearchFunc(line, w.observed.From,
		func(s serving, t period.Second) int { return cmp.Compare(s.To, t+1) })
	for i := first; i < len(line) && line[i].From < w.observed.To; i++ {
		held.servings = append(held.servings, w.servingDay(held, &line[i], activity))
	}
	return held
}

// servingDay finds the segments of a stretch and computes the limits of each only once.
func (w *walker) servingDay(held *heldDay, s *serving, activity *timeline.Activity) servingDay {
	d := servingDay{Interval: s.Interval}
	if len(held.servings) == 0 {
		d.parts = held.onePart[:0]
	}
	for _, p := range s.parts {
		at := slices.IndexFunc(held.segments, func(s segmentDay) bool { return s.number == p.segment })
		if at < 0 {
			at = len(held.segments)
			whole := w.segments[held.workload][p.segment]
			whole.Interval = whole.Intersect(held.Interval)
			held.segments = append(held.segments, w.limits(whole, w.workloads[held.workload].ID, activity))
			held.segments[at].number = p.segment
		}
		d.parts = append(d.parts, partDay{at, p.share})
	}
	return d
}

// limits computes the intervals of lost work, waiting for a gang and starting inside a segment.
func (w *walker) limits(s segment, workload ledger.ID, activity *timeline.Activity) segmentDay {
	limit := period.Second(w.policy.OverheadLimit)
	d := segmentDay{segment: s, start: s.Intersect(period.Interval{From: s.From, To: s.From + limit})}
	if first, end := w.grid.Overlap(d.start); first < end {
		if active := activity.FirstActive(first, end); active < end {
			d.start = d.start.Intersect(period.Interval{From: s.From, To: w.grid.At(active)})
		}
	}
	if s.attempt == none {
		return d
	}
	a := &w.attempts[s.attempt]
	if a.LossFrom != 0 {
		d.lost = s.Intersect(period.Interval{From: a.LossFrom, To: a.Span.To})
		d.assumed = a.LossBasis == ledger.LossNone
	}
	for i := range a.Segments { // a member that was lost alone loses only its own work
		g := &a.Segments[i]
		if g.Workload == workload && g.LossFrom != 0 && g.To >= s.To && g.From <= s.From &&
			(d.lost.Empty() || g.LossFrom < d.lost.From) {
			d.lost = s.Intersect(period.Interval{From: g.LossFrom, To: g.To})
			d.assumed = g.LossBasis == ledger.LossNone
		}
	}
	if a.Task == "" { // a gang
		until := a.Span.From + limit
		if a.GangComplete != 0 {
			until = min(until, a.GangComplete)
		}
		d.gang = s.Intersect(period.Interval{From: a.Span.From, To: until})
	}
	return d
}

// serves returns the segments that share the hold at an instant.
func (h *heldDay) serves(at period.Second) []partDay {
	for i := range h.servings {
		if h.servings[i].Contains(at) {
			return h.servings[i].parts
		}
	}
	return nil
}

func (h *heldDay) facts(s *segmentDay, at period.Second, minute int, activity ledger.Activity) cause.Held {
	return cause.Held{
		Lost:      s.lost.Contains(at),
		Gang:      s.gang.Contains(at),
		Start:     s.start.Contains(at),
		CrashLoop: h.crashes.Has(minute),
		IdleRun:   h.idle.Has(minute),
		Activity:  activity,
	}
}

// edges returns the minutes of an hour of the grid at which idle time or a crash
// loop begins or ends.
func (h *heldDay) edges(hour int) uint64 { return h.idle.Edges(hour) | h.crashes.Edges(hour) }

// appendCuts adds the instants at which something else about the hold changes.
func (h *heldDay) appendCuts(cuts []period.Second) []period.Second {
	cuts = append(cuts, h.From, h.To)
	for i := range h.servings {
		cuts = append(cuts, h.servings[i].From, h.servings[i].To)
	}
	for i := range h.segments {
		s := &h.segments[i]
		for _, i := range []period.Interval{s.lost, s.gang, s.start} {
			if !i.Empty() {
				cuts = append(cuts, i.From, i.To)
			}
		}
	}
	return cuts
}
