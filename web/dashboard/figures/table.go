package figures

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

func secondOf(v metrics.Value) period.Second { return period.FromTime(v.Time) }

// figuresTable lays the rows out: the keys first, then the page's columns.
func figuresTable(p *page.Context, f *Page, r *Reading) views.Table {
	t := views.Table{Caption: f.Title, Wide: true}
	if of := f.heading(p.Scope); of != f.Title {
		t.Caption += ", " + lowered(of)
		if strings.HasPrefix(of, f.Title) { // "Pipelines, sweeps and arrays"
			t.Caption = of
		}
	}
	shown := shownColumns(p, f.Columns, r.Rows, r.keys, r.columns, f.Dataset, &t)
	if f.Causes != nil {
		at := len(r.keys)
		if at == 0 {
			at = 1
		}
		t.Heads = slices.Insert(t.Heads, at, views.SortLink{Text: "By cause", Class: "wide-only", Define: "figure.by_cause"})
	}
	sortHeads(p, &t, f, r, shown)
	decide := f.Decide && len(r.keys) == 0
	for _, row := range r.Rows {
		cells := figureCells(p, rowsOf{f.Dataset, r.keys, f.terms(p.Scope)}, row, shown, r.columns)
		firstCell(p, f, r, row, cells)
		if decide {
			t.Rows = append(t.Rows, decidable(p, r.decisions, row, shown, cells))
			continue
		}
		t.Rows = append(t.Rows, views.Row{Cells: withStrip(p, f, r, row, cells)})
	}
	switch whole, ok := r.Largest(p); {
	case f.Apart || p.Scope.OnFigures():
	case p.Several:
		for _, whole := range r.Whole {
			cells := totalFigures(p, r.columns, r.keys, whole, shown)
			cells[0] = views.Text(page.InCode("All "+lowered(f.heading(p.Scope)), whole.Text("currency"), true))
			t.Totals = append(t.Totals, withStrip(p, f, r, whole, cells))
		}
	case ok && (len(r.Rows) > 1 || r.further):
		t.Total = withStrip(p, f, r, whole, totalFigures(p, r.columns, r.keys, whole, shown))
	}
	return t
}

// lowered is a heading within a sentence: "teams", "GPU models".
func lowered(heading string) string {
	if strings.HasPrefix(heading, "GPU") {
		return heading
	}
	return strings.ToLower(heading)
}

// shownColumns are the keys and the columns with data; it adds their heads to t.
func shownColumns(
	p *page.Context, columns []Column, rows []page.Record, keys []string,
	defined map[string]metrics.Column, dataset string, t *views.Table,
) []Column {
	var shown []Column
	for _, k := range keys {
		if k != "currency" {
			shown = append(shown, Column{Name: k, Text: keyWord(k)})
		}
	}
	for i, c := range columns {
		if slices.Contains(keys, c.Name) || len(rows) > 0 && !rows[0].Has(c.Name) || slices.Contains(keys, c.Unless) ||
			len(shown) > 0 && hides(columns, i, rows, defined) != "" {
			continue
		}
		shown = append(shown, c)
	}
	for _, c := range shown {
		head := views.SortLink{Text: c.Text, Class: c.Class, Define: cmp.Or(c.Define, anchorOf(dataset, c.Name, defined))}
		if d, ok := defined[c.Name]; ok && !slices.Contains(keys, c.Name) {
			head.Number = d.Kind.Decimal() || d.Kind.Integer()
			head.Rate = d.Kind == metrics.Ratio
		}
		t.Heads = append(t.Heads, head)
	}
	return shown
}

// Why a column is hidden and named below the table.
const (
	withoutData = "without data"
	onlyZeros   = "with only zeros"
)

// wall is the number of rows from which a column of zeros tells less than the note that names it.
const wall = 3

// hides says why column i is hidden; empty: it is shown. The last column is what the table is
// about, so its zeros are shown.
func hides(columns []Column, i int, rows []page.Record, defined map[string]metrics.Column) string {
	c := columns[i]
	switch {
	case c.Cell != nil:
		return ""
	case neverKnown(rows, c.Name):
		return withoutData
	case i < len(columns)-1 && len(rows) >= wall && defined[c.Name].Kind != metrics.Bool && onlyZero(rows, c.Name):
		return onlyZeros
	}
	return ""
}

// onlyZero reports whether the figure is 0 in every row.
func onlyZero(rows []page.Record, name string) bool {
	return rows[0].Has(name) && !slices.ContainsFunc(rows, func(r page.Record) bool { return !isZero(r, name) })
}

// isZero reports whether a row's figure is known and 0.
func isZero(r page.Record, name string) bool {
	v := r.Value(name)
	if !v.Valid {
		return false
	}
	if a := r.Amount(name); a != nil {
		return a.IsZero()
	}
	return v.Text == "" && v.Time.IsZero() && v.Int == 0
}

// neverKnown reports whether no row has the figure.
func neverKnown(rows []page.Record, name string) bool {
	return len(rows) > 0 && rows[0].Has(name) &&
		!slices.ContainsFunc(rows, func(r page.Record) bool { return r.Value(name).Valid })
}

// leftOutColumns is the note that names hidden columns.
func leftOutColumns(
	columns []Column, rows []page.Record, keys []string, defined map[string]metrics.Column,
) []string {
	var notes []string
	for _, why := range []string{withoutData, onlyZeros} {
		var names []string
		for i, c := range columns {
			if !slices.Contains(keys, c.Name) && !slices.Contains(keys, c.Unless) && (i > 0 || len(keys) > 0) &&
				hides(columns, i, rows, defined) == why {
				names = append(names, c.Text)
			}
		}
		if len(names) > 0 {
			notes = append(notes, "Columns "+why+" are hidden: "+strings.Join(names, ", ")+".")
		}
	}
	return notes
}

// shownRows are a panel's rows without those that it leaves out, and the note that counts them.
func (m *Panel) shownRows(rows []page.Record) (shown []page.Record, note []string) {
	if m.Leave.Column == "" {
		return rows, nil
	}
	for _, r := range rows {
		if v := r.Value(m.Leave.Column); v.Valid && !isZero(r, m.Leave.Column) {
			shown = append(shown, r)
		}
	}
	if n := len(rows) - len(shown); n > 0 {
		note = []string{"Not shown: " + format.Plural(n, m.Leave.One, m.Leave.Many) + "."}
	}
	return shown, note
}

// anchorOf is the anchor of a column's definition, else of the group key's.
func anchorOf(dataset, name string, defined map[string]metrics.Column) string {
	if _, ok := defined[name]; ok {
		return dataset + "." + name
	}
	return metrics.ChapterKeys + "." + name
}

// keyWord prints a group key as a head: "Instance type".
func keyWord(key string) string {
	word := strings.ReplaceAll(strings.TrimSuffix(key, "_id"), "_", " ")
	if word == "" {
		return key
	}
	if strings.HasPrefix(word, "gpu") || strings.HasPrefix(word, "mig") {
		return strings.ToUpper(word[:3]) + word[3:]
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// sortHeads makes the heads of columns sort links.
func sortHeads(p *page.Context, t *views.Table, f *Page, r *Reading, shown []Column) {
	strip := 0
	for i, c := range shown {
		if f.Causes != nil && i == max(len(r.keys), 1) {
			strip = 1
		}
		head := &t.Heads[i+strip]
		if c.Define == "" {
			p.Scope.SortBy(head, c.Name, r.order, head.Number)
		}
	}
}

// figureCells lays out a row's cells.
func figureCells(
	p *page.Context, of rowsOf, row page.Record, shown []Column, defined map[string]metrics.Column,
) []views.Cell {
	cells := make([]views.Cell, len(shown))
	for i, c := range shown {
		if c.Cell != nil {
			cells[i] = c.Cell(p, row)
			continue
		}
		v, d := row.Value(c.Name), defined[c.Name]
		switch d.Kind {
		case "", metrics.Text, metrics.ID:
			cells[i] = views.Cell{Figure: views.Figure{Text: Word(c.Name, v), Zero: !v.Valid}, Name: true}
			if !v.Valid {
				cells[i].Figure.Title, cells[i].Name = whyUnknown(d), false
			}
			if tag := wordTag(d, v); tag != nil {
				cells[i].Tag = tag
			}
			if (c.Name == "run_id" || c.Name == "run") && v.Valid {
				cells[i].Href = p.Scope.Carried(page.RunPath("/runs/", v.Text))
			}
			if c.Name == "recommendation_id" && v.Valid {
				cells[i].Href = adviceOrFindings(p, of.dataset, row)
			}
			if d.Kind == metrics.ID && v.Valid {
				cells[i].Figure, cells[i].Mono = views.Figure{Text: page.Short(v.Text), Title: v.Text}, true
			}
			if v.Valid && slices.Contains(deviceColumns, c.Name) {
				cells[i] = deviceCell(p, v.Text)
			}
		default:
			cells[i] = views.Cell{Figure: shownFigure(p, d, c, row)}
			cells[i].Why = of.whyFigure(p, c, d, row)
			if c.Blank != nil && !v.Valid {
				if why := c.Blank(row); why != "" {
					cells[i].Figure = views.Figure{Title: why}
				}
			}
			if c.Name == "hour_of_week" && v.Valid {
				cells[i] = views.Text(weekHour(v.Int))
			}
			if text, ok := timed(c, row.Second(c.Name)); ok && v.Valid && d.Kind == metrics.Time {
				cells[i].Figure.Text = text
			}
		}
		var below []string
		for name := range strings.SplitSeq(c.Sub, ",") {
			if sub := row.Value(name); name != "" && sub.Valid {
				below = append(below, Word(name, sub))
			}
		}
		cells[i].Sub = strings.Join(below, " · ")
	}
	return cells
}

// firstCell links a row to its own page, else to the same page narrowed to it.
func firstCell(p *page.Context, f *Page, r *Reading, row page.Record, cells []views.Cell) {
	if len(cells) == 0 || cells[0].Href != "" {
		return
	}
	if f.Row != nil && len(r.keys) == 0 {
		cells[0].Href = f.Row(p, row)
		return
	}
	if len(r.keys) != 1 || !row.Value(r.keys[0]).Valid || p.Scope.Within != "" {
		return
	}
	for _, g := range f.Groupings {
		if g.Keys != r.keys[0] {
			cells[0].Href = p.Scope.With("within", r.keys[0]+":"+row.Text(r.keys[0]), "group", g.Keys, "order", "", "page", "")
			return
		}
	}
}

func withStrip(p *page.Context, f *Page, r *Reading, row page.Record, cells []views.Cell) []views.Cell {
	if f.Causes == nil {
		return cells
	}
	strip := page.CauseStrip(p.Printed(row.Text("currency")), "row", f.Causes(row), nil)
	return slices.Insert(cells, max(len(r.keys), 1), views.Cell{Strip: &strip})
}

// totalFigures lays out the total row; cells without a total stay empty.
func totalFigures(
	p *page.Context, defined map[string]metrics.Column, keys []string, whole page.Record, shown []Column,
) []views.Cell {
	cells := make([]views.Cell, len(shown))
	for i, c := range shown {
		d := defined[c.Name]
		if !c.Alone && whole.Has(c.Name) && !slices.Contains(keys, c.Name) && d.Kind != metrics.Text &&
			d.Kind != metrics.Time && d.Kind != metrics.Bool {
			cells[i] = views.Cell{Figure: shownFigure(p, d, c, whole)}
			cells[i].Figure.Tag = nil
		}
	}
	cells[0] = views.Text("All")
	return cells
}

// figureFacts is the line on top: columns of the total in the page's currency.
func figureFacts(p *page.Context, f *Page, r *Reading) []views.Fact {
	whole, ok := r.Largest(p)
	if !ok {
		return nil
	}
	var out []views.Fact
	for _, c := range f.Facts {
		d := r.columns[c.Name]
		if !whole.Has(c.Name) {
			continue
		}
		all := rowsOf{dataset: f.Dataset, filter: f.Filter}
		if c.Why == nil {
			all.keys = []string{wholeBy(f.Dataset)}
		}
		fact := views.Fact{
			Name: c.Text, Value: shownFigure(p, d, c, whole),
			Define: anchorOf(f.Dataset, c.Name, r.columns), Why: all.whyFigure(p, c, d, whole),
		}
		if tag := fact.Value.Tag; tag != nil {
			fact.Tag, fact.Value.Tag = tag, nil
			fact.Note = "target " + d.Target.String() + " "
		}
		if fact.Tag == nil && d.Kind == metrics.Money && whole.Has("state") && whole.Value(c.Name).Valid {
			if state := whole.Text("state"); state != "" {
				tag := page.Standing(ledger.State(state), whole.Text("currency"), p.Estimates)
				fact.Tag = &tag
			}
		}
		if c.Sub != "" && whole.Has(c.Sub) {
			fact.Note = Print(p, r.columns[c.Sub], whole.Value(c.Sub), whole.Text("currency")).Text + " " + c.Class
		}
		out = append(out, fact)
	}
	return out
}

// shownFigure prints a column of a row, as a range if it has Least.
func shownFigure(p *page.Context, d metrics.Column, c Column, row page.Record) views.Figure {
	if most := row.Amount(c.Name); c.Least != "" && most != nil {
		return p.Lost(p.Printed(row.Text("currency")), row.Known(c.Least), *most, "effective")
	}
	return Print(p, d, row.Value(c.Name), row.Text("currency"))
}

// Largest is the total in the page's currency.
func (r *Reading) Largest(p *page.Context) (page.Record, bool) {
	for _, w := range r.Whole {
		if w.Text("currency") == string(p.Currency) {
			return w, true
		}
	}
	return page.Record{}, false
}

// morePanel lays out a further table.
func morePanel(p *page.Context, m *Panel, rows, whole []page.Record) views.TablePanel {
	d, err := metrics.LookupDataset(m.Dataset)
	if err != nil {
		return views.TablePanel{Title: m.Title, None: m.None}
	}
	defined := map[string]metrics.Column{}
	for _, c := range d.Columns {
		defined[c.Name] = c
	}
	var keys []string
	for k := range strings.SplitSeq(m.By, ",") {
		if k != "" {
			keys = append(keys, k)
		}
	}
	panel := views.TablePanel{Title: m.Title, Note: m.Note, None: m.None}
	rows, left := m.shownRows(rows)
	if len(rows) == 0 || len(keys) > 0 && neverKnown(rows, keys[0]) {
		return panel
	}
	if left := p.Scope.Left(m.Dataset); len(left) > 0 {
		panel.Notes = []string{"Not applied to this table: " + page.Listed(left) + "."}
	}
	panel.Notes = slices.Concat(panel.Notes, m.Notes, left, leftOutColumns(m.Columns, rows, keys, defined))
	t := views.Table{Caption: m.Title, Wide: true}
	shown := shownColumns(p, m.Columns, rows, keys, defined, m.Dataset, &t)
	for _, row := range rows {
		cells := figureCells(p, rowsOf{m.Dataset, keys, m.Filter}, row, shown, defined)
		if m.Row != nil && cells[0].Href == "" {
			cells[0].Href = m.Row(p, row)
		}
		t.Rows = append(t.Rows, views.Row{Cells: cells})
	}
	for _, w := range whole {
		cells := totalFigures(p, defined, keys, w, shown)
		cells[0] = views.Text(page.InCode(m.All, w.Text("currency"), p.Several))
		t.Totals = append(t.Totals, cells)
	}
	panel.Table = t
	if m.Layouts {
		panel.Layouts = drawLayouts(p, rows)
	}
	o := p.Scope.For(m.Dataset, metrics.Options{
		GroupBy: m.By, Granularity: m.Step, Filter: m.Filter, Order: m.Order,
	})
	asked := ask.Question{Dataset: m.Dataset, Options: o, Figures: namesOf(m.Columns)}
	panel.Name, panel.Asked, panel.Links = m.Dataset+"-more", page.Asked(asked), []views.Link{csv(asked)}
	return panel
}
