package panel

import (
	"github.com/a-h/templ"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
)

// mostPivotRows bounds the rows of a pivot table; the rest is one row of others.
const mostPivotRows = 400

// pivot prints groups as a tree with a subtotal per level. Figures that do not add up have no subtotals.
func (d *drawing) pivot() templ.Component {
	groups, left := d.fold(mostPivotRows)
	v := views.PivotTable{Caption: d.caption(), Head: d.now(), Was: d.was(), Left: left, Acts: d.Acts != nil}
	for _, k := range d.keys {
		v.Keys = append(v.Keys, k.Name)
	}
	v.Compared = d.Before.Dataset != ""
	v.Rows = d.pivotRows(groups, 0)
	if adds(d.column) && len(groups) > 1 {
		g := &group{total: &d.total, before: sumBefore(groups)}
		v.Rows = append(v.Rows, d.pivotRow(g, "Total", 0, true))
	}
	return views.Pivot(v)
}

// pivotRows are the rows of groups that share their first keys.
func (d *drawing) pivotRows(groups []*group, depth int) (rows []views.PivotRow) {
	if depth >= len(d.keys)-1 {
		for _, g := range groups {
			name := d.name(g)
			if g.folded == 0 && len(d.keys) > 0 {
				name = wordOf(d.keys[depth], g.values[depth])
			}
			row := d.pivotRow(g, name, depth, false)
			row.Acts = d.acts(g, groups)
			rows = append(rows, row)
		}
		return rows
	}
	var order []string
	by := map[string][]*group{}
	for _, g := range groups {
		id := "others"
		if g.folded == 0 {
			id = "=" + idOf(g.values[depth])
		}
		if by[id] == nil {
			order = append(order, id)
		}
		by[id] = append(by[id], g)
	}
	for _, id := range order {
		list := by[id]
		if id == "others" {
			rows = append(rows, d.pivotRow(list[0], d.name(list[0]), depth, false))
			continue
		}
		sum := &group{values: list[0].values[:depth+1]}
		if adds(d.column) {
			for _, g := range list {
				sum.total, sum.before = plus(sum.total, g.total), plus(sum.before, g.before)
			}
		}
		rows = append(rows, d.pivotRow(sum, wordOf(d.keys[depth], sum.values[depth]), depth, true))
		rows = append(rows, d.pivotRows(list, depth+1)...)
	}
	return rows
}

func sumBefore(groups []*group) (sum *money.Amount) {
	for _, g := range groups {
		sum = plus(sum, g.before)
	}
	return sum
}

// pivotRow is a row of the table; of sums the mark says so.
func (d *drawing) pivotRow(g *group, name string, depth int, sum bool) views.PivotRow {
	r := views.PivotRow{Name: name, Depth: depth, Sum: sum, Figure: d.figure(d.column, g.total)}
	kind := "cell"
	if sum {
		kind = "total"
	}
	at := At{Others: g.folded > 0}
	for i, value := range g.values {
		at.Keys, at.Values = append(at.Keys, d.keys[i].Name), append(at.Values, value)
	}
	r.Mark = chart.Mark{
		Kind: kind, Unit: d.unit(d.column), Title: name + ": " + r.Figure.Title, Href: d.href(at), First: true,
	}
	if g.total != nil {
		r.Mark.Value = g.total.String()
	}
	r.Before, r.Change = d.figure(d.column, g.before), d.change(d.column, g)
	return r
}

// change is the difference to the earlier period.
func (d *drawing) change(c metrics.Column, g *group) views.Figure {
	now, before := g.total, g.before
	if adds(c) && (now == nil) != (before == nil) { // a group that is new or gone
		zero := money.Amount{}
		if now == nil {
			now = &zero
		} else {
			before = &zero
		}
	}
	if now == nil || before == nil {
		return views.Figure{}
	}
	diff := now.Sub(*before)
	f := d.figure(c, &diff)
	if c.Kind == metrics.Money {
		f.Text = d.coin().Change(diff)
	} else if diff.Sign() > 0 {
		f.Text = "+" + f.Text
	}
	return f
}
