package panel

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// mostTwinRows bounds the table below a chart.
const mostTwinRows = 100

// twin is the chart as a table: this, previous and change of each group.
func (d *drawing) twin() views.Table {
	t := views.Table{Caption: d.caption(), Dense: true}
	if d.Measure == "" {
		define := d.Ask.Dataset + "." + d.Parts[0]
		t.Heads = views.Heads("Part: "+define, "#Amount: "+define)
		for _, p := range d.figuresOf() {
			t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
				{Figure: views.Figure{Text: d.partName(p.column)}, Name: true, Href: d.href(At{Part: p.column.Name})},
				{Figure: d.figure(p.column, p.figure), Why: d.why(d.Ask, p.column, p.figure, nil)},
			}})
		}
		return t
	}
	for _, k := range d.keys {
		t.Heads = append(t.Heads, views.SortLink{Text: metrics.Label(k.Name), Define: d.definition(k)})
	}
	if len(d.keys) == 0 {
		t.Heads = append(t.Heads, views.SortLink{Text: "Of", Define: d.Ask.Dataset + "." + d.column.Name})
	}
	measure := views.SortLink{Text: d.now(), Number: true, Define: d.Ask.Dataset + "." + d.column.Name}
	t.Heads = append(t.Heads, measure)
	compared := d.Before.Dataset != ""
	if compared {
		t.Heads = append(t.Heads, views.SortLink{Text: d.was(), Number: true, Define: measure.Define},
			views.SortLink{Text: "Change", Number: true, Define: metrics.ChapterFigures + ".change"})
	}
	courses := len(d.steps) > 1 && adds(d.column) &&
		slices.ContainsFunc(d.groups, func(g *group) bool { return d.course(g).Trend != nil })
	if courses {
		t.Heads = append(t.Heads, views.SortLink{Text: "Over time", Class: "wide-only", Define: measure.Define})
	}
	further := d.further()
	for _, c := range further {
		t.Heads = append(t.Heads, views.SortLink{Text: metrics.Label(c.Name), Number: true, Define: d.Ask.Dataset + "." + c.Name})
	}
	if d.Acts != nil {
		t.Heads = append(t.Heads, views.SortLink{Text: "Actions", Define: measure.Define})
	}
	groups, left := d.fold(mostTwinRows)
	drawn, _ := d.folded()
	for _, g := range groups {
		cells := d.twinRow(g, compared)
		if courses {
			cells = append(cells, d.course(g))
		}
		for _, c := range further {
			cells = append(cells, views.Cell{Figure: d.figure(c, g.parts[c.Name]), Why: d.why(d.Ask, c, g.parts[c.Name], g)})
		}
		if d.Acts != nil {
			cells = append(cells, views.Cell{Form: views.RowLinks(d.name(g), d.acts(g, drawn))})
		}
		t.Rows = append(t.Rows, views.Row{Others: g.folded > 0, Cells: cells})
	}
	if left == 0 && adds(d.column) && len(groups) > 1 {
		sum := &group{total: &d.total, before: sumBefore(groups)}
		t.Total = d.figures(sum, compared)
		lead := make([]views.Cell, max(len(d.keys), 1))
		lead[0] = views.Text("Total")
		t.Total = append(lead, t.Total...)
		if courses {
			t.Total = append(t.Total, views.Cell{})
		}
		for _, c := range further {
			t.Total = append(t.Total, views.Cell{Figure: d.figure(c, d.partTotal(c.Name))})
		}
		if d.Acts != nil {
			t.Total = append(t.Total, views.Cell{})
		}
	}
	return t
}

// course is a group over the steps as a small line; steps with part of their data are left out.
func (d *drawing) course(g *group) views.Cell {
	c := page.Course{
		Name: d.name(g), Step: d.stepWord(), Href: d.mark("", g, g.total, -1).Href,
		At:    func(i int) period.Interval { return d.steps[i].span },
		Print: func(i int) string { return d.figure(d.column, g.cells[i]).Text + d.unitWord() },
	}
	for i, s := range d.steps {
		v := page.Gap
		if a := g.cells[i]; a != nil && d.part(s.span) == "" {
			v = page.Pixels(*a)
		}
		c.Points = append(c.Points, v)
	}
	return c.Cell()
}

// now and was head the columns of a comparison.
func (d *drawing) now() string { return cmp.Or(d.Now, metrics.Label(d.column.Name)) }
func (d *drawing) was() string { return cmp.Or(d.Was, "Previous") }

// acts are the links of a group's row.
func (d *drawing) acts(g *group, drawn []*group) []views.Link {
	if d.Acts == nil || g.folded > 0 || len(g.values) == 0 {
		return nil
	}
	return d.Acts(At{Keys: keyNames(d.keys), Values: g.values}, slices.Contains(drawn, g))
}

// definition is the anchor of a key's definition: the dataset's column, else the group key.
func (d *drawing) definition(k metrics.Key) string {
	if set, err := metrics.LookupDataset(d.Ask.Dataset); err == nil {
		if _, ok := set.Column(k.Name); ok {
			return set.Name + "." + k.Name
		}
	}
	return metrics.ChapterKeys + "." + k.Name
}

// further are the columns of the table next to the measure, without those that are 0 or unknown in all rows.
func (d *drawing) further() (out []metrics.Column) {
	for _, name := range d.Parts {
		i := slices.IndexFunc(d.columns, func(c metrics.Column) bool { return c.Name == name })
		some := slices.ContainsFunc(d.groups, func(g *group) bool { return g.parts[name] != nil && !g.parts[name].IsZero() })
		if i >= 0 && some && name != d.Measure {
			out = append(out, d.columns[i])
		}
	}
	return out
}

// partTotal adds up a column over all groups.
func (d *drawing) partTotal(name string) (sum *money.Amount) {
	for _, g := range d.groups {
		sum = plus(sum, g.parts[name])
	}
	return sum
}

// twinRow are the cells of a group.
func (d *drawing) twinRow(g *group, compared bool) []views.Cell {
	cells := make([]views.Cell, 0, len(d.keys)+3)
	if g.folded > 0 || len(d.keys) == 0 {
		cells = append(cells, views.Text(d.name(g)))
		for range max(len(d.keys)-1, 0) {
			cells = append(cells, views.Cell{})
		}
	} else {
		for i, k := range d.keys {
			cell := views.Cell{Figure: views.Figure{Text: wordOf(k, g.values[i])}, Name: true}
			if k.Name == "cause" && g.values[i].Valid {
				cell.Cause = g.values[i].Text
			}
			if i == len(d.keys)-1 {
				cell.Href = d.mark("", g, nil, -1).Href
			}
			cells = append(cells, cell)
		}
	}
	return append(cells, d.figures(g, compared)...)
}

// figures are this, previous and change.
func (d *drawing) figures(g *group, compared bool) []views.Cell {
	now, before := d.signed(g.total), d.figure(d.column, g.before)
	why := d.why(d.Ask, d.column, g.total, g)
	if !compared {
		return []views.Cell{{Figure: now, Why: why}}
	}
	for _, side := range []struct {
		figure *views.Figure
		amount *money.Amount
	}{{&now, g.total}, {&before, g.before}} {
		if side.amount == nil && adds(d.column) {
			*side.figure = views.Figure{Text: "none", Title: "no rows in this period", Zero: true}
		}
	}
	return []views.Cell{
		{Figure: now, Why: why}, {Figure: before, Why: d.why(d.Before, d.column, g.before, g)}, {Figure: d.change(d.column, g)},
	}
}

// why is the address of the explanation of a figure of a group, nil: of all; empty if it has none.
func (d *drawing) why(q ask.Question, c metrics.Column, a *money.Amount, g *group) string {
	if a == nil || a.IsZero() || g != nil && (g.folded > 0 || len(d.keys) > 0 && len(g.values) == 0) {
		return ""
	}
	opt := q.Options
	opt.Granularity, opt.GroupBy = "", ""
	var terms []string
	if g != nil {
		var keys []string
		for i, k := range d.keys {
			terms = append(terms, metrics.IsValue(k.Name, g.values[i], metrics.Text))
			if !slices.Contains(d.Names, k.Name) {
				keys = append(keys, k.Name)
			}
		}
		opt.GroupBy = strings.Join(keys, ",")
	}
	if d.currency != "" {
		terms = append(terms, page.Equal("currency", d.currency))
	}
	return figures.WhyFigure(opt, q.Dataset, c.Name, terms...)
}
