package figures

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

var courseHeads = views.Heads("From: costs.period_start")

// mostLinesDrawn limits the groups that a course draws.
const mostLinesDrawn = 4

// drawCourse draws a column per day for the groups with the highest cost. A day without
// data is a gap.
func drawCourse(p *page.Context, f *Page, r *Reading) *views.Course {
	c := r.columns[f.Course.Column]
	currency := string(p.Currency)
	values := map[string]map[period.Second]*money.Amount{}
	weight := map[string]money.Amount{}
	var names []string
	steps := map[period.Second]bool{}
	for _, row := range r.course {
		if r.dataset.HasMoney() && currency != "" && row.Text("currency") != currency {
			continue
		}
		name, at := row.Text(r.courseKey), row.Second("period_start")
		if values[name] == nil {
			values[name] = map[period.Second]*money.Amount{}
			names = append(names, name)
		}
		values[name][at] = AmountOf(c, row.Value(c.Name))
		steps[at] = true
		weight[name] = weight[name].Add(row.Known("effective_cost"))
	}
	days := make([]period.Second, 0, len(steps))
	for at := range steps {
		days = append(days, at)
	}
	slices.Sort(days)
	if len(days) < 2 {
		return nil
	}
	names = slices.DeleteFunc(names, func(name string) bool { // a group without the figure gets no line
		for _, a := range values[name] {
			if a != nil {
				return false
			}
		}
		return true
	})
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Or(weight[b].Cmp(weight[a]), cmp.Compare(a, b)) })
	out := &views.Course{Title: f.Course.Title, Note: f.Course.Note}
	lines := chart.Lines{Currency: p.Printed(currency), Axis: Axis(c, p.Printed(currency)), Height: 250}
	axis := everyDay(days[0], days[len(days)-1])
	for i, at := range axis {
		text := ""
		if len(axis) <= 10 || i%(len(axis)/8) == 0 && i < len(axis)-1 {
			text = format.Day(at)
		}
		lines.Steps = append(lines.Steps, text)
	}
	twin := views.Table{Caption: f.Course.Title + " per day", Heads: courseHeads}
	for k, name := range names {
		if k == mostLinesDrawn {
			break
		}
		s := chart.Series{Name: lineName(r.courseKey, name), High: k == 0}
		last := ""
		for _, at := range axis {
			v := page.Gap
			if a := values[name][at]; a != nil {
				v = page.Pixels(*a)
				last = Print(p, c, metrics.Value{Valid: true, Text: a.String(), Int: wholeOf(*a)}, currency).Text
			}
			s.Points = append(s.Points, v)
		}
		if last == "" {
			continue
		}
		s.Value = last
		lines.Series = append(lines.Series, s)
		twin.Heads = append(twin.Heads, views.SortLink{
			Text: s.Name, Number: true, Rate: true, Define: f.Dataset + "." + c.Name,
		})
	}
	if len(lines.Series) == 0 {
		return nil
	}
	for _, at := range days {
		row := views.Row{Cells: []views.Cell{views.Text(format.Day(at))}}
		for k, name := range names {
			if k < mostLinesDrawn &&
				slices.ContainsFunc(lines.Series, func(s chart.Series) bool { return s.Name == lineName(r.courseKey, name) }) {
				v := metrics.Null
				if a := values[name][at]; a != nil {
					v = metrics.Value{Valid: true, Text: a.String(), Int: wholeOf(*a)}
				}
				row.Cells = append(row.Cells, views.Cell{Figure: Print(p, c, v, currency)})
			}
		}
		twin.Rows = append(twin.Rows, row)
	}
	lines.Label = f.Course.Title + " per day, last of " + lines.Series[0].Name + ": " + lines.Series[0].Value
	small := lines
	small.Height, small.Series = 180, slices.Clone(lines.Series)
	for i := range small.Series {
		small.Series[i].Name = page.Shorten(small.Series[i].Name, 12)
	}
	out.Drawing, out.Small, out.Twin = lines.Draw(), small.Draw(), twin
	out.Links = []views.Link{p.Twin(), page.Defined(f.Dataset + "." + c.Name)}
	out.Links = append(out.Links, csv(f.question(p.Scope, metrics.Options{
		GroupBy: r.courseKey, Filter: f.Filter, Granularity: string(metrics.Day)})))
	return out
}

// everyDay lists the days from first to last, both included. A day without data keeps its
// place on the axis.
func everyDay(first, last period.Second) (days []period.Second) {
	for at := first; at <= last; at += period.Day {
		days = append(days, at)
	}
	return days
}

func lineName(key, name string) string {
	if name == "" {
		return "n/a"
	}
	return page.Shorten(Word(key, metrics.Value{Valid: true, Text: name}), 16)
}

// AmountOf reads a number of any kind.
func AmountOf(c metrics.Column, v metrics.Value) *money.Amount {
	if !v.Valid {
		return nil
	}
	text := v.Text
	if c.Kind.Integer() {
		text = strconv.FormatInt(v.Int, 10)
	}
	a, err := money.Parse(text)
	if err != nil {
		return nil
	}
	return &a
}

func wholeOf(a money.Amount) int64 {
	r := a.Rat()
	return new(big.Int).Quo(r.Num(), r.Denom()).Int64()
}

// Axis returns a function that labels the gridlines of a column.
func Axis(c metrics.Column, coin format.Currency) func(value, step float64) string {
	places := func(step float64) int {
		n := 0
		for ; step < 0.999 && n < 6; n++ {
			step *= 10
		}
		return n
	}
	switch {
	case c.Kind == metrics.Ratio && c.Unit == "":
		return func(v, step float64) string { return strconv.FormatFloat(v*100, 'f', places(step*100), 64) + "\u202f%" }
	case c.Kind == metrics.Money || c.Kind == metrics.Ratio:
		return func(v, step float64) string {
			if step >= 1 && c.Unit != "seconds" {
				return coin.Axis(int64(v))
			}
			if !isPrice(c) {
				return strconv.FormatFloat(v, 'f', places(step), 64)
			}
			return coin.Symbol() + strconv.FormatFloat(v, 'f', max(places(step), 2), 64)
		}
	}
	return func(v, step float64) string { return format.Count(int64(v)) }
}

func isPrice(c metrics.Column) bool {
	return c.Kind == metrics.Money || len(c.Unit) >= 8 && c.Unit[:8] == "currency"
}
