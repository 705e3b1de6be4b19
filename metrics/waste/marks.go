package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/period"
)

// joining is how marks of a kind become findings.
type joining struct {
	gap   period.Second // most seconds from the end of one to the start of the next
	days  bool          // marks of UTC days in a row
	alone bool          // every mark is a finding
	hours int64         // least number of different hours
	secs  int64         // least seconds together
}

var joinings = map[Kind]joining{
	Throttled:              {gap: MarkGapSeconds, hours: MarkedHours},
	XID:                    {gap: MarkGapSeconds, hours: 1},
	InputStarved:           {gap: MarkGapSeconds, hours: MarkedHours},
	MemoryBound:            {gap: MarkGapSeconds, hours: MarkedHours},
	CommunicationBound:     {gap: MarkGapSeconds, hours: MarkedHours},
	MemorySaturated:        {gap: MarkGapSeconds, hours: MarkedHours},
	TrainingGradeInference: {gap: MarkGapSeconds, hours: MarkedHours},
	TimeslicingProduction:  {gap: MarkGapSeconds, secs: SharedSeconds},
	TimeslicingAcrossTeams: {days: true},
	MixedOnSharedCard:      {days: true},
	MIGInDev:               {days: true, secs: MIGSeconds},
	NodeFragmentation:      {alone: true},
	NoProductSelector:      {gap: MarkGapSeconds, secs: PickSeconds},
}

// judgeMarks joins marks of a kind into findings.
func judgeMarks(traces []*Trace, end period.Second) []Finding {
	byKind := map[Kind][]Mark{}
	for _, t := range traces {
		for _, m := range t.Marks {
			byKind[m.Kind] = append(byKind[m.Kind], m)
		}
	}
	var out []Finding
	for _, d := range Definitions {
		list := byKind[d.Kind]
		slices.SortStableFunc(list, func(a, b Mark) int { return cmp.Compare(a.From, b.From) })
		rule := joinings[d.Kind]
		for i := 0; i < len(list); {
			j, to := i+1, list[i].To
			for j < len(list) && rule.joins(to, list[j].From) {
				to = max(to, list[j].To)
				j++
			}
			if f, ok := rule.finding(list[i:j]); ok {
				f.Open = reaches(f.To, end)
				out = append(out, f)
			}
			i = j
		}
	}
	return out
}

func (r joining) joins(to, from period.Second) bool {
	switch {
	case r.alone:
		return false
	case r.days:
		return from.Floor(period.Day) <= (to-1).Floor(period.Day)+period.Day
	}
	return from <= to+r.gap
}

// finding makes a finding of marks that belong together, if they are enough.
func (r joining) finding(marks []Mark) (Finding, bool) {
	f := Finding{Kind: marks[0].Kind, From: marks[0].From, Where: marks[0].Where}
	hours, secs, last := int64(0), int64(0), period.Second(-1)
	for i := range marks {
		m := &marks[i]
		secs += min(m.Seconds, max(0, int64(m.To-max(m.From, f.To)))) // several holders at once count once
		f.To = max(f.To, m.To)
		f.Share.add(m.Share)
		f.Where = f.Where.join(m.Where)
		f.Quality = f.Quality.Worse(m.Quality)
		if m.From != last {
			hours, last = hours+1, m.From
		}
	}
	f.Met = secs
	if hours < r.hours || secs < r.secs {
		return f, false
	}
	numbers := means(marks)
	if r.hours > 0 {
		numbers = append([]Number{{"hours", "hours", hours}}, numbers...)
	}
	if d, _ := Define(f.Kind); r.hours == 0 && len(d.Thresholds) > 0 {
		if time := d.Thresholds[0].Name; !slices.ContainsFunc(numbers, func(n Number) bool { return n.Name == time }) {
			numbers = append([]Number{{time, "seconds", secs}}, numbers...)
		}
	}
	f.Evidence = EvidenceOf(f.Kind, numbers...)
	return f, true
}

// means are the means of the marks' numbers, each over the marks that have it: hours of one finding may have met it by
// different signals. Codes and bit sets have no mean: the newest one is kept. A mean of whole numbers on one side of a
// threshold stays on that side, even rounded down.
func means(marks []Mark) (out []Number) {
	times := map[string]int64{}
	for i := range marks {
		for _, n := range marks[i].Numbers {
			at := slices.IndexFunc(out, func(o Number) bool { return o.Name == n.Name })
			switch {
			case at < 0:
				out = append(out, n)
			case n.Unit == "" || n.Unit == "bit set":
				out[at].Value = n.Value
				continue
			default:
				out[at].Value += n.Value
			}
			times[n.Name]++
		}
	}
	for i := range out {
		if n := &out[i]; n.Unit != "" && n.Unit != "bit set" {
			n.Value /= times[n.Name]
		}
	}
	return out
}
