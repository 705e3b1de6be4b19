package panel

import (
	"math"
	"slices"

	"github.com/a-h/templ"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
)

// ranked draws a bar per group, largest first, with a tick at the figure before.
func (d *drawing) ranked() templ.Component {
	groups, left := d.folded()
	low, high := 0.0, 0.0
	for _, g := range groups {
		for _, a := range []*money.Amount{g.total, g.before, d.Limit} {
			if a != nil {
				low, high = math.Min(low, page.Pixels(*a)), math.Max(high, page.Pixels(*a))
			}
		}
	}
	at := func(v float64) float64 { return share(v-low, high-low) }
	r := views.Ranked{Label: d.label(groups), Left: left, Zero: at(0)}
	for i, g := range groups {
		if g.total == nil && g.before == nil {
			continue
		}
		m := d.mark("bar", g, g.total, -1)
		m.First = true
		bar := views.RankedBar{
			Name: d.name(g), Figure: d.signed(g.total), Mark: m, Class: d.class(g, 0), Others: g.folded > 0,
		}
		if g.total != nil {
			v := page.Pixels(*g.total)
			bar.From, bar.Width = math.Min(at(v), at(0)), math.Abs(at(v)-at(0))
		}
		if len(d.keys) == 1 && d.keys[0].Name == "cause" {
			bar.Class = d.class(g, i)
		}
		if d.Class != nil && g.total != nil {
			bar.Class = d.Class(g.values[0].Text, *g.total)
		}
		if d.Limit != nil {
			bar.Before, bar.BeforeText = at(page.Pixels(*d.Limit)), d.figure(d.column, d.Limit).Text
		}
		if g.before != nil {
			bar.Before, bar.BeforeText = at(page.Pixels(*g.before)), d.figure(d.column, g.before).Text
		}
		r.Bars = append(r.Bars, bar)
	}
	return views.RankedBars(r)
}

func size(a *money.Amount) float64 {
	if a == nil {
		return 0
	}
	return math.Abs(page.Pixels(*a))
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// treemap draws groups by size; with several keys, parts within the first.
func (d *drawing) treemap() templ.Component {
	t := chart.Treemap{Label: d.label(d.groups), Height: 380}
	groups := d.few(60)
	first := map[string]int{} // by the value of the first key
	n := 0
	for _, g := range groups {
		if g.total == nil {
			continue
		}
		m := d.mark("area", g, g.total, -1)
		m.First = n == 0
		area := chart.Area{
			Name: d.name(g), Figure: d.short(d.column, g.total), Size: size(g.total), Class: d.class(g, n), Mark: m,
		}
		n++
		if len(d.keys) < 2 || g.folded > 0 {
			t.Areas = append(t.Areas, area)
			continue
		}
		outer, known := first[g.values[0].Text]
		if !known {
			outer = len(t.Areas)
			first[g.values[0].Text] = outer
			t.Areas = append(t.Areas, chart.Area{Name: wordOf(d.keys[0], g.values[0])})
		}
		parent := &t.Areas[outer]
		inner := group{values: g.values[1:]}
		area.Name = (&drawing{Panel: d.Panel, Context: d.Context, sheet: &sheet{keys: d.keys[1:]}}).name(&inner)
		area.Class = d.shadeOf(outer, g)
		parent.Size += area.Size
		parent.Parts = append(parent.Parts, area)
	}
	for i := range t.Areas {
		if len(t.Areas[i].Parts) > 0 {
			t.Areas[i].Figure = d.short(d.column, d.sumOf(groups, t.Areas[i].Name))
		}
	}
	return chart.Treed(t.Draw())
}

// shadeOf colours a part: by its cause if it has one, else by the group that it is in.
func (d *drawing) shadeOf(outer int, g *group) string {
	if i := slices.IndexFunc(d.keys, func(k metrics.Key) bool { return k.Name == "cause" }); i >= 0 && g.values[i].Valid {
		return "t-" + g.values[i].Text + " o"
	}
	return "s" + string(rune('1'+min(outer, inks-1)))
}

// sumOf adds up the drawn groups of a first key.
func (d *drawing) sumOf(groups []*group, first string) *money.Amount {
	var sum *money.Amount
	for _, g := range groups {
		if g.folded == 0 && wordOf(d.keys[0], g.values[0]) == first {
			sum = plus(sum, g.total)
		}
	}
	return sum
}
