package fleet

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Bounds of rule 2.11, in days.
const (
	darkDays = 7   // a life continues through up to this many whole UTC days without an observation
	holdDays = 366 // the last days of a job with a start and an end count as observations
	nearDays = 31  // so do the days before a first sample, before the end of a pod or a machine, and around a job
)

// source names a source of placements of a cluster.
type source struct {
	cluster string
	kind    ledger.SourceKind
}

// delivered are the stretches in which each source delivered, joined if no life ends between them.
func delivered(sources []ledger.SourceHour) map[source][]period.Interval {
	out := map[source][]period.Interval{}
	for i := range sources {
		if s := &sources[i]; s.Minutes != 0 {
			k := source{s.Cluster, s.Source}
			out[k] = append(out[k], period.Interval{From: s.First(), To: s.Last() + period.Minute})
		}
	}
	for k, list := range out {
		out[k] = joined(list)
	}
	return out
}

// joined sorts intervals and joins those with too small a gap for dark time.
func joined(list []period.Interval) []period.Interval {
	slices.SortFunc(list, func(a, b period.Interval) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	out := list[:0]
	for _, i := range list {
		if n := len(out); n > 0 && i.From-out[n-1].To <= darkDays*period.Day {
			out[n-1].To = max(out[n-1].To, i.To)
			continue
		}
		out = append(out, i)
	}
	return out
}

// claim is the part that is accepted of a statement that a machine existed, if it was not seen day by day: the last
// days.
func claim(from, to period.Second, days period.Second) period.Interval {
	return period.Interval{From: max(from, to-days*period.Day), To: to}
}

// observations list when a machine was observed in its life (rule 2.11), in any order. own is from its first to its
// last own sample, empty if it has none.
func (r *resolver) observations(m *Machine, f ledger.NodeFact, samples, own period.Interval) []period.Interval {
	name, step := Name{m.Cluster, m.Name}, period.Second(r.p.ScrapeStep)
	var seen []period.Interval
	add := func(i period.Interval) {
		if i = i.Intersect(m.Life); !i.Empty() {
			seen = append(seen, i)
		}
	}
	stretches, told := r.in.Stretches[name]
	if !told && !samples.Empty() {
		stretches = []period.Interval{samples}
	}
	for _, i := range stretches { // ends a second after the last sample
		add(period.Interval{From: i.From, To: i.To - 1 + step})
	}
	if f.FirstSeen != 0 {
		first, last := f.FirstSeen.Floor(period.Minute), max(f.FirstSeen, f.LastSeen).Floor(period.Minute)
		listed := period.Interval{From: first, To: last + period.Minute}
		add(period.Interval{From: first, To: first + period.Minute})
		add(period.Interval{From: last, To: last + period.Minute})
		for _, i := range r.delivered[source{name.Cluster, ledger.SourceKubernetes}] {
			add(i.Intersect(listed))
		}
	}
	for _, h := range r.in.Holds[name] {
		if h.Pod {
			add(claim(h.From, h.To, nearDays))
			continue
		}
		add(claim(h.From, h.To, holdDays))
		for _, i := range r.delivered[source{name.Cluster, ledger.SourceSlurm}] {
			i = i.Intersect(r.in.Held[name].Span)
			add(i.Intersect(period.Interval{From: h.From - nearDays*period.Day, To: h.From}))
			add(i.Intersect(period.Interval{From: h.To, To: h.To + nearDays*period.Day}))
		}
	}
	if own.Empty() { // only its creation or a mention of it is known
		own = period.Interval{From: m.Life.To, To: m.Life.To}
	}
	add(claim(m.Life.From, own.From, nearDays))
	add(claim(own.To-1+step, m.Life.To, nearDays))
	return seen
}

// dark lists the parts of a life in which the machine went unobserved for so long that it counts as absent: every gap
// between two observations with more than darkDays whole UTC days (rule 2.11).
func dark(life period.Interval, seen []period.Interval) []period.Interval {
	var out []period.Interval
	end := life.From
	for _, i := range joined(seen) {
		if gap := (period.Interval{From: end, To: i.From}); wholeDays(gap) > darkDays {
			out = append(out, gap)
		}
		end = max(end, i.To)
	}
	return out
}

// wholeDays counts the UTC days that lie in an interval.
func wholeDays(i period.Interval) int64 {
	return int64(i.To.Floor(period.Day)-(i.From+period.Day-1).Floor(period.Day)) / period.Day
}
