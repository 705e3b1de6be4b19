package panel

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"pgregory.net/rapid"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
)

var (
	cost = metrics.Column{
		Name: "effective_cost", Kind: metrics.Money, Unit: "currency", Formula: metrics.Sum("effective_cost"),
	}
	idle = metrics.Column{
		Name: "idle_share", Kind: metrics.Ratio, Formula: metrics.RatioOf(metrics.Sum("a"), metrics.Sum("b")),
	}
)

// drawingOf is a sheet of groups named by their values, each with its cells by hour.
func drawingOf(p Panel, column metrics.Column, keys []string, groups map[string][]string) *drawing {
	s := &sheet{currency: "USD", column: column, columns: []metrics.Column{column}}
	for _, name := range keys {
		k, _ := metrics.LookupKey(name)
		s.keys = append(s.keys, k)
	}
	steps := 0
	for _, id := range slices.Sorted(mapKeys(groups)) {
		g := &group{cells: map[int]*money.Amount{}, parts: map[string]*money.Amount{}}
		for v := range strings.SplitSeq(id, "|") {
			if len(keys) > 0 {
				g.values = append(g.values, metrics.Value{Valid: v != "", Text: v})
			}
		}
		for i, text := range groups[id] {
			a := money.MustParse(text)
			g.cells[i] = &a
			g.total = plus(g.total, &a)
			s.total = s.total.Add(a)
			steps = max(steps, i+1)
		}
		s.groups = append(s.groups, g)
	}
	from := period.Second(1793491200) // Sunday, 1 November 2026
	for i := range steps {
		at := from + period.Second(i)*period.Second(period.Hour)
		s.steps = append(s.steps, step{span: period.Interval{From: at, To: at + period.Second(period.Hour)}})
	}
	slices.SortStableFunc(s.groups, func(x, y *group) int { return page.Size(y.total).Cmp(page.Size(x.total)) })
	p.Ask = ask.Question{Dataset: "costs"}
	return &drawing{Panel: &p, Context: &page.Context{Scope: page.Scope{Basis: "effective"}}, sheet: s}
}

func mapKeys(m map[string][]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// amounts are groups with amounts of both signs.
func amounts(t *rapid.T, keys int) map[string][]string {
	out := map[string][]string{}
	for range rapid.IntRange(1, 30).Draw(t, "groups") {
		values := make([]string, keys)
		for i := range values {
			values[i] = rapid.SampledFrom([]string{"", "a", "b", "c", "it's", "d e"}).Draw(t, "value")
		}
		amount := rapid.SampledFrom([]string{"0", "0.000000000001", "12.5", "-3.25", "1000"})
		out[strings.Join(values, "|")] = rapid.SliceOfN(amount, 1, 60).Draw(t, "cells")
	}
	return out
}

func markSum(t *testing.T, c templ.Component) money.Amount {
	t.Helper()
	var sum money.Amount
	for tag := range strings.SplitSeq(htmlOf(t, c), "<a ") {
		_, rest, marked := strings.Cut(tag, `data-value="`)
		if !marked || strings.Contains(tag, `data-mark="total"`) {
			continue
		}
		value, _, _ := strings.Cut(rest, `"`)
		sum = sum.Add(money.MustParse(value))
	}
	return sum
}

func htmlOf(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarksOfEveryChartAddUpToTheSheet(t *testing.T) {
	charts := map[string]func(*drawing) templ.Component{
		"bars": (*drawing).stack, "lines": (*drawing).lines, "ranked": (*drawing).ranked, "treemap": (*drawing).treemap,
		"pivot": (*drawing).pivot, "heat map": (*drawing).heatmap, "multiples": (*drawing).multiples,
	}
	rapid.Check(t, func(r *rapid.T) {
		keys := []string{"team", "cluster"}[:rapid.IntRange(0, 2).Draw(r, "keys")]
		p := Panel{Most: rapid.IntRange(1, 8).Draw(r, "most"), Measure: cost.Name}
		if rapid.Bool().Draw(r, "pinned") {
			p.Pins, _ = metrics.ParseFilter("team = 'a' or team is null")
		}
		groups := amounts(r, max(len(keys), 1))
		if len(keys) == 0 {
			groups = map[string][]string{"": groups[slices.Sorted(mapKeys(groups))[0]]}
		}
		for name, draw := range charts {
			d := drawingOf(p, cost, keys, groups)
			if name == "heat map" && len(keys) == 2 {
				d.steps = nil
			}
			if got := markSum(t, draw(d)); got.Cmp(d.total) != 0 {
				r.Fatalf("%s by %v: marks make %s, the sheet %s", name, keys, got, d.total)
			}
		}
	})
}

func TestPinnedGroupsAreDrawn(t *testing.T) {
	p := Panel{Most: 1}
	p.Pins, _ = metrics.ParseFilter("team = small")
	d := drawingOf(p, cost, []string{"team"}, map[string][]string{
		"big": {"9"}, "mid": {"5"}, "small": {"1"}, "tiny": {"0.5"},
	})
	groups, left := d.folded()
	var names []string
	for _, g := range groups {
		names = append(names, d.name(g))
	}
	if want := []string{"big", "small", "2 others"}; !slices.Equal(names, want) || left != 0 {
		t.Errorf("drawn are %q, left %d; want %q", names, left, want)
	}
}

func TestSharesAreNeverAddedUp(t *testing.T) {
	d := drawingOf(Panel{Most: 2, Measure: idle.Name}, idle, []string{"team"},
		map[string][]string{"a": {"0.5"}, "b": {"0.4"}, "c": {"0.3"}, "d": {"0.2"}})
	groups, left := d.folded()
	if len(groups) != 2 || left != 2 || d.lead().Total != "" {
		t.Errorf("%d groups drawn, %d left, lead %+v; want 2, 2 and no total", len(groups), left, d.lead())
	}
	d.Chart = Bars
	if html := htmlOf(t, d.draw().Body); !strings.Contains(html, `class="chart lines"`) {
		t.Errorf("shares over time are not drawn as lines: %.200s", html)
	}
}

func TestHoursOfTheWeek(t *testing.T) {
	cells := make([]string, 24*8) // from Sunday to Sunday
	for i := range cells {
		cells[i] = "0"
	}
	cells[3], cells[3+24*7], cells[24+5] = "1", "2", "4"
	d := drawingOf(Panel{Measure: cost.Name}, cost, nil, map[string][]string{"": cells})
	m := d.matrix()
	for _, c := range []struct {
		day, hour int
		want      string
	}{{6, 3, "3"}, {0, 5, "4"}, {2, 2, "0"}} {
		if got := m.rows[c.day].cells[c.hour].figure; got == nil || got.String() != c.want {
			t.Errorf("%s %s is %v, want %s", m.rows[c.day].name, m.columns[c.hour], got, c.want)
		}
	}
}

func TestPivotHasASubtotalPerLevel(t *testing.T) {
	d := drawingOf(Panel{Measure: cost.Name}, cost, []string{"team", "cluster"},
		map[string][]string{"a|x": {"1.1"}, "a|y": {"2.2"}, "b|x": {"4"}})
	var got []string
	for _, r := range d.pivotRows(d.groups, 0) {
		got = append(got, r.Name+" "+r.Mark.Kind+" "+r.Mark.Value)
	}
	if want := []string{"b total 4", "x cell 4", "a total 3.3", "y cell 2.2", "x cell 1.1"}; !slices.Equal(got, want) {
		t.Errorf("rows are %q, want %q", got, want)
	}
}

func TestNamesFromOutsideAreText(t *testing.T) {
	hostile := `<script>alert(1)</script>"'&` + strings.Repeat("x", 300)
	for _, draw := range []func(*drawing) templ.Component{
		(*drawing).stack, (*drawing).lines, (*drawing).ranked, (*drawing).treemap, (*drawing).pivot, (*drawing).heatmap,
		(*drawing).multiples,
	} {
		d := drawingOf(Panel{Measure: cost.Name, Title: hostile}, cost, []string{"team"},
			map[string][]string{hostile: {"1"}, "b": {"2"}})
		if html := htmlOf(t, draw(d)); strings.Contains(html, "<script") || strings.Contains(html, `"'&`) {
			t.Errorf("a name is not escaped: %.300s", html)
		}
	}
}

// A mark of several keys leads to a key that it does not have yet.
func TestNarrowedGoesDownToANewKey(t *testing.T) {
	at := At{
		Keys:   []string{"team", "project", "cause"},
		Values: []metrics.Value{{Valid: true, Text: "speech"}, {Valid: true, Text: "calls"}, {Valid: true, Text: "used"}},
	}
	u, err := url.Parse(Narrowed(page.Scope{}, "costs", "effective_cost", at))
	if err != nil || u.Query().Get("by") != "run" {
		t.Errorf("leads to %s: %v", u, err)
	}
}

// The table of a chart over time has the course of each group; without a second step it has no such column.
func TestTableHasTheCourseOfItsGroups(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  string
	}{
		{[]string{"120", "7", "340"}, "a, 1 Nov: from $120.00 to $340.00 an hour"},
		{[]string{"120"}, ""},
	} {
		d := drawingOf(Panel{Measure: cost.Name}, cost, []string{"team"}, map[string][]string{"a": c.cells})
		table := d.twin()
		got := ""
		for _, cell := range table.Rows[0].Cells {
			if cell.Trend != nil {
				got = cell.Trend.Title
			}
		}
		if got != c.want || len(table.Rows[0].Cells) != len(table.Heads) {
			t.Errorf("%v: %q with %d cells below %d heads, want %q", c.cells, got, len(table.Rows[0].Cells),
				len(table.Heads), c.want)
		}
	}
}
