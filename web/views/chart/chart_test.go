package chart

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/period"
)

var update = flag.Bool("update", false, "write golden files")

// golden compares a component's HTML, one tag per line.
func golden(t *testing.T, name string, c templ.Component) {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(b.String(), "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name+".html")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run with -update", err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s changed (-want +got); if that is meant, run with -update\n%s", path, d)
	}
}

func days(n int) period.Second { return period.Second(1793491200 + n*period.Day) }

func hours(from, to int) period.Interval {
	return period.Interval{From: days(0) + period.Second(from*period.Hour), To: days(0) + period.Second(to*period.Hour)}
}

func TestStackedGolden(t *testing.T) {
	s := Stack{Label: "Spend per day", Classes: []string{"t-used", "t-lost"}, Currency: "USD", Height: 120, Steps: []Step{
		{Label: "1 Nov", Tick: true, Title: "1 Nov: $10", Values: []float64{8, 2}},
		{Label: "2", Title: "2 Nov: credit", Values: []float64{6, -3}},
		{Label: "3", Title: "3 Nov: n/a", Values: []float64{0, 0}, Missing: true},
		{Label: "4", Tick: true, Title: "4 Nov: $9", Values: []float64{9, 0}, Provisional: true},
	}}
	golden(t, "stacked", Stacked(s.Draw()))
}

func TestLinedGolden(t *testing.T) {
	l := Lines{Label: "Spend by team", Currency: "USD", Height: 120, Steps: []string{"1 Nov", "", "3"}, Series: []Series{
		{Name: "speech", Value: "$30", Points: []float64{10, math.NaN(), 20}, High: true},
		{Name: "vision", Value: "$28", Points: []float64{9, 9.5, 9.8}},
	}}
	golden(t, "lined", Lined(l.Draw()))
}

func TestFlowedGolden(t *testing.T) {
	f := Flow{Label: "Flow", Height: 160,
		Left: []FlowNode{{Name: "Spot", Detail: "$4"}, {Name: "On-demand", Detail: "$6"}},
		Mid:  []FlowNode{{Name: "Used", Detail: "$7", Class: "used"}, {Name: "Free", Detail: "$3", Class: "free"}},
		Right: []FlowNode{
			{Name: "speech", Title: "speech of all", Detail: "$7", More: "100 % used"}, {Name: "Nobody held it", Detail: "$3", Nobody: true},
		},
		Links: []FlowLink{{0, 0, 0, 4}, {1, 0, 0, 3}, {1, 1, 1, 3}, {0, 1, 1, -1}}}
	golden(t, "flowed", Flowed(f.Draw()))
}

func TestGanttGolden(t *testing.T) {
	g := Gantt{Label: "Attempts", Span: hours(0, 60), Threshold: .1, ActivityName: "GPU utilisation, mean",
		Attempts: []GanttAttempt{
			{Number: 1, Span: hours(0, 20), Hours: "20.0 h", Outcome: "preempted", Tone: "bad"},
			{Number: 2, Span: hours(21, 30), Hours: "9.0 h", Outcome: "oom", Tone: "bad", NoCheckpoint: true},
			{Number: 3, Span: hours(31, 60), Hours: "29.0 h", Outcome: "succeeded", Tone: "good"},
		},
		Checkpoints: []GanttCheckpoint{{At: hours(5, 6).From}, {At: hours(18, 19).From, Last: true}},
		Interrupted: []period.Second{hours(20, 21).From},
		Groups: []GanttGroup{{PriceClass: "spot", Title: "Spot", Note: "2 nodes", Short: "2 nodes", Nodes: []GanttNode{
			{
				Name: "i-0a31c9f2", Bars: []GanttBar{
					{Span: hours(0, 18), Cause: "used"}, {Span: hours(18, 20), Cause: "lost"},
					{Span: hours(21, 30), Cause: "lost", Bound: true},
				},
			},
			{
				Name: "2 others", Others: []GanttShare{
					{Span: hours(0, 1), Cause: "used", From: .25, To: 1}, {Span: hours(0, 1), Cause: "held_idle", From: 0, To: .25},
				},
			},
		}}},
		Activity: []float64{.9, .8, math.NaN(), .02, .9},
		Memory: []GanttMemory{
			{Span: hours(0, 20), Text: "71 GB", Fill: .9}, {Span: hours(21, 30), Text: "80 GB", Bad: true, Fill: 1},
		},
	}
	golden(t, "gantt", Attempts(g))
}

func TestLayoutsGolden(t *testing.T) {
	l := Layouts{ID: "layouts", Label: "2 cards were cut", Desc: "A band per card.", Span: hours(0, 48),
		Cards: []LayoutCard{
			{Name: "GPU-d3b749c2…", Note: "ip-10-20-93-24", Compute: 7, Layouts: []LayoutSpan{
				{Span: hours(0, 30), Text: "3g.20gb + 2g.10gb", Compute: []int{3, 2}, Free: 2, Title: "first"},
				{
					Span: hours(36, 60), Text: "2 × 3g.20gb, which has no room",
					Compute: []int{3, 3}, Dead: 1, Title: "second, after a gap",
				},
			}},
			{Name: "GPU-a8e0557b…", Compute: 4, Layouts: []LayoutSpan{{Span: hours(-4, 48), Title: "no instance", Free: 4}}},
		}}
	golden(t, "layouts", LayoutHistory(l.Draw(false), l.Draw(true)))
	golden(t, "layouts-key", LayoutKey())
}

func TestLayoutsFillTheirCards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		card := LayoutCard{Compute: 7}
		for from := 0; from < 40; from += 8 {
			s := LayoutSpan{Span: hours(from, from+rapid.IntRange(1, 20).Draw(t, "h"))}
			left := 7
			for left > 0 && rapid.Bool().Draw(t, "more") {
				n := rapid.IntRange(1, left).Draw(t, "n")
				s.Compute, left = append(s.Compute, n), left-n
			}
			s.Dead = rapid.IntRange(0, left).Draw(t, "dead")
			s.Free = left - s.Dead
			card.Layouts = append(card.Layouts, s)
		}
		d := Layouts{Span: hours(0, 48), Cards: []LayoutCard{card, card}}.Draw(rapid.Bool().Draw(t, "narrow"))
		for _, c := range d.Cards {
			for _, p := range c.Pieces {
				sum, low := 0.0, number(t, p.H)
				for _, r := range p.Parts {
					sum += number(t, r.H)
					low = min(low, number(t, r.Y))
				}
				if h := number(t, p.H); sum != h || low != 0 {
					t.Fatalf("parts of %v px from %v fill a card of %v px", sum, low, h)
				}
				if x, w := number(t, strings.TrimSuffix(p.X, "%")), number(t, strings.TrimSuffix(p.W, "%")); x < 0 || x+w > 100.02 {
					t.Fatalf("a layout from %v to %v leaves the drawing", x, x+w)
				}
				if number(t, c.Base) > number(t, d.GridBottom) {
					t.Fatalf("a band ends at %v of %v", c.Base, d.GridBottom)
				}
			}
		}
	})
}

func TestFlowKeepsTheMoney(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Flow{Height: 392, Left: make([]FlowNode, 3), Mid: make([]FlowNode, 5), Right: make([]FlowNode, 4)}
		total := 0.0
		for range rapid.IntRange(1, 40).Draw(t, "links") {
			l := FlowLink{
				rapid.IntRange(0, 2).Draw(t, "l"), rapid.IntRange(0, 4).Draw(t, "m"),
				rapid.IntRange(0, 3).Draw(t, "r"), rapid.Float64Range(0.01, 1e6).Draw(t, "v"),
			}
			f.Links = append(f.Links, l)
			total += l.Value
		}
		d := f.Draw()
		if len(d.Nodes) != 12 {
			t.Fatalf("%d nodes", len(d.Nodes))
		}
		for _, n := range d.Nodes {
			y, h := number(t, n.Y), number(t, n.H)
			if y < -.1 || y+h > 393 {
				t.Fatalf("node from %v to %v leaves the drawing", y, y+h)
			}
		}
		for _, l := range d.Labels {
			if y := number(t, l.Y); y < 0 || y > 397 {
				t.Fatalf("label at %v leaves the drawing", y)
			}
		}
	})
}

func number(t *rapid.T, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return v
}

func TestGeometryStaysInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Stack{Currency: "USD", Height: 200, Classes: []string{"a", "b"}}
		for range rapid.IntRange(0, 62).Draw(t, "steps") {
			s.Steps = append(s.Steps, Step{
				Values: []float64{rapid.Float64Range(-1e3, 1e9).Draw(t, "a"), rapid.Float64Range(0, 1e9).Draw(t, "b")},
			})
		}
		d := s.Draw()
		for _, r := range d.Bars {
			y, h := number(t, r.Y), number(t, r.H)
			if y < stackTop-.2 || y+h > 200-stackBottom+.2 {
				t.Fatalf("bar from %v to %v leaves the plot", y, y+h)
			}
		}
		if n := len(d.Grid); n < 2 || n > 8 {
			t.Fatalf("%d gridlines", n)
		}
	})
}

func TestGapsStayGaps(t *testing.T) {
	nan := math.NaN()
	x := func(i int) float64 { return float64(i) / 10 }
	y := func(v float64) float64 { return v }
	for _, test := range []struct {
		points []float64
		moves  int
	}{{[]float64{1, 2, 3}, 1}, {[]float64{1, nan, 3}, 2}, {[]float64{nan, nan}, 0}, {[]float64{nan, 2, nan}, 1}} {
		path := linePath(test.points, x, y)
		if got := strings.Count(path, "M"); got != test.moves {
			t.Errorf("%v: %d strokes, want %d (%s)", test.points, got, test.moves, path)
		}
		if regexp.MustCompile(`NaN|Inf`).MatchString(path) {
			t.Errorf("%v: %s", test.points, path)
		}
	}
	if Spark([]float64{1, nan}) != "" {
		t.Error("one point is no line")
	}
}

func TestAxis(t *testing.T) {
	for _, length := range []int{1, 5, 13, 26, 49, 24 * 7, 24 * 60, 24 * 400} {
		g := Gantt{Span: hours(0, length)}
		for _, narrow := range []bool{false, true} {
			d := g.Draw(narrow)
			if n := len(d.Days); n < 1 || n > 18 {
				t.Errorf("%d h, narrow %v: %d names on the axis", length, narrow, n)
			}
		}
	}
}

func TestPushApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Float64Range(0, 300), 0, 15).Draw(t, "y")
		for i := 1; i < len(y); i++ {
			y[i] = max(y[i], y[i-1])
		}
		pushApart(y, 15, 0, 300)
		for i := range y {
			if y[i] < -.001 || y[i] > 300.001 || (i > 0 && y[i]-y[i-1] < 14.999) {
				t.Fatalf("labels at %v", y)
			}
		}
	})
}
