package allocation

import (
	"gpuledger/allocation/cause"
	"gpuledger/allocation/timeline"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// heldDay is a hold with what decides its causes during the day.
type heldDay struct {
	*hold
	segments []segmentDay
	idle     []bool // per minute from idleFrom: in a long idle run (rule 7.4)
	idleFrom int
	crashes  timeline.Bits
	cuts     []period.Second // where an idle run or a crash loop begins or ends
}

// segmentDay is a segment with its limits; an interval that does not apply is
// empty.
type segmentDay struct {
	segment
	lost    period.Interval // rule 7.1
	gang    period.Interval // rule 7.2 (a)
	start   period.Interval // rule 7.2 (b)
	assumed bool            // nothing says where the work was lost from
}

// prepare gathers the limits of a hold once for the day.
func (w *walker) prepare(h *hold) *heldDay {
	activity := w.activityOf(h.slice)
	class := func(m int) ledger.Activity { return activity.Class(m, w.policy.IdleThresholdPPM) }
	from, to := w.grid.Overlap(h.Interval)
	held := &heldDay{hold: h, idle: cause.IdleRuns(class, from, to, int(w.policy.IdleMinutes)), idleFrom: from, crashes: w.crashes[h.workload]}
	for m := from + 1; m < to; m++ {
		if held.inIdleRun(m) != held.inIdleRun(m-1) || held.crashes.Has(m) != held.crashes.Has(m-1) {
			held.cuts = append(held.cuts, w.grid.At(m))
		}
	}
	for _, s := range w.segments[h.workload] {
		if s.Overlaps(w.observed) {
			held.segments = append(held.segments, w.limits(s, class))
		}
	}
	return held
}

// limits works out where lost work, waiting for a gang and starting lie inside
// a segment.
func (w *walker) limits(s segment, class func(int) ledger.Activity) segmentDay {
	limit := period.Second(w.policy.OverheadLimit)
	d := segmentDay{segment: s, start: s.Intersect(period.Interval{From: s.From, To: s.From + limit})}
	if first, end := w.grid.Overlap(d.start); first < end {
		if active := cause.FirstActive(class, first, end); active < end {
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
	if a.Task == "" { // a gang
		until := a.Span.From + limit
		if a.GangComplete != 0 {
			until = min(until, a.GangComplete)
		}
		d.gang = s.Intersect(period.Interval{From: a.Span.From, To: until})
	}
	return d
}

// segment returns the segment at an instant of the hold.
func (h *heldDay) segment(at period.Second) *segmentDay {
	for i := range h.segments {
		if h.segments[i].Contains(at) {
			return &h.segments[i]
		}
	}
	return &segmentDay{segment: segment{h.Interval, none}}
}

func (h *heldDay) facts(s *segmentDay, at period.Second, minute int, activity ledger.Activity) cause.Held {
	return cause.Held{
		Lost:      s.lost.Contains(at),
		Gang:      s.gang.Contains(at),
		Start:     s.start.Contains(at),
		CrashLoop: h.crashes.Has(minute),
		IdleRun:   h.inIdleRun(minute),
		Activity:  activity,
	}
}

func (h *heldDay) inIdleRun(minute int) bool {
	k := minute - h.idleFrom
	return k >= 0 && k < len(h.idle) && h.idle[k]
}

// appendCuts adds the instants at which something about the hold changes.
func (h *heldDay) appendCuts(cuts []period.Second) []period.Second {
	cuts = append(append(cuts, h.From, h.To), h.cuts...)
	for i := range h.segments {
		s := &h.segments[i]
		for _, i := range []period.Interval{s.Interval, s.lost, s.gang, s.start} {
			if !i.Empty() {
				cuts = append(cuts, i.From, i.To)
			}
		}
	}
	return cuts
}
