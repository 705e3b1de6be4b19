package panel

import (
	"fmt"
	"math"
	"slices"

	"github.com/a-h/templ"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/chart"
)

// mostRows and mostColumns bound a heat map; the rest of each side is one row or column of others.
const (
	mostRows    = 24
	mostColumns = 16
)

// fineColumns is how many columns have room for their figures.
const fineColumns = 16

// heatmap draws the first key by the second, or by time; hours without a key are drawn as the hours of a week.
func (d *drawing) heatmap() templ.Component {
	m := d.matrix()
	h := chart.Heat{Label: d.label(d.groups), Columns: m.columns, Fine: len(m.columns) > fineColumns}
	first := true
	for _, r := range m.rows {
		row := chart.HeatRow{Name: r.name}
		for _, c := range r.cells {
			cell := chart.HeatCell{Size: math.NaN()}
			if c.figure != nil {
				cell.Size, cell.Text, cell.Mark = page.Pixels(*c.figure), d.short(d.column, c.figure), c.mark
				cell.Mark.First = first
				first = false
			}
			row.Cells = append(row.Cells, cell)
		}
		h.Rows = append(h.Rows, row)
	}
	return chart.Heated(h)
}

// matrix is the sheet as rows by columns.
type matrix struct {
	columns []string
	rows    []matrixRow
}

type matrixRow struct {
	name  string
	cells []matrixCell
}

type matrixCell struct {
	figure *money.Amount
	mark   chart.Mark
}

// matrix folds the sheet: rows are values of the first key, columns those of the second, or the steps.
func (d *drawing) matrix() matrix {
	rows, columns := d.sides()
	m := matrix{columns: columns.names, rows: make([]matrixRow, len(rows.names))}
	for i, name := range rows.names {
		m.rows[i] = matrixRow{name: name, cells: make([]matrixCell, len(columns.names))}
	}
	for _, g := range d.groups {
		for at, a := range g.cells {
			r, c := rows.place(d, g, at, 0), columns.place(d, g, at, 1)
			if !adds(d.column) && (rows.sum(r) || columns.sum(c)) {
				continue // shares have no sum
			}
			cell := &m.rows[r].cells[c]
			cell.figure = plus(cell.figure, a)
		}
	}
	for r := range m.rows {
		for c := range m.rows[r].cells {
			cell := &m.rows[r].cells[c]
			cell.mark = d.cellMark(rows, columns, r, c, cell.figure)
		}
	}
	return m
}

// side is one side of a matrix: values of a key, or steps.
type side struct {
	names  []string
	values []metrics.Value // of a key; the last may be the others
	steps  bool
	of     func(at period.Second) int // place of an hour in the week
	others bool                       // the last is a sum
}

// sum reports whether a place is a sum of several.
func (s side) sum(i int) bool { return s.of != nil || s.others && i >= len(s.values) }

// weekdays and hours are the sides of a week.
func weekdays() side {
	return side{
		names: []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
		of:    func(at period.Second) int { return (int(at.Time().Weekday()) + 6) % 7 },
	}
}

func hours() side {
	s := side{of: func(at period.Second) int { return at.Time().Hour() }}
	for hour := range 24 {
		s.names = append(s.names, fmt.Sprintf("%02d", hour))
	}
	return s
}

// hourly reports whether the steps are hours.
func (d *drawing) hourly() bool {
	return len(d.steps) > 0 && d.steps[0].span.To-d.steps[0].span.From == period.Second(period.Hour)
}

// sides picks rows and columns.
func (d *drawing) sides() (rows, columns side) {
	rows = d.sideOf(0, mostRows)
	switch {
	case len(d.keys) == 0 && d.hourly():
		return weekdays(), hours()
	case len(d.steps) > 0:
		columns.steps = true
		for i := range d.steps {
			columns.names = append(columns.names, d.stepLabel(i, i-1))
		}
	case len(d.keys) > 1:
		columns = d.sideOf(1, mostColumns)
	default:
		columns = side{names: []string{metrics.Label(d.column.Name)}}
	}
	return rows, columns
}

// sideOf lists the values of a key, largest first.
func (d *drawing) sideOf(key, most int) (s side) {
	if key >= len(d.keys) {
		return side{names: []string{"All"}}
	}
	sums := map[string]*money.Amount{}
	byID := map[string]metrics.Value{}
	var order []string
	for _, g := range d.groups {
		id := idOf(g.values[key])
		if _, known := byID[id]; !known {
			byID[id] = g.values[key]
			order = append(order, id)
		}
		sums[id] = plus(sums[id], g.total)
	}
	slices.SortStableFunc(order, func(a, b string) int { return page.Size(sums[b]).Cmp(page.Size(sums[a])) })
	for i, id := range order {
		if i == most && len(order) > most+1 {
			s.names, s.others = append(s.names, "Others"), true
			break
		}
		s.names, s.values = append(s.names, wordOf(d.keys[key], byID[id])), append(s.values, byID[id])
	}
	return s
}

func idOf(v metrics.Value) string {
	if !v.Valid {
		return "\x00"
	}
	return v.Text
}

// place is where a group is on a side.
func (s side) place(d *drawing, g *group, at, key int) int {
	switch {
	case s.of != nil:
		return s.of(d.steps[at].span.From)
	case s.steps:
		return at
	}
	if len(s.values) == 0 {
		return 0
	}
	i := slices.IndexFunc(s.values, func(v metrics.Value) bool { return idOf(v) == idOf(g.values[key]) })
	if i < 0 {
		return len(s.names) - 1
	}
	return i
}

// cellMark is the mark of a cell.
func (d *drawing) cellMark(rows, columns side, r, c int, a *money.Amount) chart.Mark {
	m := chart.Mark{Kind: "cell", Unit: d.unit(d.column), Title: rows.names[r] + ", " + columns.names[c]}
	switch {
	case columns.of != nil:
		m.Title = rows.names[r] + " " + columns.names[c] + ":00"
	case columns.steps:
		m.Title = rows.names[r] + ", " + d.stepName(c)
	}
	at := At{Others: rows.sum(r) || columns.sum(c)}
	if at.Others {
		m.Kind = "others"
	}
	for i, s := range []side{rows, columns} {
		if n := []int{r, c}[i]; i < len(d.keys) && n < len(s.values) {
			at.Keys, at.Values = append(at.Keys, d.keys[i].Name), append(at.Values, s.values[n])
		}
	}
	if columns.steps {
		at.From, at.To = page.Address(d.steps[c].span.From), page.Address(d.steps[c].span.To)
	}
	if a != nil {
		m.Value = a.String()
		m.Title += ": " + d.exact(d.column, a)
	}
	m.Href = d.href(at)
	return m
}
