package chart

import (
	"math"
	"strconv"
)

// Rect is a drawn rectangle: X and W in percent of the plot, Y and H in px.
type Rect struct {
	X, W, Y, H string
	Class      string
	Title      string
}

// Label is a drawn text.
type Label struct {
	X     string // percent or px
	Y     string // px
	Text  string
	Class string
	Title string // the full text, where Text is shortened
}

// GridLine is a horizontal or vertical line with its label.
type GridLine struct {
	At    string // Y in px of horizontal, X in percent of vertical lines
	Text  string
	Class string
}

// percent prints a share of the plot's width (0..1).
func percent(share float64) string {
	return strconv.FormatFloat(share*100, 'f', 2, 64) + "%"
}

// px prints pixels with one decimal at most.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

// niceStep returns a round step that cuts span into at most parts pieces.
func niceStep(span float64, parts int) float64 { return math.Max(fineStep(span, parts), 1) }

// fineStep is niceStep for values that may all be below one.
func fineStep(span float64, parts int) float64 {
	if span <= 0 || math.IsNaN(span) || math.IsInf(span, 0) {
		return 1
	}
	raw := span / float64(parts)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if raw <= m*power*1.0000001 {
			return m * power
		}
	}
	return 10 * power
}

// pushApart moves sorted label centres so that neighbours are at least pitch
// apart and all stay inside [low, high] where they fit.
func pushApart(y []float64, pitch, low, high float64) {
	for i := range y {
		least := low
		if i > 0 {
			least = y[i-1] + pitch
		}
		y[i] = math.Max(y[i], least)
	}
	limit := high
	for i := len(y) - 1; i >= 0 && y[i] > limit; i-- {
		y[i] = limit
		limit -= pitch
	}
}
