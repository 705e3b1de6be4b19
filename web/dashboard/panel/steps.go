package panel

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// MostSteps bounds the steps of an axis.
const MostSteps = 800

// everyStep puts the steps in order and adds those of the axis without rows.
func (s *sheet) everyStep(by metrics.Granularity, span period.Interval) {
	if len(s.steps) == 0 {
		return
	}
	old := slices.Clone(s.steps)
	slices.SortFunc(s.steps, func(x, y step) int { return cmp.Compare(x.span.From, y.span.From) })
	var all []step
	gaps := func(from, to period.Second) {
		for from < to && len(all) < MostSteps {
			all = append(all, step{span: spanOf(from, by)})
			from = all[len(all)-1].span.To
		}
	}
	if first := s.steps[0].span.From; !span.Empty() && span.From < first {
		gaps(startOf(span.From, by), first)
	}
	for i, next := range s.steps {
		if i > 0 {
			gaps(s.steps[i-1].span.To, next.span.From)
		}
		all = append(all, next)
	}
	if !span.Empty() {
		gaps(all[len(all)-1].span.To, span.To)
	}
	s.steps = all
	at := map[period.Second]int{}
	for i, x := range all {
		at[x.span.From] = i
	}
	place := make([]int, len(old))
	for i, o := range old {
		place[i] = at[o.span.From]
	}
	for _, g := range s.groups {
		cells := make(map[int]*money.Amount, len(g.cells))
		for i, a := range g.cells {
			cells[place[i]] = a
		}
		g.cells = cells
	}
}

// step finds or adds the step of a row, and notes whether it is provisional.
func (b *builder) step(s *sheet, r page.Record) int {
	from := r.Second("period_start")
	id := s.currency + from.String()
	i, known := b.places[id]
	if !known {
		i = len(s.steps)
		b.places[id] = i
		s.steps = append(s.steps, step{span: spanOf(from, b.q.Granularity)})
	}
	if r.Text("state") == string(ledger.Provisional) {
		s.steps[i].provisional = true
	}
	return i
}

// spanOf is the bucket that begins at an instant (UTC).
func spanOf(from period.Second, by metrics.Granularity) period.Interval {
	switch by {
	case metrics.Hour:
		return period.Interval{From: from, To: from + period.Second(period.Hour)}
	case metrics.Week:
		return period.Interval{From: from, To: from + 7*period.Second(period.Day)}
	case metrics.Month:
		return period.MonthOf(from)
	}
	return period.DayOf(from)
}

// startOf is the start of the bucket with an instant (UTC). Weeks begin on Monday.
func startOf(at period.Second, by metrics.Granularity) period.Second {
	switch by {
	case metrics.Hour:
		return at.Floor(period.Hour)
	case metrics.Week:
		day := at.Floor(period.Day)
		return day - period.Second((int64(day.Time().Weekday())+6)%7)*period.Second(period.Day)
	case metrics.Month:
		return period.MonthOf(at).From
	}
	return at.Floor(period.Day)
}
