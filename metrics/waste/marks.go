package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/period"
)

// joining says how marks of a kind become findings.
type joining struct {
	gap   period.Second // from the end of one to the start of the next, at most
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
	MIGInDev:               {days: true, secs: MIGSeconds},
	NodeFragmentation:      {alone: true},
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

// finding makes one of marks that belong together, where they are enough.
func (r joining) finding(marks []Mark) (Finding, bool) {
	f := Finding{Kind: marks[0].Kind, From: marks[0].From, Where: marks[0].Where}
	hours, secs, last := int64(0), int64(0), period.Second(-1)
	sums := append([]Number(nil), marks[0].Numbers...)
	for i := range marks {
		m := &marks[i]
		f.To = max(f.To, m.To)
		f.Share.add(m.Share)
		f.Where = f.Where.join(m.Where)
		f.Quality = f.Quality.Worse(m.Quality)
		if secs += m.Seconds; m.From != last {
			hours, last = hours+1, m.From
		}
		for k := range sums {
			if i > 0 && k < len(m.Numbers) {
				sums[k].Value += m.Numbers[k].Value
			}
		}
	}
	if hours < r.hours || secs < r.secs {
		return f, false
	}
	for k := range sums { // means of hours; codes and bit sets have none
		if sums[k].Value /= int64(len(marks)); sums[k].Unit == "" || sums[k].Unit == "bit set" {
			sums[k].Value = marks[len(marks)-1].Numbers[k].Value
		}
	}
	if r.hours > 0 {
		sums = append([]Number{{"hours", "hours", hours}}, sums...)
	}
	if d, _ := Define(f.Kind); r.hours == 0 && len(sums) == 0 && len(d.Thresholds) > 0 {
		sums = []Number{{d.Thresholds[0].Name, "seconds", secs}}
	}
	f.Evidence = evidence(f.Kind, sums...)
	return f, true
}
