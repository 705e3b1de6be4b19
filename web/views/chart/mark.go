package chart

import (
	"slices"
	"unicode/utf8"

	"github.com/a-h/templ"
)

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

// eventLetter is the share of the axis that a letter of an event takes, of the 640 px that an axis has at least where
// texts are drawn in full.
const eventLetter = letter / 640

// eventLines lays events out. A text that would run into another one, into taken shares of the axis, or out of the chart,
// is left to the title.
func eventLines(events []Event, taken ...[2]float64) []EventLine {
	var out []EventLine
	most := len(taken) + mostEventTexts
	for _, e := range events {
		if e.At < 0 || e.At > 1 {
			continue
		}
		line := EventLine{X: percent(e.At), Title: e.Text}
		width := float64(utf8.RuneCountInString(e.Text)) * eventLetter
		span, anchor := [2]float64{e.At, e.At + width}, ""
		if span[1] > 1 {
			span, anchor = [2]float64{e.At - width, e.At}, "end"
		}
		meets := func(t [2]float64) bool { return span[0] < t[1] && t[0] < span[1] }
		if len(taken) < most && span[0] >= 0 && !slices.ContainsFunc(taken, meets) {
			line.Text, line.Anchor = e.Text, anchor
			taken = append(taken, span)
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
