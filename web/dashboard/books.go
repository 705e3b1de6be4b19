package dashboard

import (
	"context"
	"net/http"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// reconciliation sets bills against postings.
func (d *Dashboard) reconciliation(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	v := views.Reconciliation{Shell: d.shell(r, s, "reconciliation", "Reconciliation")}
	rows, err := readBooks(ctx, d.reader)
	if err == nil {
		p := &pageContext{scope: s}
		if p.extent, err = d.reader.Extent(ctx); err == nil {
			v.Bar = p.bar(nil, nil)
			v.Bar.Menus = nil // bills are compared whole
		}
	}
	if err != nil {
		e := d.panelError(s, err, "The reconciliation")
		v.Error, v.Sentence = &e, "The reconciliation could not be read."
		d.render(w, r, http.StatusOK, views.ReconciliationPage(v))
		return
	}
	v.Sentence, v.Sub = booksSentence(rows)
	v.None = "No bill has been imported yet."
	v.Note = "Σ of the bill's own text against Σ of postings"
	v.Table = booksTable(rows)
	v.Notes = []string{"Evidence is shown, never posted", "Provisional cost has no bill and is left out"}
	d.render(w, r, http.StatusOK, views.ReconciliationPage(v))
}

func booksSentence(rows []bookRow) (sentence, sub string) {
	if len(rows) == 0 {
		return "There is no bill to reconcile yet.", ""
	}
	book, off := 0, 0
	var unposted int64
	for _, r := range rows {
		if r.Role != string(ledger.Book) {
			continue
		}
		book++
		unposted += r.Unposted
		if r.Difference != nil && !r.Difference.IsZero() {
			off++
		}
	}
	if off == 0 {
		return "Every billed cent is posted.", format.Plural(book, "total ties", "totals tie") + " out to the last digit."
	}
	return format.Count(int64(off)) + " of " + format.Plural(book, "total does", "totals do") + " not tie out.",
		format.Plural(int(unposted), "charge has", "charges have") + " no posting; allocate them, then verify."
}

func booksTable(rows []bookRow) views.Table {
	t := views.Table{Caption: "Bill totals against postings", Heads: []views.SortLink{
		{Text: "Source"}, {Text: "Period", Class: "nowrap"}, {Text: "Account", Class: "wide-only"}, {Text: "Metric"}, {Text: "Charges", Number: true, Class: "wide-only"},
		{Text: "Bill", Number: true}, {Text: "Posted", Number: true, Class: "wide-only"}, {Text: "State", Class: "wide-only"}, {Text: "Difference", Number: true}}}
	for _, r := range rows {
		c := format.Currency(r.Currency)
		tag := stateTag(r.State)
		state := views.Cell{Tag: &tag}
		if r.Role != string(ledger.Book) {
			state = views.Cell{Tag: &views.Tag{Text: "evidence", Tone: "est", Title: "shown beside the book, never posted"}}
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: ledger.SourceOf(r.Source).Label}}, {Figure: views.Figure{Text: r.BillingPeriod}},
			{Figure: views.Figure{Text: r.Account}, Mono: true}, views.Text(strings.TrimSuffix(r.Metric, "_cost")),
			views.Text(format.Count(r.Charges)), {Figure: figure(c, r.Total, c.Full, "bill")}, {Figure: figure(c, r.Posted, c.Full, "posted")},
			state, differenceCell(r),
		}})
	}
	return t
}

func differenceCell(r bookRow) views.Cell {
	difference, what := r.Difference, "bill − posted"
	if r.Role != string(ledger.Book) {
		difference, what = r.Gap, "evidence − book"
	}
	switch {
	case difference == nil:
		return views.Cell{Figure: views.Figure{Text: format.NA, Title: "there is no book to compare with", Zero: true}}
	case difference.IsZero():
		return views.Cell{Figure: views.Figure{Text: "0.00", Title: "exactly zero", Copy: "0", Zero: true}}
	}
	c := format.Currency(r.Currency)
	f := figure(c, difference, func(a money.Amount) string { return c.Full(a) }, what)
	return views.Cell{Tag: &views.Tag{Text: f.Text, Tone: "warn", Title: f.Title}}
}

// metricsDoc documents the datasets from their definitions.
func (d *Dashboard) metricsDoc(w http.ResponseWriter, r *http.Request) {
	v := views.MetricsDoc{Shell: d.shell(r, scope{Basis: "effective"}, "metrics", "Metrics")}
	for _, ds := range metrics.Datasets {
		t := views.Table{Caption: "Columns of " + ds.Name, Heads: []views.SortLink{{Text: "Column"}, {Text: "Unit", Class: "wide-only"}, {Text: "Meaning"}, {Text: "Formula", Class: "wide-only"}}}
		for _, c := range ds.Columns {
			unit := c.Unit
			if unit == "" {
				unit = string(c.Kind)
			}
			t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
				{Figure: views.Figure{Text: c.Name}, Mono: true}, views.Text(unit),
				{Figure: views.Figure{Text: c.Doc}, Sub: strings.Join(c.Caveats, " ")}, {Figure: views.Figure{Text: c.Formula.String()}, Mono: true},
			}})
		}
		v.Datasets = append(v.Datasets, views.DatasetDoc{Name: ds.Name, Doc: ds.Doc, Table: t})
	}
	d.render(w, r, http.StatusOK, views.MetricsPage(v))
}
