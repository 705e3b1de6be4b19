package chart

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func pixels(t interface{ Fatal(...any) }, text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTreemapAreasAreShares(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tree := Treemap{Height: 400}
		total := 0.0
		for _, size := range rapid.SliceOfN(rapid.IntRange(1, 50), 1, 25).Draw(r, "sizes") {
			tree.Areas = append(tree.Areas, Area{Size: float64(size), Mark: Mark{Value: strconv.Itoa(size)}})
			total += float64(size)
		}
		tiles := tree.Draw().Tiles
		if len(tiles) != len(tree.Areas) {
			r.Fatalf("%d tiles of %d areas", len(tiles), len(tree.Areas))
		}
		for _, tile := range tiles {
			got := pixels(t, tile.W) / 100 * pixels(t, tile.H) / 400
			if want := pixels(t, tile.Mark.Value) / total; math.Abs(got-want) > .002 {
				r.Fatalf("a tile of %s has %.4f of the plot, want %.4f", tile.Mark.Value, got, want)
			}
			if right := pixels(t, tile.X) + pixels(t, tile.W); right > 100.1 || pixels(t, tile.Y)+pixels(t, tile.H) > 400.2 {
				r.Fatalf("a tile leaves the plot: %+v", tile.Rect)
			}
		}
	})
}

func TestEventTextsDoNotCollide(t *testing.T) {
	forty := strings.Repeat("x", 40) // a third of the axis
	for want, list := range map[string][]Event{
		"a=a b= c=c d=d":                                               {{-.1, "before"}, {.1, "a"}, {.1, "b"}, {.5, "c"}, {.9, "d"}, {1.2, "after"}},
		forty + "=" + forty + " " + forty + "=":                        {{.44, forty}, {.98, forty}}, // one from the left, one from the right
		forty + "=" + forty + " " + forty + "=" + forty + "end":        {{.1, forty}, {.98, forty}},
		forty + "=" + forty + " b= " + forty + "=" + forty + "end e=e": {{.1, forty}, {.2, "b"}, {.98, forty}, {.99, "e"}},
		strings.Repeat("x", 200) + "=":                                 {{.5, strings.Repeat("x", 200)}},
	} {
		var got []string
		for _, l := range eventLines(list) {
			got = append(got, l.Title+"="+l.Text+l.Anchor)
		}
		if text := strings.Join(got, " "); text != strings.TrimSpace(want) {
			t.Errorf("events are drawn as %q, want %q", text, want)
		}
	}
}

func TestEventTextsLeaveTheLabelsOfFramesAlone(t *testing.T) {
	steps := make([]Step, 10)
	for i := range steps {
		steps[i] = Step{Values: []float64{1}, Provisional: i >= 8}
	}
	d := Stack{Height: 200, Steps: steps, Classes: []string{"used"},
		Events: []Event{{.2, "deploy"}, {.92, "close"}}}.Draw()
	if len(d.Boxes) != 1 || len(d.Events) != 2 || d.Events[0].Text != "deploy" || d.Events[1].Text != "" ||
		d.Events[1].Title != "close" {
		t.Errorf("boxes %+v, events %+v", d.Boxes, d.Events)
	}
}

func TestBridgeStepsFromTotalToTotal(t *testing.T) {
	d := Bridge{Axis: func(float64, float64) string { return "" }, Bars: []BridgeBar{
		{Name: "Before", Size: 100, Total: true}, {Name: "More work", Size: 30}, {Name: "Price", Size: -50},
		{Name: "After", Size: 80, Total: true},
	}}.Draw()
	end := func(i int) float64 { return pixels(t, d.Bars[i].Y) + pixels(t, d.Bars[i].H) }
	top := func(i int) float64 { return pixels(t, d.Bars[i].Y) }
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"the first change begins at the first total", end(1), top(0)},
		{"the second begins where the first ends", top(2), top(1)},
		{"the last total is where the changes end", top(3), end(2)},
	} {
		if math.Abs(c.got-c.want) > .2 {
			t.Errorf("%s: %.1f, want %.1f", c.what, c.got, c.want)
		}
	}
}

func TestHeatShades(t *testing.T) {
	h := Heat{Rows: []HeatRow{{Cells: []HeatCell{{Size: math.NaN()}, {Size: 0}, {Size: .1}, {Size: -100}, {Size: 61}}}}}
	if got := strings.Join(h.Shades()[0], ","); got != ",q0,q1,q5,q4" {
		t.Errorf("shades are %s", got)
	}
}

func TestMarksGolden(t *testing.T) {
	m := Mark{Kind: "cell", Href: "/explore?by=team", Value: "1.5", Unit: "USD", Title: `<b>"x"</b>: $1.50`, First: true}
	golden(t, "marks-treemap", Treed(Treemap{Label: "Cost", Height: 100, Areas: []Area{
		{Name: "speech", Figure: "$1.50", Parts: []Area{{Name: "<b>", Figure: "$1.50", Size: 1.5, Mark: m}}, Size: 1.5},
		{Name: "others", Figure: "$1", Size: 1, Mark: Mark{Kind: "others", Href: "/", Value: "1", Unit: "USD"}},
	}}.Draw()))
	golden(t, "marks-heat", Heated(Heat{Label: "Cost", Columns: []string{"<i>", "Tue"}, Fine: true, Rows: []HeatRow{
		{Name: "00", Cells: []HeatCell{{Size: 1.5, Text: "$1.50", Mark: m}, {Size: math.NaN()}}},
	}}))
	axis := func(v, _ float64) string { return px(v) }
	golden(t, "marks-bridge", Bridged(Bridge{Label: "Cost", Axis: axis, Bars: []BridgeBar{
		{Name: "Before", Figure: "$1", Size: 1, Total: true}, {Name: "Without hours", Figure: "+$0.50", Size: .5, Mark: m},
		{Name: "After", Figure: "$1.50", Size: 1.5, Total: true},
	}}.Draw()))
}
