package chart

import (
	"fmt"
)

// FlowNode is a source, cause or owner of money.
type FlowNode struct {
	Name   string
	Title  string // the full name, where Name is shortened
	Detail string // amount
	More   string // share used; left out if it does not fit
	Class  string // fill class of causes, else empty
	Nobody bool   // no owner; drawn as a dashed outline
}

// FlowLink is money from a left to a right node through a cause.
type FlowLink struct {
	Left, Mid, Right int // indices
	Value            float64
}

// Flow is price class → cause → team.
type Flow struct {
	Label  string
	Left   []FlowNode
	Mid    []FlowNode
	Right  []FlowNode
	Links  []FlowLink
	Height int
}

// FlowDrawing is a Flow laid out.
type FlowDrawing struct {
	Label, Height, ViewBox string
	Links                  []Path
	Nodes                  []Rect // X is the column's percentage, W unused
	Labels                 []FlowLabel
}

// FlowLabel is a node's name and amount.
type FlowLabel struct {
	X, Y, DX     string
	Name, Detail string
	Title        string
	More         string
	TwoLines     bool
	Anchor       string // class
	Ink          string // class of the name
	DetailY      string
}

const (
	flowLeftX, flowMidX, flowRightX = .15, .47, .80
	flowGap                         = 10.0
	flowLeastLink                   = .12 // px; thinner links stay in the table only
)

type column struct {
	nodes []FlowNode
	value []float64
	y     []float64
}

func (c *column) place(height, scale float64) {
	total := 0.0
	for _, v := range c.value {
		total += v * scale
	}
	gap := flowGap
	if n := len(c.value); n > 1 {
		gap = max(flowGap, min(26, (height-total)/float64(n-1)))
	}
	used := total + gap*float64(len(c.value)-1)
	at := max(0, (height-used)/2)
	c.y = make([]float64, len(c.value))
	for i, v := range c.value {
		c.y[i] = at
		at += v*scale + gap
	}
}

// Draw lays the flow out. Links with values of zero or less are not drawn.
func (f Flow) Draw() FlowDrawing {
	left := column{nodes: f.Left, value: make([]float64, len(f.Left))}
	mid := column{nodes: f.Mid, value: make([]float64, len(f.Mid))}
	right := column{nodes: f.Right, value: make([]float64, len(f.Right))}
	leftMid := make([][]float64, len(f.Left))
	midRight := make([][]float64, len(f.Mid))
	for i := range leftMid {
		leftMid[i] = make([]float64, len(f.Mid))
	}
	for i := range midRight {
		midRight[i] = make([]float64, len(f.Right))
	}
	total := 0.0
	for _, l := range f.Links {
		if l.Value <= 0 {
			continue
		}
		leftMid[l.Left][l.Mid] += l.Value
		midRight[l.Mid][l.Right] += l.Value
		left.value[l.Left] += l.Value
		mid.value[l.Mid] += l.Value
		right.value[l.Right] += l.Value
		total += l.Value
	}
	h := float64(f.Height)
	d := FlowDrawing{Label: f.Label, Height: px(h), ViewBox: "0 0 1000 " + px(h)}
	if total <= 0 {
		return d
	}
	most := max(len(f.Left), len(f.Mid), len(f.Right), 1)
	scale := (h - flowGap*float64(most-1)) / total
	left.place(h, scale)
	mid.place(h, scale)
	right.place(h, scale)

	bands := func(a, b *column, m [][]float64, ax, bx float64, class func(i, j int) string) {
		out, in := append([]float64(nil), a.y...), append([]float64(nil), b.y...)
		for i := range m {
			for j, v := range m[i] {
				w := v * scale
				if w <= 0 {
					continue
				}
				if w >= flowLeastLink {
					d.Links = append(d.Links, Path{band(ax*1000, out[i], bx*1000, in[j], w), class(i, j)})
				}
				out[i] += w
				in[j] += w
			}
		}
	}
	bands(&left, &mid, leftMid, flowLeftX, flowMidX, func(_, j int) string { return "link l-" + f.Mid[j].Class })
	bands(&mid, &right, midRight, flowMidX, flowRightX, func(i, _ int) string { return "link l-" + f.Mid[i].Class })

	d.nodes(&left, flowLeftX, scale, h, "end", "-12", 0)
	d.nodes(&mid, flowMidX, scale, h, "", "10", 14)
	d.nodes(&right, flowRightX, scale, h, "", "12", 0)
	return d
}

func (d *FlowDrawing) nodes(c *column, x, scale, height float64, anchor, dx string, pitch float64) {
	centres := make([]float64, len(c.nodes))
	for i := range c.nodes {
		centres[i] = c.y[i] + c.value[i]*scale/2
	}
	if pitch > 0 {
		pushApart(centres, pitch, 5, height-4)
	} else {
		pushApart(centres, 15, 6, height-6)
	}
	for i, n := range c.nodes {
		h := max(c.value[i]*scale, 1)
		r := Rect{X: percent(x), Y: px(c.y[i]), H: px(h), Class: "fnode"}
		switch {
		case n.Nobody:
			r.Class = "fnobody"
		case n.Class != "" && h >= 5:
			r.Class = "t-" + n.Class + " o"
		case n.Class != "":
			r.Class = "f-" + n.Class
		}
		d.Nodes = append(d.Nodes, r)
		l := FlowLabel{
			X: percent(x), DX: dx, Name: n.Name, Title: n.Title, Detail: n.Detail, More: n.More,
			Anchor: anchor, TwoLines: pitch == 0 && h >= 28, Ink: "strong",
		}
		if n.Class != "" {
			l.Ink = "i-" + n.Class
		}
		l.Y = px(centres[i] + 4)
		if l.TwoLines {
			l.Y, l.DetailY = px(centres[i]-2), px(centres[i]+11)
		}
		d.Labels = append(d.Labels, l)
	}
}

func band(x0, y0, x1, y1, w float64) string {
	m := (x0 + x1) / 2
	return fmt.Sprintf("M%s %sC%s %s %s %s %s %sV%sC%s %s %s %s %s %sZ",
		px(x0), px2(y0), px(m), px2(y0), px(m), px2(y1), px(x1), px2(y1),
		px2(y1+w), px(m), px2(y1+w), px(m), px2(y0+w), px(x0), px2(y0+w))
}

func px2(v float64) string { return fmt.Sprintf("%.2f", v) }
