package panel

import (
	"github.com/a-h/templ"

	"gpuledger/internal/period"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

const chartHeight = 240

// stack draws bars over time, stacked by group.
func (d *drawing) stack() templ.Component {
	groups, _ := d.folded()
	stack := chart.Stack{Label: d.label(groups), Axis: figures.Axis(d.column, d.coin()), Height: chartHeight}
	var legend []views.LegendKey
	for i, g := range groups {
		stack.Classes = append(stack.Classes, d.class(g, i))
		if g.total == nil {
			continue // only the earlier period has it
		}
		legend = append(legend, views.LegendKey{
			Class: d.class(g, i), Text: d.name(g), Figure: d.short(d.column, g.total), Href: d.mark("", g, g.total, -1).Href,
		})
	}
	first := true
	for i, s := range d.steps {
		step := chart.Step{
			Label: d.tick(i), Tick: d.ticked(i), Provisional: s.provisional, Part: d.part(s.span), Missing: true,
		}
		for _, g := range groups {
			a, known := g.cells[i]
			v := 0.0
			if known && a != nil {
				v, step.Missing = page.Pixels(*a), false
			}
			m := d.mark("bar", g, a, i)
			m.First = first && m.Value != ""
			first = first && !m.First
			step.Values, step.Marks = append(step.Values, v), append(step.Marks, m)
		}
		stack.Steps = append(stack.Steps, step)
	}
	stack.Events = d.events(d.steps[len(d.steps)-1].span.To)
	if len(d.keys) == 0 { // all of it: the title says so
		return chart.Stacked(stack.Draw())
	}
	return views.WithKey(chart.Stacked(stack.Draw()), legend)
}

// mostNamed is how many lines have room for their names.
const mostNamed = 6

// lines draws a line per group.
func (d *drawing) lines() templ.Component {
	groups := d.few(mostNamed - 1)
	l := chart.Lines{Label: d.label(groups), Axis: figures.Axis(d.column, d.coin()), Height: chartHeight}
	for i := range d.steps {
		text := ""
		if d.ticked(i) {
			text = d.tick(i)
		}
		l.Steps = append(l.Steps, text)
	}
	for k, g := range groups {
		s := chart.Series{High: k == 0}
		for i := range d.steps {
			a := g.cells[i]
			v := page.Gap
			if a != nil {
				v = page.Pixels(*a)
				s.Value = d.short(d.column, a)
			}
			m := d.mark("point", g, a, i)
			m.First = len(l.Series) == 0 && i == 0
			s.Points, s.Marks = append(s.Points, v), append(s.Marks, m)
		}
		switch {
		case s.Value == "":
			continue
		case k < mostNamed:
			s.Name = page.Shorten(d.name(g), max(24-len([]rune(s.Value)), 6))
		default:
			s.Value = "" // the tip and the table name it
		}
		l.Series = append(l.Series, s)
	}
	l.Events = d.events(d.steps[len(d.steps)-1].span.From) // points are at the start of their steps
	return chart.Lined(l.Draw())
}

// part says up to when a step has data, if not for all of it.
func (d *drawing) part(span period.Interval) string {
	if end := d.Extent.Data; span.From < end && end < span.To {
		if span.Seconds() > int64(period.Day) {
			return "to " + format.Day(end-1)
		}
		return "to " + format.Clock(end)
	}
	return ""
}

// tick is the label of a step on the axis, if the axis names it.
func (d *drawing) tick(i int) string {
	before := i - 1
	for before >= 0 && !d.ticked(before) {
		before--
	}
	return d.stepLabel(i, before)
}

// stepLabel is the short name of a step. It has the month if that of the label before is another; before is -1 if there
// is none.
func (d *drawing) stepLabel(i, before int) string {
	span := d.steps[i].span
	at := span.From.Time()
	newMonth := before < 0 || d.steps[before].span.From.Time().Month() != at.Month()
	switch {
	case span.To-span.From < period.Second(period.Day):
		if i == 0 || at.Hour() == 0 {
			return at.Format("2 Jan")
		}
		return at.Format("15:04")
	case span == period.MonthOf(span.From):
		return at.Format("Jan 06")
	case newMonth:
		return at.Format("2 Jan")
	}
	return at.Format("2")
}

// ticked reports whether the axis names a step: about eight are named.
func (d *drawing) ticked(i int) bool {
	n := len(d.steps)
	if n <= 12 {
		return true
	}
	return i%((n+7)/8) == 0
}

// label says what the chart shows, with its largest group.
func (d *drawing) label(groups []*group) string {
	text := d.Title
	if len(groups) > 0 {
		text += ". Largest: " + d.name(groups[0]) + ", " + d.figure(d.column, groups[0].total).Text
	}
	return text
}
