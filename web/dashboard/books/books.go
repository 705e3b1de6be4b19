package books

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// booksReading holds what the reconciliation page reads; each part may fail alone.
type booksReading struct {
	rows         []Book
	deliveries   []deliveryRow
	changes      map[string][3]int64
	extent       metrics.Extent
	rowsErr      error
	deliveryErr  error
	changesErr   error
	extentErr    error
	exportByID   map[string]string
	sourcesShown map[string]bool // sources of the rows that the filter keeps
}

// reconciliation compares bills with postings.
func (d *room) reconciliation(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	v := views.Reconciliation{
		Shell: d.Shell(r, s, "reconciliation", "Reconciliation"), Errors: map[string]views.PanelError{},
	}
	var f booksReading
	page.Parallel(
		func() { f.rows, f.rowsErr = ReadBooks(ctx, d.Reader) },
		func() { f.deliveries, f.deliveryErr = readDeliveries(ctx, d.Reader) },
		func() { f.changes, f.changesErr = readChanges(ctx, d.Reader) },
		func() { f.extent, f.extentErr = d.Reader.Extent(ctx) },
	)
	for _, err := range []error{f.rowsErr, f.extentErr} {
		if err != nil {
			e := d.PanelError(s, err, "The reconciliation")
			v.Error, v.Sentence = &e, "The reconciliation could not be read."
			d.Render(w, r, http.StatusOK, views.ReconciliationPage(v))
			return
		}
	}
	p := &page.Context{Scope: s, Extent: f.extent}
	booksView(p, &v, &f)
	var dropsErr, restatedErr error
	page.Parallel(
		func() { v.Deliveries, dropsErr = dropsPanel(f.shown(s), f.changes).Draw(ctx, d.Reader, p) },
		func() { v.Restatements, restatedErr = restatedPanel(f.shown(s)).Draw(ctx, d.Reader, p) },
	)
	if err := cmp.Or(f.deliveryErr, dropsErr); err != nil {
		v.Errors["deliveries"] = d.PanelError(s, err, "The deliveries")
	}
	if err := cmp.Or(f.changesErr, restatedErr); err != nil {
		v.Errors["restatements"] = d.PanelError(s, err, "The restatements")
	}
	d.Render(w, r, http.StatusOK, views.ReconciliationPage(v))
}

func booksView(p *page.Context, v *views.Reconciliation, f *booksReading) {
	all := f.rows
	f.exportByID, f.sourcesShown = map[string]string{}, map[string]bool{}
	for _, x := range f.deliveries {
		f.exportByID[x.ID] = x.Export
	}
	f.rows = slices.DeleteFunc(slices.Clone(all), func(r Book) bool { return !keepsBook(p.Scope, r) })
	for _, r := range f.rows {
		f.sourcesShown[r.Source] = true
	}
	p.Several = len(currenciesOf(f.rows)) > 1
	v.Bar = booksBar(p, all)
	v.Sentence, v.Sub = booksSentence(f.rows)
	switch {
	case len(all) == 0:
		v.None = "No bill has been imported yet."
	case len(f.rows) == 0:
		v.None, v.Clear = "No bill total matches the filter.",
			p.Scope.Carried("/reconciliation", "provider", "", "currency", "")
	}
	for _, currency := range currenciesOf(f.rows) {
		v.Books = append(v.Books, bookPanel(p, currency, f))
	}
	v.Links = []views.Link{accountsLink(p), {Text: "CSV", Href: "/api/v1/reconciliation?format=csv&for_excel=true"}}
	v.Notes = []string{
		"Bill is summed from the file's text in a separate pass; Posted is the sum of the postings of its lines.",
		"Evidence is shown next to the book and is never posted.",
		"Provisional cost has no bill and is not included.",
	}
	if p.Several {
		v.Notes = append(v.Notes, "Currencies are never added.")
	}
}

// shown are the deliveries of the totals that the filter keeps.
func (f *booksReading) shown(s page.Scope) string {
	of := page.Equal("delivery_id", s.Pick.Delivery)
	if len(f.rows) == 0 {
		return of
	}
	var sources []string
	for _, source := range slices.Sorted(maps.Keys(f.sourcesShown)) {
		sources = append(sources, page.Quote(source))
	}
	return page.Both("source in ("+strings.Join(sources, ", ")+")", of)
}

// keepsBook reports whether the filter keeps a total.
func keepsBook(s page.Scope, r Book) bool {
	for _, f := range []struct{ want, have string }{
		{s.Provider, r.Provider}, {s.Currency, r.Currency}, {s.BillingPeriod, r.BillingPeriod},
		{s.Pick.Payer, r.Payer}, {s.Pick.Account, r.Account},
		{s.Pick.Source, r.Source}, {s.Pick.Metric, r.Metric}, {s.Pick.Delivery, r.Delivery},
	} {
		if f.want != "" && f.want != f.have {
			return false
		}
	}
	return true
}

// accountsLink switches between billing accounts and their sub-accounts.
func accountsLink(p *page.Context) views.Link {
	if p.Scope.By == "account" {
		return views.Link{Text: "By billing account", Href: p.Scope.With("by", "")}
	}
	return views.Link{Text: "By account", Href: p.Scope.With("by", "account")}
}

// booksBar offers a menu for each property in which the totals differ.
func booksBar(p *page.Context, rows []Book) views.Bar {
	b := p.Bar(page.Choices{Dataset: "reconciliation"})
	b.Menus = nil // bills are compared over their whole month
	menu := func(label, key, chosen string, name func(string) string, value func(Book) string) {
		var list []string
		for _, r := range rows {
			if x := value(r); x != "" && !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
		if len(list) < 2 && chosen == "" {
			return
		}
		slices.Sort(list)
		if key == "billing_period" {
			slices.Reverse(list)
		}
		m := views.Menu{
			Label: label, Value: "all",
			Items: []views.MenuItem{{Text: "All", Href: p.Scope.With(key, ""), Current: chosen == ""}},
		}
		for _, x := range list[:min(len(list), 60)] {
			if x == chosen {
				m.Value = name(x)
			}
			m.Items = append(m.Items, views.MenuItem{Text: name(x), Href: p.Scope.With(key, x), Current: x == chosen})
		}
		if m.Value == "all" && chosen != "" {
			m.Value = name(chosen)
		}
		b.Menus = append(b.Menus, m)
	}
	same := func(x string) string { return x }
	menu("Month", "billing_period", p.Scope.BillingPeriod, page.MonthName, func(r Book) string { return r.BillingPeriod })
	menu("Provider", "provider", p.Scope.Provider, page.ProviderName, func(r Book) string { return r.Provider })
	menu("Currency", "currency", p.Scope.Currency, same, func(r Book) string { return r.Currency })
	menu("Cost", "metric", p.Scope.Pick.Metric, metricName, func(r Book) string { return r.Metric })
	for i := range b.Menus {
		b.Menus[i].WideOnly = i > 1
	}
	b.Chips = slices.DeleteFunc(b.Chips, func(c views.Chip) bool {
		return !c.Off && c.Label != "billing account is" && c.Label != "account is"
	})
	for _, f := range []struct{ label, key, value string }{
		{"billing account is", "billing_account", p.Scope.Pick.Payer}, {"account is", "account", p.Scope.Pick.Account},
		{"source is", "source", p.Scope.Pick.Source}, {"delivery is", "delivery", page.Short(p.Scope.Pick.Delivery)},
	} {
		if f.value != "" {
			b.Chips = append(b.Chips, views.Chip{Label: f.label, Value: f.value, Remove: p.Scope.With(f.key, "")})
		}
	}
	return b
}

// currenciesOf lists the currencies of totals, the one with most lines first.
func currenciesOf(rows []Book) []string {
	var out []string
	lines := map[string]int64{}
	for _, r := range rows {
		if _, ok := lines[r.Currency]; !ok {
			out = append(out, r.Currency)
		}
		lines[r.Currency] += r.Charges
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(lines[b], lines[a]), cmp.Compare(a, b)) })
	return out
}

// metricName prints a measure: "Billed".
func metricName(metric string) string {
	if name, ok := page.BasisNames[strings.TrimSuffix(metric, "_cost")]; ok {
		return name[0]
	}
	return metric
}

func booksSentence(rows []Book) (sentence, sub string) {
	if len(rows) == 0 {
		return "There is no bill to reconcile yet.", ""
	}
	book, off, evidence := 0, 0, 0
	accounts := map[[2]string]bool{}
	lines := map[[4]string]int64{}
	unposted := map[[4]string]int64{}
	for _, r := range rows {
		if r.Role != string(ledger.Book) {
			evidence++
			continue
		}
		book++
		accounts[[2]string{r.Provider, r.Account}] = true
		key := [4]string{r.Delivery, r.Account, r.BillingPeriod, r.Currency}
		lines[key], unposted[key] = r.Charges, max(unposted[key], r.Unposted)
		if r.off() {
			off++
		}
	}
	var all, left int64
	for key, n := range lines {
		all += n
		left += unposted[key]
	}
	switch {
	case book == 0:
		return "These bills have evidence but no book.", "Evidence is shown and never posted."
	case off == 0:
		sentence = "Every billed cent is posted."
		sub = format.Plural(book, "total", "totals") + " of " + format.Plural(len(accounts), "account", "accounts") +
			" tie out to the last digit, over " +
			format.Plural(int(all), "bill line", "bill lines") + "."
	case left == 0:
		sentence, sub = offSentence(off, book),
			"Every charge has postings, but they do not add up to the bill. Run gpuledger verify to list the rows."
	default:
		sentence, sub = offSentence(off, book),
			format.Plural(int(left), "bill line has", "bill lines have")+
				" no posting. Run gpuledger allocate, then gpuledger verify."
	}
	if evidence > 0 {
		sub += " " + format.Plural(evidence, "more total is", "more totals are") + " shown as evidence."
	}
	return sentence, sub
}

func offSentence(off, of int) string {
	verb := " do not tie out."
	if off == 1 {
		verb = " does not tie out."
	}
	return format.Plural(off, "total", "totals") + " of " + format.Count(int64(of)) + verb
}
