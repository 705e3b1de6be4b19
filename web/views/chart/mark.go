package chart

import "github.com/a-h/templ"

// Mark is a drawn figure that leads somewhere.
type Mark struct {
	Kind  string // bar, point, area, cell, part, step; total for a sum of other marks
	Href  string
	Value string // plain decimal; empty: unknown
	Unit  string // ISO code of money, else the unit
	Title string // what it is, with its figure in words
	First bool   // the one that the tab key stops at; arrows lead to the others
}

// tab is the mark's tabindex.
func (m Mark) tab() string {
	if m.First {
		return "0"
	}
	return "-1"
}

// Event is something that happened, drawn on a time axis.
type Event struct {
	At   float64 // share of the axis, 0 to 1
	Text string
}

// EventLine is an Event laid out; only the first few have room for their text.
type EventLine struct {
	X, Text, Anchor, Title string
}

// mostEventTexts is how many events are named in a chart; the table names all.
const mostEventTexts = 3

// eventLines lays events out. A text that would run into the one before is left to the title.
func eventLines(events []Event) []EventLine {
	var out []EventLine
	last, named := -1.0, 0
	for _, e := range events {
		if e.At < 0 || e.At > 1 {
			continue
		}
		line := EventLine{X: percent(e.At), Title: e.Text}
		if named < mostEventTexts && (last < 0 || e.At-last > .3) {
			line.Text, last = e.Text, e.At
			named++
			if e.At > .6 {
				line.Anchor = "end"
			}
		}
		out = append(out, line)
	}
	return out
}

// Attributes are those of the link that draws a mark.
func Attributes(m Mark) templ.Attributes {
	a := templ.Attributes{"data-mark": m.Kind, "href": m.Href, "aria-label": m.Title, "title": m.Title, "tabindex": m.tab()}
	if m.Value != "" {
		a["data-value"], a["data-unit"] = m.Value, m.Unit
	}
	return a
}

// Named are the attributes of a mark whose own text names it.
func Named(m Mark) templ.Attributes {
	a := Attributes(m)
	delete(a, "aria-label")
	return a
}

// role of a chart: one with links is a group of them, since the children of an image are not read out.
func role(links int) string {
	if links > 0 {
		return "group"
	}
	return "img"
}
