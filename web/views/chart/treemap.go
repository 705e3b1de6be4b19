package chart

import (
	"math"
	"slices"
)

// Area is a thing in a treemap, with its parts if it has any.
type Area struct {
	Name, Figure string
	Size         float64 // pixels only; not negative
	Class        string
	Mark         Mark // of an area without parts
	Parts        []Area
}

// Treemap shows many things at once by their size; the order of the input is kept within equal sizes.
type Treemap struct {
	Label  string
	Areas  []Area
	Height int
}

// TreeDrawing is a Treemap laid out.
type TreeDrawing struct {
	Label, Height string
	Tiles         []Tile
	Frames        []Tile // around areas with parts
}

// Tile is a drawn area. Its texts are shown where they fit.
type Tile struct {
	Rect
	Mark         Mark
	Name, Figure string
	NameY        string
	FigureY      string
	TextX        string
	Fits         string // class that hides its texts on widths where they do not fit
	Wide         string // class for its figure
}

// Widths of a chart in px that texts are measured against, with the class that hides on smaller ones.
var widths = []struct {
	px    float64
	class string
}{{300, ""}, {640, "lbl-wide"}, {1040, "only-lg"}}

// Draw lays the areas out as squarified tiles (Bruls, Huizing, van Wijk 2000).
func (t Treemap) Draw() TreeDrawing {
	d := TreeDrawing{Label: t.Label, Height: px(float64(t.Height))}
	d.lay(t.Areas, box{0, 0, 1, float64(t.Height)})
	return d
}

// box is a free part of the plot: x and w in shares of the width, y and h in px.
type box struct{ x, y, w, h float64 }

// aspect is the width in px that shapes are judged by.
const aspect = 900.0

func (d *TreeDrawing) lay(areas []Area, in box) {
	areas = slices.DeleteFunc(slices.Clone(areas), func(a Area) bool { return !(a.Size > 0) })
	slices.SortStableFunc(areas, func(a, b Area) int {
		switch {
		case a.Size > b.Size:
			return -1
		case a.Size < b.Size:
			return 1
		}
		return 0
	})
	total := 0.0
	for _, a := range areas {
		total += a.Size
	}
	if total == 0 || in.w <= 0 || in.h <= 0 {
		return
	}
	scale := in.w * aspect * in.h / total
	for len(areas) > 0 {
		n := rowOf(areas, scale, math.Min(in.w*aspect, in.h))
		sum := 0.0
		for _, a := range areas[:n] {
			sum += a.Size
		}
		in = d.row(areas[:n], sum, scale, in)
		areas = areas[n:]
	}
}

// rowOf is how many of the areas the next row holds: more while its worst shape gets squarer.
func rowOf(areas []Area, scale, side float64) int {
	sum, best := 0.0, math.Inf(1)
	for i, a := range areas {
		sum += a.Size
		s := sum * scale
		worst := math.Max(side*side*areas[0].Size*scale/(s*s), s*s/(side*side*a.Size*scale))
		if worst > best {
			return i
		}
		best = worst
	}
	return len(areas)
}

// row draws areas along the shorter side and returns the rest of the box.
func (d *TreeDrawing) row(areas []Area, sum, scale float64, in box) box {
	upright := in.w*aspect >= in.h // the row is a column at the left
	thick := sum * scale / in.h
	if !upright {
		thick = sum * scale / (in.w * aspect)
	}
	at := 0.0
	for _, a := range areas {
		part := a.Size / sum
		b := box{in.x, in.y + at*in.h, thick / aspect, part * in.h}
		if !upright {
			b = box{in.x + at*in.w, in.y, part * in.w, thick}
		}
		at += part
		d.area(a, b)
	}
	if upright {
		return box{in.x + thick/aspect, in.y, math.Max(in.w-thick/aspect, 0), in.h}
	}
	return box{in.x, in.y + thick, in.w, math.Max(in.h-thick, 0)}
}

// headRoom is the height of the name above an area's parts, in px.
const headRoom = 18.0

func (d *TreeDrawing) area(a Area, b box) {
	tile := Tile{
		Rect: Rect{X: percent(b.x), W: percent(b.w), Y: px(b.y), H: px(b.h), Class: a.Class}, Mark: a.Mark,
		Name: a.Name, Figure: a.Figure, TextX: percent(b.x), NameY: px(b.y + 14), FigureY: px(b.y + 28),
	}
	tile.Fits = fits(a.Name, b.w)
	tile.Wide = fits(a.Name+" "+a.Figure, b.w)
	if b.h < 18 {
		tile.Name, tile.Figure = "", ""
	} else if b.h < 32 {
		tile.Figure = ""
	}
	if tile.Fits == "never" {
		tile.Name = ""
	}
	if fits(a.Figure, b.w) == "never" {
		tile.Figure = ""
	}
	if len(a.Parts) == 0 {
		d.Tiles = append(d.Tiles, tile)
		return
	}
	inner := b
	if b.h > 3*headRoom && tile.Name != "" {
		inner.y, inner.h = b.y+headRoom, b.h-headRoom
	} else {
		tile.Name = ""
	}
	d.lay(a.Parts, inner)
	d.Frames = append(d.Frames, tile)
}

// fits is the class that hides a text on widths where it is wider than its share of the plot.
func fits(text string, share float64) string {
	need := float64(len([]rune(text)))*letter + 12
	for _, w := range widths {
		if share*w.px >= need {
			return w.class
		}
	}
	return "never"
}
