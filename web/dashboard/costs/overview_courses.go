package costs

import (
	"slices"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
)

// courses are the costs of teams by step, as the page's cube has them.
type courses struct {
	*cube
	at    []period.Second // the steps
	drawn stretch
	teams map[string][]money.Amount // by step
	known []bool                    // steps with a cost
	whole []bool                    // steps that are drawn: known and not partial
}

// coursesOf adds up the rows of the cube by team and step.
func coursesOf(p *page.Context, c *cube) *courses {
	t := &courses{cube: c, at: c.steps(), teams: map[string][]money.Amount{}}
	t.known, t.whole = make([]bool, len(t.at)), make([]bool, len(t.at))
	t.drawn = c.course(t.at, p.Extent)
	for _, r := range c.Rows {
		i := stepOf(t.at, r.Step)
		if i < 0 || r.Cost == nil {
			continue
		}
		if t.teams[r.Team] == nil {
			t.teams[r.Team] = make([]money.Amount, len(t.at))
		}
		page.Add(&t.teams[r.Team][i], *r.Cost)
		t.known[i] = true
	}
	for i := range t.at {
		t.whole[i] = t.known[i] && !c.uneven(i, t.at, p.Extent.Covered())
	}
	return t
}

// points are the drawn steps of a course; steps that are not whole are gaps.
func (t *courses) points(values []money.Amount) (out []float64) {
	for i := t.drawn.From; i < t.drawn.To; i++ {
		v := page.Gap
		if t.whole[i] {
			v = page.Pixels(values[i])
		}
		out = append(out, v)
	}
	return out
}

// last prints the cost of a team in the last drawn step, where its line ends; empty without one.
func (t *courses) last(p *page.Context, team string) string {
	for i := t.drawn.To - 1; i >= t.drawn.From; i-- {
		if t.whole[i] {
			return p.Currency.Compact(t.teams[team][i])
		}
	}
	return ""
}

// cell is the course of some teams as a small line that leads to the explorer, narrowed by a filter.
func (t *courses) cell(p *page.Context, name, filter string, teams ...string) views.Cell {
	values := make([]money.Amount, len(t.at))
	some := false
	for _, team := range teams {
		for i, a := range t.teams[team] {
			page.Add(&values[i], a)
			some = true
		}
	}
	if !some || t.drawn.From >= t.drawn.To {
		return views.Cell{}
	}
	return page.Course{
		Name: name, Step: stepNames[t.Step], Points: t.points(values),
		At: func(i int) period.Interval {
			from := t.at[t.drawn.From+i]
			return period.Interval{From: from, To: t.after(from)}
		},
		Print: func(i int) string { return p.Currency.Money(values[t.drawn.From+i]) },
		Href:  panel.Explore(p.Scope, "costs", p.Scope.Basis+"_cost", nil, panel.Bars, page.Both(filter, gpuCost)),
	}.Cell()
}

// withoutTrends leaves a column of small lines out of a table that has none.
func withoutTrends(t views.Table, column int) views.Table {
	if slices.ContainsFunc(t.Rows, func(r views.Row) bool { return r.Cells[column].Trend != nil }) {
		return t
	}
	t.Heads = slices.Delete(slices.Clone(t.Heads), column, column+1)
	for i, r := range t.Rows {
		t.Rows[i].Cells = slices.Delete(r.Cells, column, column+1)
	}
	t.Total = slices.Delete(t.Total, column, column+1)
	return t
}
