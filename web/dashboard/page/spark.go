package page

import (
	"math"

	"gpuledger/internal/period"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// Course is a figure over the steps of a period, for a cell of a table.
type Course struct {
	Name   string
	Points []float64                   // Gap where unknown
	At     func(i int) period.Interval // a step
	Print  func(i int) string          // its figure
	Step   string                      // hour, day, week or month
	Href   string
}

// Cell draws the course; it is empty if fewer than two steps are known.
func (c Course) Cell() views.Cell {
	path := chart.Trend(c.Points)
	if path == "" {
		return views.Cell{}
	}
	first, last := -1, 0
	for i, v := range c.Points {
		if math.IsNaN(v) {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	known := period.Interval{From: c.At(first).From, To: c.At(last).To}
	article := "a "
	if c.Step == "hour" {
		article = "an "
	}
	return views.Cell{Trend: &views.Trend{
		Path: path, Href: c.Href,
		Title: c.Name + ", " + format.ShortDays(known) + ": from " + c.Print(first) + " to " + c.Print(last) + " " + article + c.Step,
	}}
}
