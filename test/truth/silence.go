package truth

import (
	"slices"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// lateMinutes is rule 2.9: this many minutes without a report are silence, fewer are a late scrape.
const lateMinutes = 10

// reports are the minutes in which something reported, including those between two reports that are close together.
type reports map[int64]bool

func reportsOf(minutes []int64) reports {
	slices.Sort(minutes)
	r := reports{}
	for i, m := range minutes {
		r[m] = true
		if i == 0 || m-minutes[i-1] > lateMinutes*60 {
			continue
		}
		for between := minutes[i-1]; between < m; between += 60 {
			r[between] = true
		}
	}
	return r
}

// minutesOf are the minutes in which a node was listed, and in which its
// exporter sampled.
func (t *truth) minutesOf(n *world.Node) (listed, sampled []int64) {
	if !n.Joined {
		return nil, nil
	}
	for at := world.CeilTo(max(n.Created, t.World.From), world.KSMSecond); !t.Site.Slurm &&
		at < fleetsim.NodeKubeEnd(t.World, n); at += 60 {
		if !world.In(t.KSMGaps, at) {
			listed = append(listed, at/60*60)
		}
	}
	for at := world.CeilTo(max(n.ExpFrom, t.World.From), n.Phase); at < min(n.Until(t.World), t.World.To); at += 60 {
		if !world.In(n.ExpGaps, at) {
			sampled = append(sampled, at/60*60)
		}
	}
	return listed, sampled
}

// readReports is rule 2.9: when each machine reported, and when others of its cluster reported through the same kind of
// source.
func (t *truth) readReports() {
	var anyListed, anySampled []int64
	for _, n := range t.World.Nodes {
		nt := t.nodes[n]
		listed, sampled := t.minutesOf(n)
		anyListed, anySampled = append(anyListed, listed...), append(anySampled, sampled...)
		nt.own = reportsOf(slices.Concat(listed, sampled))
		nt.listed, nt.sampled = len(listed) > 0, len(sampled) > 0
	}
	heard := map[[2]bool]reports{
		{true, false}: reportsOf(slices.Clone(anyListed)), {false, true}: reportsOf(slices.Clone(anySampled)),
		{true, true}: reportsOf(slices.Concat(anyListed, anySampled)),
	}
	for _, nt := range t.nodes {
		nt.heard = heard[[2]bool{nt.listed, nt.sampled}]
	}
}

// silent: the machine did not report while others of its cluster did.
func (nt *nodeTruth) silent(minute int64) bool { return nt.heard[minute] && !nt.own[minute] }

// unseen accounts for seconds of an hour that were billed while the machine did not exist (rules 7.7, 7.8, 7.10, 8.1):
// those before it appeared, the last first, then those after it was gone, then those for which the hour has no room.
func (t *truth) unseen(nt *nodeTruth, hour, seconds int64, put func(cause string, seconds int64)) {
	appeared, gone := nt.lifeOn(hour)
	var clock []int64
	switch {
	case nt.appeared == 0: // only billed
	case appeared == 0: // in the dark
		for s := hour; s < hour+3600; s++ {
			clock = append(clock, s)
		}
	default:
		for s := min(hour+3600, appeared) - 1; s >= hour; s-- {
			clock = append(clock, s)
		}
		for s := max(hour, gone); s < hour+3600; s++ {
			clock = append(clock, s)
		}
	}
	by := map[string]int64{}
	for _, s := range clock[:min(int64(len(clock)), seconds)] {
		minute := s / 60 * 60
		if minute == appeared/60*60 { // the machine's own report is in it
			minute -= 60
		}
		switch {
		case s >= nt.gone && nt.told, nt.heard[minute]:
			by["unavailable"]++
		case t.Site.Slurm && nt.inSource && t.observed[minute]:
			by["free"]++
		default:
			by["unobserved"]++
		}
	}
	by["unobserved"] += max(0, seconds-int64(len(clock)))
	for _, cause := range []string{"free", "unavailable", "unobserved"} {
		if by[cause] > 0 {
			put(cause, by[cause])
		}
	}
}
