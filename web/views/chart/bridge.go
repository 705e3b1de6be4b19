package chart

import "math"

// Bridge leads from one total to another by its parts.
type Bridge struct {
	Label string
	Bars  []BridgeBar // the first and the last are totals
	Axis  func(value, step float64) string
}

// BridgeBar is a total or a change.
type BridgeBar struct {
	Name, Figure string
	Size         float64 // of a total its value, of a change its difference
	Total        bool
	Class        string
	Mark         Mark
}

// BridgeDrawing is a Bridge laid out.
type BridgeDrawing struct {
	Label, Height, Base string
	Cut                 string // says where a cut axis starts
	Grid                []GridLine
	Bars                []BridgeBox
	Joins               []Rect // thin lines from bar to bar: X to W at Y
}

// BridgeBox is a drawn bar with its texts.
type BridgeBox struct {
	Rect
	Bar          BridgeBar
	TextX        string
	NameY        string
	FigureY      string
	Lines        []string // the name in at most two lines
	SecondY      string
	FigureAnchor string
}

// cutFrom is the share of the highest level above which the axis is cut: changes would be too low to be seen.
const cutFrom = .6

const (
	bridgeHeight = 260.0
	bridgeTop    = 24.0
	bridgeBottom = 46.0
)

// Draw lays the bars out. The axis starts at 0 unless all levels are far from it: then it is cut, which the drawing
// says.
func (b Bridge) Draw() BridgeDrawing {
	spans := b.spans()
	low, high, least := 0.0, 0.0, math.Inf(1)
	for _, s := range spans {
		low, high = math.Min(low, math.Min(s.from, s.to)), math.Max(high, math.Max(s.from, s.to))
		least = math.Min(least, s.to)
	}
	d := BridgeDrawing{Label: b.Label, Height: px(bridgeHeight)}
	cut := low == 0 && least > cutFrom*high && least < high
	if cut {
		low = least - (high-least)*.3
	}
	step := fineStep(high-low, 4)
	top, bottom := math.Ceil(high/step-1e-9)*step, math.Floor(low/step+1e-9)*step
	if top == bottom {
		top = bottom + step
	}
	if cut && bottom > 0 {
		d.Cut = "The axis starts at " + b.Axis(bottom, step) + "."
	}
	plot := bridgeHeight - bridgeTop - bridgeBottom
	y := func(v float64) float64 { return bridgeTop + (top-math.Max(v, bottom))/(top-bottom)*plot }
	d.Base = px(y(math.Max(bottom, 0)))
	for v := bottom; v <= top+step/2; v += step {
		d.Grid = append(d.Grid, GridLine{At: px(y(v)), Text: b.Axis(v, step)})
	}
	pitch := 1 / float64(max(len(b.Bars), 1))
	for i, bar := range b.Bars {
		from, to := y(spans[i].from), y(spans[i].to)
		d.Bars = append(d.Bars, BridgeBox{
			Bar: bar, TextX: percent(pitch * (float64(i) + .5)), Lines: twoLines(bar.Name),
			NameY: px(bridgeHeight - bridgeBottom + 18), SecondY: px(bridgeHeight - bridgeBottom + 32),
			FigureY: px(math.Min(from, to) - 6),
			Rect: Rect{
				X: percent(pitch * (float64(i) + .14)), W: percent(pitch * .72),
				Y: px(math.Min(from, to)), H: px(math.Max(math.Abs(from-to), 1)), Class: bar.Class,
			},
		})
		if i+1 < len(b.Bars) {
			d.Joins = append(d.Joins, Rect{
				X: percent(pitch * (float64(i) + .86)), W: percent(pitch * (float64(i) + 1.14)), Y: px(to),
			})
		}
	}
	return d
}

// span is the part of the axis that a bar covers.
type span struct{ from, to float64 }

// spans are the bars' parts of the axis: totals from 0, changes from where the bar before ended.
func (b Bridge) spans() []span {
	out := make([]span, len(b.Bars))
	at := 0.0
	for i, bar := range b.Bars {
		if bar.Total {
			at = 0
		}
		out[i] = span{at, at + bar.Size}
		at += bar.Size
	}
	return out
}

// twoLines breaks a name at the space nearest to its middle.
func twoLines(name string) []string {
	if len(name) < 12 {
		return []string{name}
	}
	best := -1
	for i, r := range name {
		if r == ' ' && (best < 0 || abs(i-len(name)/2) < abs(best-len(name)/2)) {
			best = i
		}
	}
	if best < 0 {
		return []string{name}
	}
	return []string{name[:best], name[best+1:]}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
