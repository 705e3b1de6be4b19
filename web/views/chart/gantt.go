package chart

import (
	"math"
	"strings"
	"time"

	"gpuledger/internal/period"
	"gpuledger/web/views/format"
)

// Gantt is a run over time: attempts, checkpoints, interruptions, nodes by
// price class, activity and memory under one axis.
type Gantt struct {
	Label        string
	Span         period.Interval
	Attempts     []GanttAttempt
	Checkpoints  []GanttCheckpoint
	Interrupted  []period.Second
	Groups       []GanttGroup
	Activity     []float64 // 0..1 per bucket of equal length over Span; NaN = unknown
	Threshold    float64   // 0..1
	ActivityName string    // signal: "GPU activity, mean"
	Memory       []GanttMemory
}

// GanttAttempt is a bracket.
type GanttAttempt struct {
	Number       int
	Span         period.Interval
	Hours        string
	Outcome      string
	Tone         string // "good", "bad" or empty
	NoCheckpoint bool   // lost without any checkpoint
	Running      bool   // has no end yet
}

// GanttCheckpoint is a diamond; Last marks the one that the run resumed from.
type GanttCheckpoint struct {
	At   period.Second
	Last bool
}

// GanttGroup is the nodes of one price class.
type GanttGroup struct {
	PriceClass string // class name of the line under the bars
	Title      string
	Note       string // zone, type, $ per GPU-hour
	Short      string // shorter Note for a narrow screen
	Nodes      []GanttNode
}

// GanttNode is a row of bars; Others is drawn as 100 % stacks.
type GanttNode struct {
	Name   string
	Bars   []GanttBar
	Others []GanttShare
}

// GanttBar is a time span with one cause.
type GanttBar struct {
	Span  period.Interval
	Cause string
	Bound bool // an upper bound of lost time: no checkpoint was written
}

// GanttShare is a part of a stacked row: From and To of its height in 0..1.
type GanttShare struct {
	Span     period.Interval
	Cause    string
	From, To float64
}

// GanttMemory is the peak memory of an attempt.
type GanttMemory struct {
	Span period.Interval
	Text string
	Bad  bool
	Fill float64 // 0..1 of the card
}

// GanttDrawing is a Gantt laid out at one of two sizes.
type GanttDrawing struct {
	Label, Height string
	Narrow        bool
	PlotClass     string
	Days          []GridLine
	GridTop       string
	GridBottom    string
	AxisTop       string
	AxisBottom    string
	Brackets      []Bracket
	Checkpoints   []Sign
	None          []Label
	CheckpointY   string
	Cuts          []Sign
	CutY          string
	Heads         []GroupHead
	NodeNames     []Label
	Rails         []GridLine
	Bars          []Rect
	ClassLines    []Rect // Y is the line's place
	Activity      *ActivityDrawing
	MemoryY       string
	MemoryTextY   string
	Memory        []Rect
	MemoryText    []Label
}

// Bracket spans an attempt above the lanes.
type Bracket struct {
	X1, X2, Y, YLeg string
	OutcomeClass    string
	Y1, Y2          string
	Tip             string
	Labels          []BracketLabel // one per range of widths
	Open            bool           // no end yet
}

// BracketLabel is the part of an attempt's label that fits; Class chooses the widths.
type BracketLabel struct {
	Class                 string
	Title, Hours, Outcome string
}

// Sign is a symbol at a time.
type Sign struct{ X, Y, Y2, Class, Title string }

// GroupHead is the heading of a price class.
type GroupHead struct{ Y, Title, Note string }

// ActivityDrawing is the area of activity.
type ActivityDrawing struct {
	Y, Height, ViewBox string
	Area, Line         string
	ThresholdY         string
	NameY, SignalY     string
	Signal             string
	TopY, BottomY      string
}

// widest is the least plot width from 1,100 px on.
const widest = 706.0

// Draw lays the Gantt out, narrow for screens below 640 px.
func (g Gantt) Draw(narrow bool) GanttDrawing {
	length := float64(max(g.Span.Seconds(), 1))
	x := func(s period.Second) float64 { return float64(s-g.Span.From) / length }
	width := 430.0 // the least plot width, for labels that must fit
	row, bar := 13.0, 9.0
	d := GanttDrawing{Label: g.Label, Narrow: narrow, PlotClass: "gantt"}
	if narrow {
		width, row, bar = 300, 8, 6
		d.PlotClass = "gantt-n"
	}
	d.AxisTop = "10"
	y := 22.0
	d.GridTop = px(14)
	d.days(g.Span, x, width)

	// Attempt brackets.
	textLines := 2.0
	if narrow {
		textLines = 1
	}
	y1, y2, yb := y+9, y+22, y+13*textLines+5
	for _, a := range g.Attempts {
		from, to := x(a.Span.From), x(a.Span.To)
		b := Bracket{
			X1: percent(from), X2: percent(to), Y: px(yb), YLeg: px(yb + 5),
			Y1: px(y1), Y2: px(y2), Tip: attemptTip(a), Open: a.Running,
		}
		b.Labels = []BracketLabel{fitBracket(a, (to-from)*width, narrow)}
		if !narrow { // from 1,100 px the plot is wider still
			b.Labels[0].Class = "only-md"
			wide := fitBracket(a, (to-from)*widest, false)
			wide.Class = "only-lg"
			b.Labels = append(b.Labels, wide)
		}
		if a.Tone != "" {
			b.OutcomeClass = a.Tone + "-t"
		}
		d.Brackets = append(d.Brackets, b)
	}
	if y = yb + 20; len(g.Attempts) == 0 {
		y = 30
	}

	// Checkpoints, then interruptions.
	d.CheckpointY = px(y)
	d.marks(g, x, width, y)
	if len(d.Checkpoints)+len(d.None) > 0 {
		y += 18
	}
	d.CutY = px(y)
	cutTop := y
	if len(g.Interrupted) > 0 {
		y += 12
	} else {
		y -= 6
	}

	// Nodes by price class.
	for _, group := range g.Groups {
		y += 14
		head := GroupHead{Y: px(y), Title: group.Title, Note: group.Note}
		if narrow {
			head.Note = group.Short
		}
		d.Heads = append(d.Heads, head)
		y += 6
		for _, n := range group.Nodes {
			h := row
			if n.Others != nil {
				h = 2 * row
			}
			d.NodeNames = append(d.NodeNames, Label{X: "-8", Y: px(y + h/2 + 3), Text: n.Name, Class: "end monotext"})
			d.Rails = append(d.Rails, GridLine{At: px(y + h - 2)})
			d.node(n, group.PriceClass, x, y, bar, row)
			y += h
		}
	}

	y = d.activity(g, y+12, narrow)
	y = d.memory(g, y, x, width, narrow)
	d.GridBottom = px(y)
	d.AxisBottom = px(y + 14)
	d.Height = px(y + 20)
	for _, at := range g.Interrupted {
		d.Cuts = append(d.Cuts, Sign{X: percent(x(at)), Y: px(cutTop), Y2: px(y), Title: "interrupted " + format.Instant(at)})
	}
	return d
}

func attemptTip(a GanttAttempt) string {
	return "Attempt " + format.Count(int64(a.Number)) + ", " + a.Outcome + ", " + a.Hours + ", " +
		format.Instant(a.Span.From) + " – " + format.Instant(a.Span.To)
}

// fitBracket shortens an attempt's label to w pixels.
func fitBracket(a GanttAttempt, w float64, narrow bool) BracketLabel {
	number := format.Count(int64(a.Number))
	var l BracketLabel
	switch {
	case narrow && w >= 9:
		return BracketLabel{Title: number}
	case narrow || w < 16:
		return l
	case w >= 96:
		l.Title, l.Hours = "Attempt "+number, a.Hours
	default:
		l.Title = "#" + number
	}
	if w >= float64(len(a.Outcome))*5.6 {
		l.Outcome = a.Outcome
	}
	return l
}

// axisSteps are the possible distances between two labels of the time axis, in seconds.
var axisSteps = []int64{5 * period.Minute, 15 * period.Minute, 30 * period.Minute, period.Hour, 2 * period.Hour,
	3 * period.Hour, 6 * period.Hour, 12 * period.Hour,
	period.Day, 2 * period.Day, 5 * period.Day, 7 * period.Day, 14 * period.Day}

// days writes the time axis: day numbers, the month on the first; hours when
// the span is short.
func (d *GanttDrawing) days(span period.Interval, x func(period.Second) float64, width float64) {
	length := float64(max(span.Seconds(), 1))
	step, layout := int64(30*period.Day), "2"
	for _, s := range axisSteps {
		text, least := "15:04", 46.0
		if s >= period.Day {
			text, least = "2", 28
		}
		if float64(s)/length*width >= least {
			step, layout = s, text
			break
		}
	}
	first, lastMonth, free := true, time.Month(0), math.Inf(-1)
	for at := range span.Steps(step) {
		if at < span.From {
			continue
		}
		t := at.Time()
		text := t.Format(layout)
		switch {
		case layout == "2" && (first || t.Month() != lastMonth):
			text = t.Format("2 Jan")
		case layout != "2" && t.Hour() == 0 && t.Minute() == 0:
			text = t.Format("2 Jan")
		case layout != "2" && first:
			text = t.Format("2 Jan 15:04")
		}
		first, lastMonth = false, t.Month()
		long := float64(len(text)) * 5.5 // px
		class, from := "mdl", x(at)*width-long/2
		switch share := x(at); {
		case from < 0:
			class, from = "", share*width
		case from+long > width+6:
			class, from = "end", share*width-long
		}
		if from < free { // it would overlap the previous label
			text = ""
		} else {
			free = from + long + 6
		}
		d.Days = append(d.Days, GridLine{At: percent(x(at)), Text: text, Class: class})
	}
	if len(d.Days) == 0 {
		d.Days = append(d.Days, GridLine{At: "0%", Text: span.From.Time().Format("2 Jan 15:04")})
	}
}

func (d *GanttDrawing) marks(g Gantt, x func(period.Second) float64, width, y float64) {
	previous := math.Inf(-1)
	for _, c := range g.Checkpoints {
		at := x(c.At) * width
		if !c.Last && at-previous < 7 {
			continue // it would overlap the previous one; the table has all
		}
		class := "ckpt"
		if c.Last {
			class = "ckpt last"
		}
		d.Checkpoints = append(d.Checkpoints, Sign{
			X: percent(x(c.At)), Y: px(y), Class: class, Title: "checkpoint " + format.Instant(c.At),
		})
		previous = at
	}
	for _, a := range g.Attempts {
		w := (x(a.Span.To) - x(a.Span.From)) * width
		if a.NoCheckpoint && w >= 24 {
			d.None = append(d.None, Label{
				X: percent((x(a.Span.From) + x(a.Span.To)) / 2), Y: px(y + 4), Text: "none", Class: "mdl bad-t",
			})
		}
	}
}

func (d *GanttDrawing) node(n GanttNode, priceClass string, x func(period.Second) float64, y, bar, row float64) {
	var from, to period.Second
	for _, b := range n.Bars {
		class := "t-" + b.Cause
		if bar < 8 {
			class = "f-" + b.Cause
		}
		if b.Bound {
			class = "t-bound"
		}
		d.Bars = append(d.Bars, Rect{
			X: percent(x(b.Span.From)), W: percent(x(b.Span.To) - x(b.Span.From)), Y: px(y + 1), H: px(bar), Class: class,
		})
		// The price-class line runs under each unbroken stretch.
		if b.Span.From > to {
			if to > from {
				d.ClassLines = append(d.ClassLines, classLine(x, from, to, y+bar+1.5, priceClass))
			}
			from = b.Span.From
		}
		to = max(to, b.Span.To)
	}
	if to > from {
		d.ClassLines = append(d.ClassLines, classLine(x, from, to, y+bar+1.5, priceClass))
	}
	height := 2*row - 4
	for _, s := range n.Others {
		d.Bars = append(d.Bars, Rect{X: percent(x(s.Span.From)), W: percent(x(s.Span.To) - x(s.Span.From)),
			Y: px(y + 1 + s.From*height), H: px((s.To - s.From) * height), Class: "f-" + s.Cause})
	}
}

func classLine(x func(period.Second) float64, from, to period.Second, y float64, class string) Rect {
	return Rect{X: percent(x(from)), W: percent(x(to)), Y: px(y), Class: "pc-" + class}
}

func (d *GanttDrawing) activity(g Gantt, y float64, narrow bool) float64 {
	known := false
	for _, v := range g.Activity {
		known = known || !math.IsNaN(v)
	}
	if !known {
		return y
	}
	const height = 54.0
	if narrow {
		y += 12
	}
	n := float64(len(g.Activity))
	at := func(i int) float64 { return (float64(i) + .5) / n }
	level := func(v float64) float64 { return height - math.Min(math.Max(v, 0), 1)*height }
	a := &ActivityDrawing{
		Y: px(y), Height: px(height), ViewBox: "0 0 1000 " + px(height),
		Line: linePath(g.Activity, at, level), ThresholdY: px(y + level(g.Threshold)),
		NameY: px(y + 9), SignalY: px(y + 23), Signal: g.ActivityName, TopY: px(y + 9), BottomY: px(y + height),
	}
	if narrow {
		a.NameY = px(y - 4)
	}
	half := 1 / n / 2
	var area strings.Builder
	for i := 0; i < len(g.Activity); i++ {
		if math.IsNaN(g.Activity[i]) {
			continue
		}
		j := i
		area.WriteString("M" + px((at(i)-half)*1000) + " " + px(height) + "V" + px(level(g.Activity[i])))
		for ; j < len(g.Activity) && !math.IsNaN(g.Activity[j]); j++ {
			area.WriteString("L" + px(at(j)*1000) + " " + px(level(g.Activity[j])))
		}
		area.WriteString("H" + px((at(j-1)+half)*1000) + "V" + px(height) + "Z")
		i = j
	}
	a.Area = area.String()
	d.Activity = a
	return y + height + 12
}

func (d *GanttDrawing) memory(g Gantt, y float64, x func(period.Second) float64, width float64, narrow bool) float64 {
	if len(g.Memory) == 0 {
		return y
	}
	if narrow {
		y += 12
	}
	const height = 16.0
	d.MemoryY, d.MemoryTextY = px(y), px(y+12)
	if narrow {
		d.MemoryTextY = px(y - 4)
	}
	for _, m := range g.Memory {
		from, to := x(m.Span.From), x(m.Span.To)
		h := math.Max(2, height*math.Min(m.Fill, 1))
		d.Memory = append(d.Memory, Rect{
			X: percent(from), W: percent(to - from), Y: px(y + height - h), H: px(h), Class: "memband", Title: m.Text,
		})
		if !narrow && (to-from)*width > 6.5*float64(len(m.Text)) {
			class := "mid2"
			if m.Bad {
				class = "bad-t"
			}
			d.MemoryText = append(d.MemoryText, Label{X: percent(from), Y: px(y + 12), Text: m.Text, Class: class})
		}
	}
	return y + height + 10
}
