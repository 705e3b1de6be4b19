package panel

import (
	"gpuledger/web/views"
)

// mostTwinRows bounds the table below a chart.
const mostTwinRows = 100

// twin is the chart as a table: this, previous and change of each group.
func (d *drawing) twin() views.Table {
	t := views.Table{Caption: d.Title, Dense: true}
	if len(d.Parts) > 0 {
		t.Heads = views.Heads("Part", "#Amount")
		for _, p := range d.figuresOf() {
			t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
				views.Text(Label(p.column)), {Figure: d.figure(p.column, p.figure), Href: d.href(At{Part: p.column.Name})},
			}})
		}
		return t
	}
	for _, k := range d.keys {
		t.Heads = append(t.Heads, views.SortLink{Text: words(k.Name)})
	}
	if len(d.keys) == 0 {
		t.Heads = append(t.Heads, views.SortLink{Text: ""})
	}
	measure := views.SortLink{Text: Label(d.column), Number: true, Define: d.Ask.Dataset + "." + d.column.Name}
	t.Heads = append(t.Heads, measure)
	compared := d.Before.Dataset != ""
	if compared {
		t.Heads = append(t.Heads, views.SortLink{Text: "Previous", Number: true}, views.SortLink{Text: "Change", Number: true})
	}
	wide := *d.Panel
	wide.Most = mostTwinRows
	all := *d
	all.Panel = &wide
	groups, left := all.folded()
	for _, g := range groups {
		t.Rows = append(t.Rows, views.Row{Others: g.folded > 0, Cells: d.twinRow(g, compared)})
	}
	if left == 0 && adds(d.column) && len(groups) > 1 {
		sum := &group{total: &d.total, before: sumBefore(groups)}
		t.Total = d.figures(sum, compared)
		lead := make([]views.Cell, max(len(d.keys), 1))
		lead[0] = views.Text("Total")
		t.Total = append(lead, t.Total...)
	}
	return t
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
	cells := []views.Cell{{Figure: d.figure(d.column, g.total)}}
	if compared {
		cells = append(cells, views.Cell{Figure: d.figure(d.column, g.before)}, views.Cell{Figure: d.change(d.column, g)})
	}
	return cells
}
