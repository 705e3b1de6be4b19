package books

import (
	"cmp"
	"slices"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var bookHeads = views.Heads(
	"Cost: reconciliation.metric", "Export: reconciliation.source wide-only",
	"#Lines: reconciliation.charges xl-only", "#Bill: reconciliation.source_total",
	"#Posted: reconciliation.posted_total wide-only", "State: reconciliation.state wide-only",
	"#Difference: figure.difference (bill − posted; for evidence: evidence − book)",
)

// mostGroups limits the bills listed per currency.
const mostGroups = 40

// bookMetrics orders the measures as finance reads them.
var bookMetrics = []string{
	string(ledger.BilledCost), string(ledger.EffectiveCost), string(ledger.ListCost), string(ledger.ContractedCost),
}

// bill holds the totals of one payer's or one account's month in one currency.
type bill struct {
	Provider, Payer, Account, Month, Currency string
	Lines                                     []billLine
	Off                                       int
}

// billLine is one measure of a bill from one export: the book, or evidence.
type billLine struct {
	Metric, Role, Source, Export string
	Charges, Unposted            int64
	Total, Posted, Difference    money.Amount
	Gap                          *money.Amount // of evidence: against the book, over the accounts that have one
	State                        ledger.State
	Off                          int // accounts that do not tie out
	NoBook                       int // accounts of evidence without a book
}

// bills groups totals: bills that don't tie out first, then the newest months.
func bills(rows []Book, exports map[string]string, perAccount bool) []*bill {
	type key struct{ provider, payer, account, month, currency string }
	type lineKey struct {
		bill                         key
		metric, role, source, export string
	}
	groups, lines := map[key]*bill{}, map[lineKey]*billLine{}
	var order []*bill
	// The book of an account, for the gap of evidence.
	type accountKey struct{ account, month, currency, metric string }
	book := map[accountKey]money.Amount{}
	known := map[accountKey]bool{}
	for _, r := range rows {
		if r.Role == string(ledger.Book) && r.Total != nil {
			k := accountKey{r.Account, r.BillingPeriod, r.Currency, r.Metric}
			book[k], known[k] = book[k].Add(*r.Total), true
		}
	}
	counted := map[lineKey]map[accountKey]bool{}
	for _, r := range rows {
		k := key{r.Provider, r.Payer, "", r.BillingPeriod, r.Currency}
		if perAccount {
			k.account = r.Account
		}
		g := groups[k]
		if g == nil {
			g = &bill{Provider: r.Provider, Payer: r.Payer, Account: k.account, Month: r.BillingPeriod, Currency: r.Currency}
			groups[k], order = g, append(order, g)
		}
		lk := lineKey{k, r.Metric, r.Role, r.Source, ""}
		if r.Role != string(ledger.Book) {
			lk.export = exports[r.Delivery]
		}
		l := lines[lk]
		if l == nil {
			l = &billLine{Metric: r.Metric, Role: r.Role, Source: r.Source, Export: lk.export, State: ledger.Final}
			lines[lk], counted[lk] = l, map[accountKey]bool{}
			g.Lines = append(g.Lines, *l)
		}
		l.Charges += r.Charges
		l.Unposted += r.Unposted
		addKnown(&l.Total, r.Total)
		addKnown(&l.Posted, r.Posted)
		addKnown(&l.Difference, r.Difference)
		if r.off() {
			l.Off++
			g.Off++
		}
		if r.State != ledger.Final {
			l.State = r.State
		}
		if r.Role != string(ledger.Book) {
			a := accountKey{r.Account, r.BillingPeriod, r.Currency, r.Metric}
			switch {
			case !known[a] && !counted[lk][a]:
				l.NoBook++
			case known[a] && r.Total != nil:
				if l.Gap == nil {
					l.Gap = &money.Amount{}
				}
				page.Add(l.Gap, *r.Total)
				if !counted[lk][a] {
					*l.Gap = l.Gap.Sub(book[a])
				}
			}
			counted[lk][a] = true
		}
	}
	for lk, l := range lines {
		g := groups[lk.bill]
		for i := range g.Lines {
			have := &g.Lines[i]
			if have.Metric == l.Metric && have.Role == l.Role && have.Source == l.Source && have.Export == l.Export {
				*have = *l
			}
		}
	}
	for _, g := range order {
		slices.SortFunc(g.Lines, func(a, b billLine) int {
			return cmp.Or(slices.Index(bookMetrics, a.Metric)-slices.Index(bookMetrics, b.Metric), cmp.Compare(a.Role, b.Role),
				cmp.Compare(a.Source, b.Source), cmp.Compare(a.Export, b.Export))
		})
	}
	slices.SortStableFunc(order, func(a, b *bill) int {
		return cmp.Or(min(b.Off, 1)-min(a.Off, 1), cmp.Compare(b.Month, a.Month), cmp.Compare(a.Provider, b.Provider),
			cmp.Compare(a.Payer, b.Payer), cmp.Compare(a.Account, b.Account))
	})
	return order
}

func addKnown(sum *money.Amount, a *money.Amount) {
	if a != nil {
		page.Add(sum, *a)
	}
}

// bookPanel shows all bills of one currency.
func bookPanel(p *page.Context, currency string, f *booksReading) views.BookPanel {
	rows := slices.DeleteFunc(slices.Clone(f.rows), func(r Book) bool { return r.Currency != currency })
	c := p.Printed(currency)
	list := bills(rows, f.exportByID, p.Scope.By == "account")
	t := views.Table{Caption: "Bills in " + currency + " against postings", Heads: bookHeads}
	totals, evidence := map[string]*billLine{}, false
	for i, b := range list {
		for _, l := range b.Lines {
			evidence = evidence || l.Role != string(ledger.Book)
			if l.Role != string(ledger.Book) {
				continue
			}
			if totals[l.Metric] == nil {
				totals[l.Metric] = &billLine{Metric: l.Metric, Role: l.Role, State: ledger.Final}
			}
			totals[l.Metric].take(l)
		}
		if i >= mostGroups {
			continue
		}
		t.Rows = append(t.Rows, views.Row{Heading: billHeading(p, b)})
		for _, l := range b.Lines {
			t.Rows = append(t.Rows, views.Row{Cells: billCells(p, c, b, l)})
		}
	}
	if n := len(list) - mostGroups; n > 0 {
		off := 0
		for _, b := range list[mostGroups:] {
			off += b.Off
		}
		said := "all tie out"
		if off > 0 {
			said = format.Plural(off, "total is", "totals are") + " off"
		}
		t.Rows = append(t.Rows, views.Row{
			Heading: &views.Heading{
				Text: format.Plural(n, "other bill", "other bills"), Note: said + "; choose a month or a provider to see them",
			},
		})
	}
	if len(list) > 1 {
		for _, metric := range bookMetrics {
			if l := totals[metric]; l != nil {
				t.Totals = append(t.Totals, billTotal(p, c, currency, l))
			}
		}
	}
	panel := views.BookPanel{Title: "Bill against ledger", Note: currency, Table: t}
	if p.Several {
		panel.Title, panel.Note = "Bill against ledger, "+currency, ""
	}
	return panel
}

func (l *billLine) take(x billLine) {
	l.Charges += x.Charges
	l.Off += x.Off
	page.Add(&l.Total, x.Total)
	page.Add(&l.Posted, x.Posted)
	page.Add(&l.Difference, x.Difference)
	if x.State != ledger.Final {
		l.State = x.State
	}
}

func billHeading(p *page.Context, b *bill) *views.Heading {
	h := &views.Heading{Text: page.ProviderName(b.Provider), Note: page.MonthName(b.Month)}
	if b.Payer != "" {
		h.Note = b.Payer + ", " + h.Note
	}
	if b.Account != "" && b.Account != b.Payer {
		h.Note = b.Account + " of " + h.Note
	}
	h.Link = &views.Link{
		Text: "Lines", Href: p.Scope.Carried("/charges", "from", "", "to", "", "provider", b.Provider, "billing_account",
			b.Payer, "account", b.Account, "billing_period", b.Month, "currency", b.Currency),
	}
	return h
}

func billCells(p *page.Context, c format.Currency, b *bill, l billLine) []views.Cell {
	source := ledger.SourceOf(l.Source).Label
	name := views.Cell{Figure: views.Figure{Text: metricName(l.Metric)}}
	total := views.Cell{Figure: page.Figure(c, &l.Total, c.Full, "sum of the amounts in the bill file")}
	posted := views.Cell{Figure: page.Figure(c, &l.Posted, c.Full, "posted")}
	count := views.Cell{Figure: views.Figure{
		Text: format.Count(l.Charges), Title: format.Plural(int(l.Charges), "bill line", "bill lines"),
		Copy: strconv.FormatInt(l.Charges, 10), Zero: l.Charges == 0,
	}}
	if l.Role == string(ledger.Book) {
		total.Why, posted.Why, count.Why = b.why("source_total", l), b.why("posted_total", l), b.why("charges", l)
	}
	tag := page.StateTag(l.State)
	if l.Role != string(ledger.Book) {
		name.Sub = "evidence"
		tag = views.Tag{
			Text: "evidence", Tone: "est", Title: "another export of the same bill: shown next to the book, never posted",
		}
		posted.Figure = views.Figure{
			Text: "not posted", Title: "evidence is shown next to the book, never posted", Zero: true,
		}
	}
	return []views.Cell{name, {Figure: views.Figure{Text: source}, Sub: l.Export}, count, total, posted, {Tag: &tag},
		differenceCell(p, c, b, l)}
}

// why is the address of the explanation of a figure of a bill, by its accounts and deliveries; empty for zero.
func (b *bill) why(column string, l billLine) string {
	zero := map[string]bool{
		"source_total": l.Total.IsZero(), "posted_total": l.Posted.IsZero(), "charges": l.Charges == 0,
	}
	if zero[column] {
		return ""
	}
	known := func(text string) metrics.Value { return metrics.Value{Valid: text != "", Text: text} }
	terms := []string{page.Equal("source", l.Source), page.Equal("role", l.Role),
		metrics.IsValue("provider", known(b.Provider), metrics.Text),
		metrics.IsValue("billing_account", known(b.Payer), metrics.Text),
		page.Equal("billing_period", b.Month), page.Equal("currency", b.Currency)}
	if b.Account != "" {
		terms = append(terms, page.Equal("account", b.Account))
	}
	return figures.WhyFigure(metrics.Options{GroupBy: "metric", Filter: page.Equal("metric", l.Metric)}, "reconciliation",
		column, terms...)
}

// billTotal sums one measure over all books of one currency.
func billTotal(p *page.Context, c format.Currency, currency string, l *billLine) []views.Cell {
	tag := page.StateTag(l.State)
	return []views.Cell{views.Text("All books, " + metricName(l.Metric)), {}, views.Text(format.Count(l.Charges)),
		{Figure: page.Figure(c, &l.Total, c.Full, "sum of the bills in "+currency)},
		{Figure: page.Figure(c, &l.Posted, c.Full, "posted")}, {Tag: &tag}, differenceCell(p, c, nil, *l)}
}

// differenceCell prints a difference. A proven zero is printed faint.
func differenceCell(p *page.Context, c format.Currency, b *bill, l billLine) views.Cell {
	difference, what := &l.Difference, "bill − posted"
	if l.Role != string(ledger.Book) {
		difference, what = l.Gap, "evidence − book"
	}
	if difference == nil {
		return views.Cell{Figure: views.Figure{Text: format.NA, Title: "no book to compare with", Zero: true}}
	}
	cell := views.Cell{}
	if l.NoBook > 0 {
		cell.Sub = format.Plural(l.NoBook, "account", "accounts") + " without a book"
	}
	if l.Off == 0 && difference.IsZero() {
		cell.Figure = views.Figure{Text: "0.00", Title: "exactly zero: " + what, Copy: "0", Zero: true}
		return cell
	}
	f := page.Figure(c, difference, c.Full, what)
	cell.Tag = &views.Tag{Text: f.Text, Tone: "warn", Title: f.Title}
	if b != nil { // link to the rows behind the difference
		cell.Href = billHeading(p, b).Link.Href
		if p.Scope.By != "account" {
			cell.Href = p.Scope.With("by", "account", "provider", b.Provider, "billing_account", b.Payer, "billing_period",
				b.Month, "currency", b.Currency)
		}
	}
	if l.Off > 1 {
		cell.Sub = "in " + format.Plural(l.Off, "total", "totals")
	}
	return cell
}
