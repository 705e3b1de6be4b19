package panel

import (
	"slices"

	"github.com/a-h/templ"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// courses draws each part as a line over the days of the rows. The first is high, a part named projected is dashed. A
// day has one mark, of the first part that is known.
func (d *drawing) courses() templ.Component {
	l := chart.Lines{Label: d.Title, Height: chartHeight}
	marked := make([]bool, len(d.rows))
	for i := range d.rows {
		text := ""
		if len(d.rows) <= 12 || i%((len(d.rows)+7)/8) == 0 {
			text = format.Day(d.rows[i].Second(d.Over))
		}
		l.Steps = append(l.Steps, text)
	}
	for k, c := range d.partColumns() {
		if l.Currency = d.coin(); d.currency == "" {
			l.Axis = figures.Axis(c, d.coin())
		}
		s := chart.Series{High: k == 0, Dashed: c.Name == "projected"}
		for i, r := range d.rows {
			a := figures.AmountOf(c, r.Value(c.Name))
			v := page.Gap
			var m chart.Mark
			if a != nil {
				v, s.Value = page.Pixels(*a), d.amount(c, a)
				if !marked[i] {
					m, marked[i] = d.dayMark(c, i, a), true
				}
			}
			s.Points, s.Marks = append(s.Points, v), append(s.Marks, m)
		}
		if s.Value != "" {
			s.Name = d.partName(c)
			l.Series = append(l.Series, s)
		}
	}
	l.Events = d.moment()
	return chart.Lined(l.Draw())
}

// moment is the mark of the panel's own day; none if its rows lack the day.
func (d *drawing) moment() []chart.Event {
	i := slices.IndexFunc(d.rows, func(r page.Record) bool { return d.Moment != 0 && r.Second(d.Over) == d.Moment })
	if i < 0 || len(d.rows) < 2 {
		return nil
	}
	return []chart.Event{{At: float64(i) / float64(len(d.rows)-1), Text: d.MomentText + " " + format.Day(d.Moment)}}
}

// amount is the figure at the end of a line.
func (d *drawing) amount(c metrics.Column, a *money.Amount) string {
	if d.currency != "" {
		return d.coin().Compact(*a)
	}
	return d.figure(c, a).Text
}

// partColumns are the columns of the parts, in the panel's order.
func (d *drawing) partColumns() (out []metrics.Column) {
	for _, name := range d.Parts {
		if i := slices.IndexFunc(d.columns, func(c metrics.Column) bool { return c.Name == name }); i >= 0 {
			out = append(out, d.columns[i])
		}
	}
	return out
}

// dayMark is the mark of a part's figure on a day.
func (d *drawing) dayMark(c metrics.Column, i int, a *money.Amount) chart.Mark {
	day := d.rows[i].Second(d.Over)
	m := chart.Mark{Kind: "point", Unit: d.unit(c), First: i == 0, Title: d.partName(c) + ", " + format.Day(day)}
	if d.currency != "" {
		m.Unit = d.currency
	}
	if a != nil {
		m.Value = a.String()
		m.Title += ": " + d.exact(c, a)
	}
	m.Href = d.href(At{Part: c.Name, From: page.Address(day), To: page.Address(day + period.Second(period.Day))})
	return m
}

// daily is the chart as a table.
func (d *drawing) daily() views.Table {
	t := views.Table{Caption: d.caption(), Dense: true, Heads: []views.SortLink{{Text: "Day", Define: d.Ask.Dataset + "." + d.Over}}}
	columns := d.partColumns()
	for _, c := range columns {
		t.Heads = append(t.Heads, views.SortLink{Text: d.partName(c), Number: true, Define: d.Ask.Dataset + "." + c.Name})
	}
	for i, r := range d.rows {
		cells := []views.Cell{views.Text(format.Day(r.Second(d.Over)))}
		for _, c := range columns {
			a := figures.AmountOf(c, r.Value(c.Name))
			cells = append(cells, views.Cell{Figure: d.figure(c, a), Href: d.dayMark(c, i, a).Href})
		}
		t.Rows = append(t.Rows, views.Row{Cells: cells})
	}
	return t
}
