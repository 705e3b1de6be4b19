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
		for _, a := range []*money.Amount{g.total, g.before} {
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
	most := d.Most
	if most == 0 {
		most = 60
	}
	wide := *d.Panel
	wide.Most = most
	all := *d
	all.Panel = &wide
	groups, _ := all.folded()
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

// mostRows and mostColumns bound a heat map; the rest of each side is one row or column of others.
const (
	mostRows    = 24
	mostColumns = 16
)

// heatmap draws the first key by the second, or by time.
func (d *drawing) heatmap() templ.Component {
	m := d.matrix()
	h := chart.Heat{Label: d.label(d.groups), Columns: m.columns}
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
	others bool // the last is a sum
}

// sides picks rows and columns.
func (d *drawing) sides() (rows, columns side) {
	rows = d.sideOf(0, mostRows)
	switch {
	case len(d.steps) > 0:
		columns.steps = true
		for i := range d.steps {
			columns.names = append(columns.names, d.stepName(i))
		}
	case len(d.keys) > 1:
		columns = d.sideOf(1, mostColumns)
	default:
		columns = side{names: []string{d.column.Name}}
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
			s.names, s.others = append(s.names, "others"), true
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
	if s.steps {
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
	at := At{Others: rows.others && r >= len(rows.values) || columns.others && c >= len(columns.values)}
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
