package panel

import (
	"cmp"

	"github.com/a-h/templ"

	"gpuledger/internal/period"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
)

// MostMultiples is how many small charts are drawn; the others are added up in one more.
const MostMultiples = 12

const smallHeight = 76

// multiples draws a small chart per group, all of one scale.
func (d *drawing) multiples() templ.Component {
	groups, left := d.fold(min(cmp.Or(d.Most, MostMultiples), MostMultiples))
	m := chart.Multiples{
		Label: d.label(groups), Axis: figures.Axis(d.column, d.coin()), Height: smallHeight, Lines: !adds(d.column),
	}
	pale := false
	for _, g := range groups {
		if g.total == nil && len(g.cells) == 0 {
			continue // only the earlier period has it
		}
		c := chart.Small{Name: d.name(g), Figure: d.short(d.column, g.total), Mark: d.mark("total", g, g.total, -1), Class: "s1"}
		if c.Mark.Kind, c.Mark.First = "total", true; g.folded > 0 {
			c.Class = "f-other"
		}
		for i, s := range d.steps {
			a, v := g.cells[i], page.Gap
			if a != nil {
				v = page.Pixels(*a)
			}
			partly := s.provisional || d.part(s.span) != ""
			pale = pale || partly && a != nil
			c.Values, c.Marks = append(c.Values, v), append(c.Marks, d.mark("bar", g, a, i))
			c.Pale = append(c.Pale, partly)
		}
		m.Charts = append(m.Charts, c)
	}
	drawn := m.Draw()
	drawnAs := "bar"
	if m.Lines {
		drawnAs = "point"
	}
	text := "All charts have one scale, " + drawn.Low + " to " + drawn.High + d.unitWord() + ", and a " + drawnAs + " per " +
		d.stepWord() + ", " + d.stepName(0) + " to " + d.stepName(len(d.steps)-1) + "."
	if pale && !m.Lines {
		text += " Pale: provisional, or not complete."
	}
	return views.WithLeft(chart.Repeated(drawn, text), left)
}

// stepWord is the unit of the axis.
func (d *drawing) stepWord() string {
	switch span := d.steps[0].span; {
	case span.To-span.From < period.Second(period.Day):
		return "hour"
	case span == period.MonthOf(span.From):
		return "month"
	case span.Seconds() > int64(period.Day):
		return "week"
	}
	return "day"
}
