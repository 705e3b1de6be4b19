package chart

import "math"

// Small is one of the charts of Multiples; NaN values are gaps.
type Small struct {
	Name, Figure string
	Mark         Mark // of its name: the sum of its values, where they add up
	Values       []float64
	Marks        []Mark // one per value; one without a figure is not drawn
	Pale         []bool // one per value: provisional, or a step with part of its data
	Class        string
}

// Multiples are small charts side by side, all of one scale.
type Multiples struct {
	Label  string
	Charts []Small
	Axis   func(value, step float64) string
	Lines  bool // of values that do not start at zero or do not add up; else bars
	Height int  // of one chart, px
}

// MultiplesDrawing is Multiples laid out.
type MultiplesDrawing struct {
	Label, Height     string
	Low, High         string // ends of the scale
	PlotTop, PlotSize string
	ViewBox           string
	Grid              []string // Y of lines
	Base              string
	Charts            []SmallDrawing
}

// SmallDrawing is a Small laid out.
type SmallDrawing struct {
	Small
	Bars []LinkedRect
	Path string
	Dots []Dot
}

const smallRoom = 4.0 // above and below the plot, px

// Draw lays the charts out.
func (m Multiples) Draw() MultiplesDrawing {
	high, low := 0.0, 0.0
	for _, c := range m.Charts {
		for _, v := range c.Values {
			if !math.IsNaN(v) {
				high, low = max(high, v), min(low, v)
			}
		}
	}
	step := fineStep(high-low, 3)
	top, bottom := 0.0, 0.0
	for top < high || top == 0 && low == 0 {
		top += step
	}
	for bottom > low {
		bottom -= step
	}
	plot := float64(m.Height) - 2*smallRoom
	y := func(v float64) float64 { return (top - v) / (top - bottom) * plot }
	d := MultiplesDrawing{
		Label: m.Label, Height: px(float64(m.Height)), Low: m.Axis(bottom, step), High: m.Axis(top, step),
		PlotTop: px(smallRoom), PlotSize: px(plot), ViewBox: "0 0 1000 " + px(plot), Base: px(smallRoom + y(0)),
	}
	for i := range int(math.Round((top-bottom)/step)) + 1 {
		d.Grid = append(d.Grid, px(smallRoom+y(bottom+float64(i)*step)))
	}
	for _, c := range m.Charts {
		d.Charts = append(d.Charts, m.small(c, y))
	}
	return d
}

// small lays one chart out.
func (m Multiples) small(c Small, y func(float64) float64) SmallDrawing {
	s := SmallDrawing{Small: c}
	n := float64(max(len(c.Values), 1))
	x := func(i int) float64 { return (float64(i) + .5) / n }
	for i, v := range c.Values {
		if math.IsNaN(v) || c.Marks[i].Value == "" {
			continue
		}
		if m.Lines {
			s.Dots = append(s.Dots, Dot{percent(x(i)), px(smallRoom + y(v)), c.Marks[i]})
			continue
		}
		class := c.Class
		if c.Pale[i] {
			class += " prov"
		}
		width := min(.84/n, .12)
		s.Bars = append(s.Bars, LinkedRect{Rect{
			X: percent(x(i) - width/2), W: percent(width), Y: px(smallRoom + y(max(v, 0))), H: px(math.Abs(y(v) - y(0))),
			Class: class,
		}, c.Marks[i]})
	}
	if m.Lines {
		s.Path = linePath(c.Values, x, y)
	}
	return s
}
