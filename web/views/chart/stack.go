package chart

import (
	"slices"
	"unicode/utf8"

	"gpuledger/web/views/format"
)

// Step is one bar of a Stack: a day, week or month.
type Step struct {
	Label       string // on the axis
	Tick        bool   // whether the axis has a label for it
	Title       string // on hover, with the figures
	Values      []float64
	Marks       []Mark // one per value, where bars are links
	Provisional bool
	// Part names the part of the step with data: "to 14:05"; empty
	// for all of it.
	Part string
	// Missing marks a step without any data: a gap, not a zero.
	Missing bool
}

// Stack is a figure per step, by cause or another key.
type Stack struct {
	Label    string   // for screen readers, instead of the picture
	Classes  []string // per series, bottom first
	Steps    []Step
	Currency format.Currency
	// Axis prints the grid labels of values other than whole amounts of money.
	Axis   func(value, step float64) string
	Events []Event
	Height int // of the whole drawing, px
}

// StackDrawing is a Stack laid out.
type StackDrawing struct {
	Label  string
	Height string
	Top    string
	Base   string
	Grid   []GridLine
	Bars   []Rect
	Linked []LinkedRect // instead of Bars, where bars are links
	Hits   []Rect
	Events []EventLine
	Ticks  []Label
	Boxes  []StackBox   // around provisional and partial steps
	taken  [][2]float64 // shares of the axis under the texts of boxes
}

// LinkedRect is a drawn mark.
type LinkedRect struct {
	Rect
	Mark Mark
}

// StackBox is a frame with a label around steps that are provisional or partial.
type StackBox struct {
	Rect
	Text, TextX, Anchor string
}

const (
	stackTop    = 22.0
	stackBottom = 24.0
)

// Draw lays the bars out. Negative values stack below the base.
func (s Stack) Draw() StackDrawing {
	high, low := 0.0, 0.0
	for _, step := range s.Steps {
		up, down := 0.0, 0.0
		for _, v := range step.Values {
			if v > 0 {
				up += v
			} else {
				down += v
			}
		}
		high, low = max(high, up), min(low, down)
	}
	step := niceStep(high-low, 4)
	if s.Axis != nil {
		step = fineStep(high-low, 4)
	}
	top := step
	for top < high {
		top += step
	}
	bottom := 0.0
	for bottom > low {
		bottom -= step
	}
	plot := float64(s.Height) - stackTop - stackBottom
	y := func(v float64) float64 { return stackTop + (top-v)/(top-bottom)*plot }

	d := StackDrawing{Label: s.Label, Height: px(float64(s.Height)), Top: px(stackTop), Base: px(y(0))}
	for v := bottom; v <= top+step/2; v += step {
		text := s.Currency.Axis(int64(v))
		if s.Axis != nil {
			text = s.Axis(v, step)
		}
		d.Grid = append(d.Grid, GridLine{At: px(y(v)), Text: text})
	}
	n := float64(max(len(s.Steps), 1))
	pitch := 1 / n
	bar := pitch * .86
	if len(s.Steps) < 4 { // a few bars must not get too wide
		bar = min(bar, .12)
	}
	for i, st := range s.Steps {
		x := pitch * float64(i)
		left := x + (pitch-bar)/2
		up, down := 0.0, 0.0
		for k, v := range st.Values {
			from, to := up, up+v
			if v < 0 {
				from, to = down+v, down
				down = from
			} else {
				up = to
			}
			d.bar(&st, k, Rect{X: percent(left), W: percent(bar), Y: px(y(to)), Class: s.Classes[k]}, y(from)-y(to))
		}
		if st.Marks == nil {
			d.Hits = append(d.Hits, Rect{X: percent(x), W: percent(pitch), Y: px(stackTop), H: px(plot), Title: st.Title})
		}
		if st.Tick {
			class := tickClass(len(d.Ticks))
			d.Ticks = append(d.Ticks, Label{X: percent(x + pitch/2), Y: px(float64(s.Height) - 6), Text: st.Label, Class: class})
		}
	}
	d.boxes(s.Steps, pitch, y(0))
	d.Events = eventLines(s.Events, d.taken...)
	return d
}

// bar adds the bar of a series; one that leads somewhere is drawn even where it is too low to be seen.
func (d *StackDrawing) bar(st *Step, series int, r Rect, height float64) {
	if st.Missing {
		return
	}
	if st.Provisional {
		r.Class += " prov"
	}
	if r.H = px(height); st.Marks == nil {
		if height >= .15 {
			d.Bars = append(d.Bars, r)
		}
		return
	}
	if m := st.Marks[series]; m.Value != "" {
		d.Linked = append(d.Linked, LinkedRect{r, m})
	}
}

// boxes frames each sequence of provisional steps, and steps with data for only a
// part.
func (d *StackDrawing) boxes(steps []Step, pitch, base float64) {
	for i := 0; i < len(steps); i++ {
		if steps[i].Missing || !steps[i].Provisional && steps[i].Part == "" {
			continue
		}
		first, text := i, steps[i].Part
		if steps[i].Provisional {
			text = "provisional"
			for i+1 < len(steps) && steps[i+1].Provisional && !steps[i+1].Missing {
				i++
			}
			if part := steps[i].Part; part != "" {
				text += ", " + part
			}
		}
		from, to := pitch*float64(first), pitch*float64(i+1)
		b := StackBox{
			Rect: Rect{X: percent(from), W: percent(to - from), Y: px(stackTop - 6), H: px(base - stackTop + 6)},
			Text: text, TextX: percent(to), Anchor: "end",
		}
		if to < .5 {
			b.TextX, b.Anchor = percent(from), ""
		}
		width := float64(utf8.RuneCountInString(text)) * eventLetter
		span := [2]float64{to - width, to}
		if b.Anchor == "" {
			span = [2]float64{from, from + width}
		}
		if slices.ContainsFunc(d.taken, func(t [2]float64) bool { return span[0] < t[1] && t[0] < span[1] }) {
			b.Text = "" // the label of the frame before it is in this place; the titles of the bars say it
		} else {
			d.taken = append(d.taken, span)
		}
		d.Boxes = append(d.Boxes, b)
	}
}

// tickClass hides every second label on narrow screens.
func tickClass(before int) string {
	if before%2 == 1 {
		return "mdl lbl-wide"
	}
	return "mdl"
}
