package chart

import (
	"gpuledger/internal/period"
	"gpuledger/web/views/format"
)

// Layouts is how cards were divided into MIG instances over time: a band per card,
// whose height is the card's number of compute slices.
type Layouts struct {
	ID    string // of the drawing on its page
	Label string // summary in a sentence
	Desc  string // how to read the chart
	Span  period.Interval
	Cards []LayoutCard
}

// LayoutCard is a card with its layouts, the earliest first.
type LayoutCard struct {
	Name, Note string // beginning of the card's id; its machine
	Compute    int    // compute slices of the card
	Layouts    []LayoutSpan
}

// LayoutSpan is one layout: its instances, the largest first, and the slices in no
// instance. Slices that no further profile could use are dead.
type LayoutSpan struct {
	Span       period.Interval
	Text       string // "3g.20gb + 4 × 1g.5gb"
	Compute    []int  // compute slices of each instance
	Free, Dead int    // compute slices in no instance
	Title      string
}

// LayoutsDrawing is Layouts laid out.
type LayoutsDrawing struct {
	ID, Label, Desc   string
	Height, PlotClass string
	Days              []GridLine
	GridBottom, DaysY string
	Cards             []LayoutBand
}

// LayoutBand is a card of a drawing.
type LayoutBand struct {
	Name, Note       string
	NameX, NameClass string
	NameY, NoteY     string
	Base             string // Y of its lower edge
	Pieces           []LayoutPiece
}

// LayoutPiece is a layout of a band; its parts lie inside it.
type LayoutPiece struct {
	X, W, Y, H   string
	Title        string
	Text         string // if there is room for it
	TextY, HitY  string
	HitH         string
	Parts        []Rect // X and W relative to the piece
	OnlyFromWide bool
}

const (
	layoutUnit = 6.0  // px of a compute slice
	layoutName = 14.0 // px of the line above a band
	layoutGap  = 12.0
	layoutAxis = 22.0
	letter     = 5.6 // px of a letter of 11 px text
)

// Draw lays the bands out, narrow for screens below 640 px.
func (l Layouts) Draw(narrow bool) LayoutsDrawing {
	length := float64(max(l.Span.Seconds(), 1))
	x := func(s period.Second) float64 { return min(max(float64(s-l.Span.From)/length, 0), 1) }
	width := 430.0
	d := LayoutsDrawing{ID: l.ID, Label: l.Label, Desc: l.Desc, PlotClass: "gantt"}
	if narrow {
		width, d.PlotClass, d.ID = 300, "gantt-n", l.ID+"-n"
	}
	var axis GanttDrawing
	axis.days(l.Span, x, width)
	d.Days = axis.Days
	y := 4.0
	for _, c := range l.Cards {
		if narrow {
			y += layoutName
		}
		h := layoutUnit * float64(max(c.Compute, 1))
		b := LayoutBand{
			Name: c.Name, Note: c.Note, NameX: "-8", NameClass: "end monotext mid2",
			NameY: px(y + layoutName + h/2), NoteY: px(y + layoutName + h/2 + 14),
		}
		if narrow {
			b.NameX, b.NameClass, b.NameY, b.Note = "0", "monotext mid2", px(y-2), ""
		}
		top := y + layoutName
		b.Base = px(top + h)
		for _, span := range c.Layouts {
			b.Pieces = append(b.Pieces, piece(span, x, width, top, h))
		}
		d.Cards = append(d.Cards, b)
		y = top + h + layoutGap
	}
	d.GridBottom, d.DaysY, d.Height = px(y), px(y+14), px(y+layoutAxis)
	return d
}

// piece stacks the instances of a layout from the bottom, then the slices in no instance.
func piece(s LayoutSpan, x func(period.Second) float64, width, top, height float64) LayoutPiece {
	from, to := x(s.Span.From), x(s.Span.To)
	p := LayoutPiece{
		X: percent(from), W: percent(to - from), Y: px(top), H: px(height), Title: s.Title,
		TextY: px(top - 4), HitY: px(top - layoutName), HitH: px(height + layoutName),
	}
	if room := (to - from) * width; room >= float64(len([]rune(s.Text)))*letter {
		p.Text = s.Text
	} else if room*1.6 >= float64(len([]rune(s.Text)))*letter {
		p.Text, p.OnlyFromWide = s.Text, true
	}
	at := height
	add := func(slices int, class string) {
		h := layoutUnit * float64(slices)
		at -= h
		p.Parts = append(p.Parts, Rect{X: "0", W: "100%", Y: px(at), H: px(h), Class: class})
	}
	for _, n := range s.Compute {
		add(n, "mig mig"+format.Count(int64(min(n, 7))))
	}
	if s.Free > 0 {
		add(s.Free, "migfree")
	}
	if s.Dead > 0 {
		add(s.Dead, "t-stranded")
	}
	return p
}
