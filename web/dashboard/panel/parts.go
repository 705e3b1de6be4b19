package panel

import (
	"cmp"
	"slices"

	"github.com/a-h/templ"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// part is a column of a bridge or funnel with its figure.
type part struct {
	column metrics.Column
	figure *money.Amount
}

// figuresOf are the parts of the sheet, added up over its rows.
func (d *drawing) figuresOf() []part {
	out := make([]part, 0, len(d.Parts))
	for _, name := range d.Parts {
		i := slices.IndexFunc(d.columns, func(c metrics.Column) bool { return c.Name == name })
		if i < 0 {
			continue
		}
		p := part{column: d.columns[i]}
		for _, r := range d.rows {
			p.figure = plus(p.figure, figures.AmountOf(p.column, r.Value(name)))
		}
		out = append(out, p)
	}
	return out
}

// partName is the name of a part.
func (d *drawing) partName(c metrics.Column) string {
	return cmp.Or(d.Labels[c.Name], metrics.Label(c.Name))
}

// partMark is the mark of a part.
func (d *drawing) partMark(kind string, p part) chart.Mark {
	m := chart.Mark{Kind: kind, Unit: d.unit(p.column), Title: d.partName(p.column), First: true}
	if p.figure != nil {
		m.Value = p.figure.String()
		m.Title += ": " + d.exact(p.column, p.figure)
	}
	m.Href = d.href(At{Part: p.column.Name})
	return m
}

// bridge leads from the first part to the last.
func (d *drawing) bridge() templ.Component {
	parts := d.figuresOf()
	b := chart.Bridge{Label: d.Title, Axis: figures.Axis(d.column, d.coin())}
	if len(parts) > 0 {
		b.Axis = figures.Axis(parts[0].column, d.coin())
	}
	for i, p := range parts {
		total := i == 0 || i == len(parts)-1
		if p.figure == nil || p.figure.IsZero() && !total {
			continue // a part that changed nothing
		}
		bar := chart.BridgeBar{
			Name: d.partName(p.column), Figure: d.coin().Compact(*p.figure), Size: page.Pixels(*p.figure), Total: total,
			Class: "s1", Mark: d.partMark("part", p),
		}
		if !total {
			bar.Class = "s5"
			if bar.Figure = d.coin().Change(*p.figure); p.figure.Sign() > 0 {
				bar.Class = "s3"
			}
		}
		b.Bars = append(b.Bars, bar)
	}
	return chart.Bridged(b.Draw())
}

// funnel draws each part as a share of the first.
func (d *drawing) funnel() templ.Component {
	parts := d.figuresOf()
	f := views.Ranked{Label: d.Title}
	most := 0.0
	for _, p := range parts {
		most = max(most, size(p.figure))
	}
	for _, p := range parts {
		bar := views.RankedBar{
			Name: d.partName(p.column), Figure: d.figure(p.column, p.figure), Class: "s1", Mark: d.partMark("step", p),
			Width: share(size(p.figure), most),
		}
		if first := parts[0].figure; p.figure != nil && first != nil && first.Sign() > 0 {
			bar.Note = format.WholePercent(p.figure.Rat(), first.Rat())
		}
		f.Bars = append(f.Bars, bar)
	}
	return views.RankedBars(f)
}
