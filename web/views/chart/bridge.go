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

const (
	bridgeHeight = 260.0
	bridgeTop    = 24.0
	bridgeBottom = 46.0
)

// Draw lays the bars out. The axis starts at 0 unless all totals are far from it: then it is cut, and says so by its
// first label.
func (b Bridge) Draw() BridgeDrawing {
	low, high, at := 0.0, 0.0, 0.0
	type span struct{ from, to float64 }
	spans := make([]span, len(b.Bars))
	for i, bar := range b.Bars {
		if bar.Total {
			spans[i] = span{0, bar.Size}
			at = bar.Size
		} else {
			spans[i] = span{at, at + bar.Size}
			at += bar.Size
		}
		low, high = math.Min(low, math.Min(spans[i].from, spans[i].to)), math.Max(high, math.Max(spans[i].from, spans[i].to))
	}
	step := fineStep(high-low, 4)
	top := math.Ceil(high/step-1e-9) * step
	bottom := math.Floor(low/step+1e-9) * step
	if top == bottom {
		top = bottom + step
	}
	plot := bridgeHeight - bridgeTop - bridgeBottom
	y := func(v float64) float64 { return bridgeTop + (top-v)/(top-bottom)*plot }
	d := BridgeDrawing{Label: b.Label, Height: px(bridgeHeight), Base: px(y(0))}
	for v := bottom; v <= top+step/2; v += step {
		d.Grid = append(d.Grid, GridLine{At: px(y(v)), Text: b.Axis(v, step)})
	}
	n := float64(max(len(b.Bars), 1))
	for i, bar := range b.Bars {
		pitch := 1 / n
		from, to := y(spans[i].from), y(spans[i].to)
		box := BridgeBox{
			Bar: bar, TextX: percent(pitch * (float64(i) + .5)), Lines: twoLines(bar.Name),
			NameY: px(bridgeHeight - bridgeBottom + 18), SecondY: px(bridgeHeight - bridgeBottom + 32),
			FigureY: px(math.Min(from, to) - 6),
			Rect: Rect{
				X: percent(pitch * (float64(i) + .14)), W: percent(pitch * .72),
				Y: px(math.Min(from, to)), H: px(math.Max(math.Abs(from-to), 1)), Class: bar.Class,
			},
		}
		d.Bars = append(d.Bars, box)
		if i+1 < len(b.Bars) {
			d.Joins = append(d.Joins, Rect{
				X: percent(pitch * (float64(i) + .86)), W: percent(pitch * (float64(i) + 1.14)), Y: px(to),
			})
		}
	}
	return d
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
