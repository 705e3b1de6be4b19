package chart

import (
	"math"
	"sort"
	"strings"

	"gpuledger/web/views/format"
)

// Series is one line; NaN points are gaps.
type Series struct {
	Name   string
	Title  string // the full name, where Name is shortened
	Value  string // printed at the right end, before the name; without both the end has no label
	Points []float64
	Marks  []Mark // one per point, where points are links
	High   bool   // drawn in accent
	Dashed bool
}

// Lines is rates over time; four read well.
type Lines struct {
	Label    string
	Series   []Series
	Steps    []string // axis labels, one per point; empty: no label
	Currency format.Currency
	// Axis prints the grid labels of values other than whole amounts of money: shares, prices per unit.
	Axis   func(value, step float64) string
	Events []Event
	Height int
}

// LineDrawing is Lines laid out.
type LineDrawing struct {
	Label, Height, Base string
	ViewBox             string
	PlotTop, PlotHeight string
	Grid                []GridLine
	Paths               []Path
	Ticks               []Label
	Ends                []Label
	Dots                []Dot
	Events              []EventLine
}

// Dot is a point that leads somewhere.
type Dot struct {
	X, Y string
	Mark Mark
}

// Path is a drawn line.
type Path struct{ D, Class string }

// Draw lays the lines out.
func (l Lines) Draw() LineDrawing {
	const top, bottom = 8.0, 24.0
	high := 0.0
	for _, s := range l.Series {
		for _, v := range s.Points {
			if !math.IsNaN(v) {
				high = max(high, v)
			}
		}
	}
	step := niceStep(high, 4)
	if l.Axis != nil {
		step = fineStep(high, 4)
	}
	limit := step
	for limit < high {
		limit += step
	}
	plot := float64(l.Height) - top - bottom
	y := func(v float64) float64 { return (limit - v) / limit * plot }
	d := LineDrawing{
		Label: l.Label, Height: px(float64(l.Height)), Base: px(top + plot),
		ViewBox: "0 0 1000 " + px(plot), PlotTop: px(top), PlotHeight: px(plot),
	}
	for v := 0.0; v <= limit+step/2; v += step {
		text := l.Currency.Axis(int64(v))
		if l.Axis != nil {
			text = l.Axis(v, step)
		}
		d.Grid = append(d.Grid, GridLine{At: px(top + y(v)), Text: text})
	}
	n := len(l.Steps)
	x := func(i int) float64 {
		if n < 2 {
			return .5
		}
		return float64(i) / float64(n-1)
	}
	for i, text := range l.Steps {
		if text != "" {
			class := tickClass(len(d.Ticks))
			d.Ticks = append(d.Ticks, Label{X: percent(x(i)), Y: px(float64(l.Height) - 6), Text: text, Class: class})
		}
	}
	type end struct {
		y float64
		s Series
	}
	var ends []end
	for _, s := range l.Series {
		class, last := "line", math.NaN()
		if s.High {
			class = "line hi"
		}
		if s.Dashed {
			class += " dash"
		}
		d.Paths = append(d.Paths, Path{linePath(s.Points, x, y), class})
		for i, v := range s.Points {
			if math.IsNaN(v) {
				continue
			}
			last = v
			if s.Marks != nil && s.Marks[i].Href != "" {
				d.Dots = append(d.Dots, Dot{percent(x(i)), px(top + y(v)), s.Marks[i]})
			}
		}
		if !math.IsNaN(last) && s.Name+s.Value != "" {
			ends = append(ends, end{y(last), s})
		}
	}
	sort.SliceStable(ends, func(i, j int) bool { return ends[i].y < ends[j].y })
	ys := make([]float64, len(ends))
	for i, e := range ends {
		ys[i] = e.y
	}
	pushApart(ys, 15, 4, plot)
	for i, e := range ends {
		class := "mid2"
		if e.s.High {
			class = "hi"
		}
		d.Ends = append(d.Ends, Label{X: "100%", Y: px(top + ys[i] + 4), Text: e.s.Value + "  " + e.s.Name, Class: class,
			Title: e.s.Title})
	}
	d.Events = eventLines(l.Events)
	return d
}

// linePath writes moves and lines; a NaN lifts the pen. A single point becomes
// a short dash so that it can be seen.
func linePath(points []float64, x func(int) float64, y func(float64) float64) string {
	var b strings.Builder
	pen := false
	for i, v := range points {
		if math.IsNaN(v) {
			pen = false
			continue
		}
		at := px(x(i)*1000) + " " + px(y(v))
		if pen {
			b.WriteString("L" + at)
			continue
		}
		b.WriteString("M" + at)
		if i+1 >= len(points) || math.IsNaN(points[i+1]) {
			b.WriteString("h3")
		}
		pen = true
	}
	return b.String()
}

// Spark returns the path of a small line in a box of 100 × 26; empty when
// fewer than two points are known.
func Spark(points []float64) string { return spark(points, math.Inf(1)) }

// Trend is Spark from zero: a small change looks small.
func Trend(points []float64) string { return spark(points, 0) }

func spark(points []float64, low float64) string {
	high, known := math.Inf(-1), 0
	for _, v := range points {
		if !math.IsNaN(v) {
			low, high, known = min(low, v), max(high, v), known+1
		}
	}
	if known < 2 {
		return ""
	}
	span := high - low
	if span <= 0 {
		span = 1
	}
	n := float64(max(len(points)-1, 1))
	return linePath(points, func(i int) float64 { return float64(i) / n / 10 },
		func(v float64) float64 { return 3 + (high-v)/span*20 })
}
