package chart

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// All small charts have the scale of the highest and lowest value: equal values have equal bars in every chart.
func TestMultiplesHaveOneScale(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := Multiples{Height: 80, Axis: func(v, _ float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }}
		high, low := 0.0, 0.0
		for range rapid.IntRange(1, 6).Draw(r, "charts") {
			c := Small{Values: rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 40).Draw(r, "values")}
			for _, v := range c.Values {
				high, low = max(high, v), min(low, v)
				c.Marks, c.Pale = append(c.Marks, Mark{Value: "1"}), append(c.Pale, false)
			}
			m.Charts = append(m.Charts, c)
		}
		d := m.Draw()
		number := func(text string) float64 {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				r.Fatal(err)
			}
			return v
		}
		top, bottom := number(d.High), number(d.Low)
		if top < high || bottom > low || top == bottom {
			r.Fatalf("the scale %g to %g does not hold %g to %g", bottom, top, low, high)
		}
		plot := number(d.PlotSize)
		for i, c := range d.Charts {
			for k, bar := range c.Bars {
				want := math.Abs(m.Charts[i].Values[k]) / (top - bottom) * plot
				if got := number(bar.H); math.Abs(got-want) > .06 {
					r.Fatalf("a bar of %g is %g px high, want %g", m.Charts[i].Values[k], got, want)
				}
			}
		}
	})
}

// A gap has no bar and lifts the pen of a line.
func TestMultiplesKeepGaps(t *testing.T) {
	c := Small{
		Values: []float64{1, math.NaN(), 3}, Marks: []Mark{{Value: "1"}, {}, {Value: "3"}}, Pale: make([]bool, 3),
	}
	m := Multiples{Height: 80, Axis: func(float64, float64) string { return "" }, Charts: []Small{c}}
	if bars := m.Draw().Charts[0].Bars; len(bars) != 2 {
		t.Errorf("%d bars, want 2", len(bars))
	}
	m.Lines = true
	if d := m.Draw().Charts[0]; len(d.Dots) != 2 || strings.Count(d.Path, "M") != 2 {
		t.Errorf("the line %q with %d dots hides the gap", d.Path, len(d.Dots))
	}
}
