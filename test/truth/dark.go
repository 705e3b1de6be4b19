package truth

import (
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// Rule 2.11, in seconds and days.
const (
	oneDay      = 86400
	outlasts    = 7
	holdCounts  = 366 * oneDay
	near        = 31 * oneDay
	sampleLasts = 60
)

// Dark is the time of a life in which the machine went unobserved for more than seven whole days in a row: it checks
// every day, and every run of days without any observation grows to the observations next to it.
func Dark(life world.Span, seen []world.Span) []world.Span {
	days := map[int64]bool{}
	// ignore empty holds
	seen = slices.DeleteFunc(slices.Clone(seen), func(s world.Span) bool { return s.From >= s.To })
	for _, s := range seen {
		for day := max(s.From, life.From) / oneDay; day*oneDay < min(s.To, life.To); day++ {
			days[day] = true
		}
	}
	var out []world.Span
	first, last := (life.From+oneDay-1)/oneDay, life.To/oneDay // whole days of it
	for day := first; day < last; day++ {
		if days[day] {
			continue
		}
		end := day
		for end < last && !days[end] {
			end++
		}
		if end-day > outlasts {
			dark := life
			for _, s := range seen {
				if s.From < day*oneDay && s.From < life.To && s.To > life.From {
					dark.From = max(dark.From, s.To)
				}
				if s.To > end*oneDay && s.From < life.To && s.To > life.From {
					dark.To = min(dark.To, s.From)
				}
			}
			out = append(out, dark)
		}
		day = end
	}
	return out
}

// darkness finds the dark time of a machine.
func (t *truth) darkness(nt *nodeTruth) {
	if nt.gone-nt.appeared <= outlasts*oneDay {
		return
	}
	var seen, jobs []world.Span
	listed, sampled := t.minutesOf(nt.n)
	first, last := nt.gone, int64(0)
	for _, at := range listed {
		seen = append(seen, world.Span{From: at, To: at + 60})
	}
	for _, at := range slices.Concat(listed, sampled) {
		first, last = min(first, at), max(last, at)
	}
	for _, at := range sampled {
		seen = append(seen, world.Span{From: at, To: at + nt.n.Phase%60 + sampleLasts})
	}
	for _, h := range t.held {
		if h.nt != nt {
			continue
		}
		if h.p.Life == nil { // a pod
			seen = append(seen, world.Span{From: max(h.from, h.to-near), To: h.to})
			continue
		}
		jobs = append(jobs, world.Span{From: h.from, To: h.to})
		seen = append(seen, world.Span{From: max(h.from, h.to-holdCounts), To: h.to})
		first, last = min(first, h.from), max(last, min(h.p.Life.End, t.World.To)) // a job is an own sample, too
	}
	if t.Site.Slurm {
		for at := range t.observed {
			for _, j := range jobs {
				if at >= j.From-near && at < j.From || at >= j.To && at < j.To+near {
					seen = append(seen, world.Span{From: at, To: at + 60})
					break
				}
			}
		}
	}
	seen = append(seen, world.Span{From: max(nt.appeared, first-near), To: first}, world.Span{
		From: max(last+60, nt.gone-near), To: nt.gone,
	})
	nt.dark = Dark(world.Span{From: nt.appeared, To: nt.gone}, seen)
}

// lifeOn is the part of the life that overlaps the day of an hour.
func (nt *nodeTruth) lifeOn(hour int64) (appeared, gone int64) {
	appeared, gone = nt.appeared, nt.gone
	day := hour / oneDay * oneDay
	for _, d := range nt.dark {
		if d.From <= day && d.To >= day+oneDay {
			return 0, 0
		}
		if d.To < day+oneDay {
			appeared = max(appeared, d.To)
		} else {
			gone = min(gone, d.From)
		}
	}
	return appeared, gone
}
