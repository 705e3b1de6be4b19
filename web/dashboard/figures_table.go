package dashboard

import (
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
)

func secondOf(v metrics.Value) period.Second { return period.FromTime(v.Time) }

// figuresTable lays the rows out: the keys first, then the page's columns.
func (p *pageContext) figuresTable(f *figuresPage, r *figuresReading) views.Table {
	t := views.Table{Caption: f.Title + ", " + strings.ToLower(f.heading(p.scope)), Wide: true}
	shown := p.shownColumns(f.Columns, r.rows, r.keys, r.columns, f.Dataset, &t)
	if f.Causes != nil {
		at := len(r.keys)
		if at == 0 {
			at = 1
		}
		t.Heads = slices.Insert(t.Heads, at, views.SortLink{Text: "By cause", Class: "wide-only", Define: "figure.by_cause"})
	}
	p.sortHeads(&t, f, r, shown)
	decide := f.Decide && len(r.keys) == 0
	for _, row := range r.rows {
		cells := p.figureCells(f.Dataset, r.keys, row, shown, r.columns)
		p.firstCell(f, r, row, cells)
		if decide {
			t.Rows = append(t.Rows, p.decidable(r.decisions, row, shown, cells))
			continue
		}
		t.Rows = append(t.Rows, views.Row{Cells: p.withStrip(f, r, row, cells)})
	}
	if (len(r.rows) > 1 || r.further) && !f.Apart {
		if whole, ok := r.largest(p); ok {
			t.Total = p.totalFigures(f, r, whole, shown)
		}
	}
	return t
}

// shownColumns are the keys and those columns that the rows have, with heads.
func (p *pageContext) shownColumns(columns []column, rows []record, keys []string, defined map[string]metrics.Column, dataset string, t *views.Table) []column {
	var shown []column
	for _, k := range keys {
		if k != "currency" {
			shown = append(shown, column{Name: k, Text: keyWord(k)})
		}
	}
	for _, c := range columns {
		if slices.Contains(keys, c.Name) || len(rows) > 0 && !rows[0].has(c.Name) || len(shown) > 0 && neverKnown(rows, c.Name) {
			continue
		}
		shown = append(shown, c)
	}
	for _, c := range shown {
		head := views.SortLink{Text: c.Text, Class: c.Class, Define: anchorOf(dataset, c.Name, defined)}
		if d, ok := defined[c.Name]; ok && !slices.Contains(keys, c.Name) {
			head.Number = d.Kind.Decimal() || d.Kind.Integer()
			head.Rate = d.Kind == metrics.Ratio
		}
		t.Heads = append(t.Heads, head)
	}
	return shown
}

// neverKnown reports whether no row has the figure: such a column is left out, and
// named below the table.
func neverKnown(rows []record, name string) bool {
	return len(rows) > 0 && rows[0].has(name) && !slices.ContainsFunc(rows, func(r record) bool { return r.value(name).Valid })
}

// leftOutColumns names the columns that no row has a figure for.
func leftOutColumns(columns []column, rows []record, keys []string) []string {
	var names []string
	for i, c := range columns {
		if !slices.Contains(keys, c.Name) && (i > 0 || len(keys) > 0) && neverKnown(rows, c.Name) {
			names = append(names, c.Text)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"n/a in every row, so left out: " + strings.Join(names, ", ")}
}

// anchorOf is a column's own definition, else that of the group key.
func anchorOf(dataset, name string, defined map[string]metrics.Column) string {
	if _, ok := defined[name]; ok {
		return dataset + "." + name
	}
	return metrics.ChapterKeys + "." + name
}

// keyWord is a group key as a head: "Instance type".
func keyWord(key string) string {
	word := strings.ReplaceAll(strings.TrimSuffix(key, "_id"), "_", " ")
	if word == "" {
		return key
	}
	if strings.HasPrefix(word, "gpu") {
		return "GPU" + word[3:]
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// sortHeads makes heads of columns links that sort by them.
func (p *pageContext) sortHeads(t *views.Table, f *figuresPage, r *figuresReading, shown []column) {
	strip := 0
	for i, c := range shown {
		if f.Causes != nil && i == max(len(r.keys), 1) {
			strip = 1
		}
		head := &t.Heads[i+strip]
		next := "-" + c.Name
		if !head.Number {
			next = c.Name
		}
		switch r.order {
		case c.Name:
			head.Sort, next = "ascending", "-"+c.Name
		case "-" + c.Name:
			head.Sort, next = "descending", c.Name
		}
		head.Href = p.scope.with("order", next)
	}
}

// figureCells are a row's cells.
func (p *pageContext) figureCells(dataset string, keys []string, row record, shown []column, defined map[string]metrics.Column) []views.Cell {
	cells := make([]views.Cell, len(shown))
	for i, c := range shown {
		v, d := row.value(c.Name), defined[c.Name]
		switch d.Kind {
		case "", metrics.Text, metrics.ID:
			cells[i] = views.Cell{Figure: views.Figure{Text: printedWord(c.Name, v), Zero: !v.Valid}, Name: true}
			if !v.Valid {
				cells[i].Figure.Title, cells[i].Name = whyUnknown(d), false
			}
			if tag := wordTag(d, v); tag != nil {
				cells[i].Tag = tag
			}
			if (c.Name == "run_id" || c.Name == "run") && v.Valid {
				cells[i].Href = p.scope.carried(runPath("/runs/", v.Text))
			}
			if d.Kind == metrics.ID && v.Valid {
				cells[i].Figure, cells[i].Mono = views.Figure{Text: short(v.Text), Title: v.Text}, true
			}
			if v.Valid && slices.Contains(deviceColumns, c.Name) {
				cells[i] = deviceCell(v.Text)
			}
		default:
			cells[i] = views.Cell{Figure: p.printedFigure(d, v, row.text("currency"))}
			cells[i].Why = p.whyFigure(dataset, c, keys, row)
			if c.Name == "hour_of_week" && v.Valid {
				cells[i] = views.Text(weekHour(v.Int))
			}
			if text, ok := timed(c, row.second(c.Name)); ok && d.Kind == metrics.Time {
				cells[i].Figure.Text = text
			}
		}
		if c.Sub != "" {
			if sub := row.value(c.Sub); sub.Valid {
				cells[i].Sub = printedWord(c.Sub, sub)
			}
		}
	}
	return cells
}

// firstCell links a row to what it is made of: its own page, else the same page
// narrowed to it.
func (p *pageContext) firstCell(f *figuresPage, r *figuresReading, row record, cells []views.Cell) {
	if len(cells) == 0 || cells[0].Href != "" {
		return
	}
	if f.Row != nil && len(r.keys) == 0 {
		cells[0].Href = f.Row(p, row)
		return
	}
	if len(r.keys) != 1 || !row.value(r.keys[0]).Valid || p.scope.Within != "" {
		return
	}
	for _, g := range f.Groupings {
		if g.Keys != r.keys[0] {
			cells[0].Href = p.scope.with("within", r.keys[0]+":"+row.text(r.keys[0]), "group", g.Keys, "order", "", "page", "")
			return
		}
	}
}

func (p *pageContext) withStrip(f *figuresPage, r *figuresReading, row record, cells []views.Cell) []views.Cell {
	if f.Causes == nil {
		return cells
	}
	strip := causeStrip(p.printed(row.text("currency")), "row", f.Causes(row), nil)
	return slices.Insert(cells, max(len(r.keys), 1), views.Cell{Strip: &strip})
}

// totalFigures are the whole under the rows; what is no figure of a whole stays
// empty.
func (p *pageContext) totalFigures(f *figuresPage, r *figuresReading, whole record, shown []column) []views.Cell {
	cells := make([]views.Cell, len(shown))
	for i, c := range shown {
		d := r.columns[c.Name]
		if !c.Alone && whole.has(c.Name) && !slices.Contains(r.keys, c.Name) && d.Kind != metrics.Text && d.Kind != metrics.Time && d.Kind != metrics.Bool {
			cells[i] = views.Cell{Figure: p.printedFigure(d, whole.value(c.Name), whole.text("currency"))}
			cells[i].Figure.Tag = nil
		}
	}
	cells[0] = views.Text("All")
	return p.withStrip(f, r, whole, cells)
}

// figureFacts is the line on top: columns of the whole, in the largest currency.
func (p *pageContext) figureFacts(f *figuresPage, r *figuresReading) []views.Fact {
	whole, ok := r.largest(p)
	if !ok {
		return nil
	}
	var out []views.Fact
	for _, c := range f.Facts {
		d := r.columns[c.Name]
		if !whole.has(c.Name) {
			continue
		}
		fact := views.Fact{Name: c.Text, Value: p.printedFigure(d, whole.value(c.Name), whole.text("currency")), Define: anchorOf(f.Dataset, c.Name, r.columns), Why: p.whyFigure(f.Dataset, c, nil, whole)}
		if tag := fact.Value.Tag; tag != nil {
			fact.Tag, fact.Value.Tag = tag, nil
			fact.Note = "target " + d.Target.String() + " "
		}
		if c.Sub != "" && whole.has(c.Sub) {
			fact.Note = p.printedFigure(r.columns[c.Sub], whole.value(c.Sub), whole.text("currency")).Text + " " + c.Class
		}
		out = append(out, fact)
	}
	return out
}

// largest is the whole in the page's currency.
func (r *figuresReading) largest(p *pageContext) (record, bool) {
	for _, w := range r.whole {
		if w.text("currency") == string(p.currency) {
			return w, true
		}
	}
	return record{}, false
}

// morePanel is a further table.
func (p *pageContext) morePanel(m *figuresPanel, rows []record) views.TablePanel {
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
	if len(rows) == 0 || len(keys) > 0 && neverKnown(rows, keys[0]) {
		return panel
	}
	panel.Notes = append(slices.Clone(m.Notes), leftOutColumns(m.Columns, rows, keys)...)
	t := views.Table{Caption: m.Title, Wide: true}
	shown := p.shownColumns(m.Columns, rows, keys, defined, m.Dataset, &t)
	for _, row := range rows {
		cells := p.figureCells(m.Dataset, keys, row, shown, defined)
		if m.Row != nil && cells[0].Href == "" {
			cells[0].Href = m.Row(p, row)
		}
		t.Rows = append(t.Rows, views.Row{Cells: cells})
	}
	panel.Table = t
	if m.Layouts {
		panel.Layouts = p.drawLayouts(rows)
	}
	o := p.scope.figures(m.Dataset, metrics.Options{GroupBy: m.By, Granularity: m.Step, Filter: m.Filter, Order: m.Order})
	panel.Links = []views.Link{{Text: "CSV", Href: p.scope.figuresAPI(&figuresPage{Dataset: m.Dataset}, o)}}
	return panel
}
