package books

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var serviceHeads = views.Heads(
	"Service: charges.service_name", "Provider: key.provider wide-only",
	"#Effective: charges.effective_cost wide-only", "#Billed: charges.billed_cost",
)

// serviceRow is what one service of one account was posted with in a month.
type serviceRow struct {
	Provider, Account, Service, Month, Currency string
	Billed, Effective                           *money.Amount
}

// readServices adds postings of bills up by service: the same sums as the
// lines, because every line is posted. What is narrowed further than postings
// know (a delivery, a line, a text, a condition) has no sums.
func readServices(ctx context.Context, reader page.Reader, s page.Scope) ([]serviceRow, error) {
	if s.Pick.Delivery+s.Pick.Charge+s.Text+s.Filter != "" {
		return nil, nil
	}
	var out []serviceRow
	o := metrics.Options{GroupBy: "provider,account,service_name,billing_period", Filter: page.Both(terms(s.Pick, s.Provider, ""), "state != 'provisional'"), BillingPeriod: s.Pick.Month}
	err := page.Each(ctx, reader, "costs", o, []string{"billed_cost", "effective_cost"}, func(r page.Record) error {
		x := serviceRow{Provider: r.Text("provider"), Account: r.Text("account"), Service: r.Text("service_name"), Month: r.Text("billing_period"),
			Currency: r.Text("currency"), Billed: r.Amount("billed_cost"), Effective: r.Amount("effective_cost")}
		if x.Currency != "" && x.Month != "" && (s.Currency == "" || s.Currency == x.Currency) {
			out = append(out, x)
		}
		return nil
	})
	return out, err
}

// servicesPanel adds the rows up by provider and service.
func servicesPanel(p *page.Context, panel *views.TablePanel, rows []serviceRow) {
	type key struct{ provider, service, currency string }
	sums, total := map[key]*serviceRow{}, map[string]*serviceRow{}
	var order []key
	var currencies []string
	for _, r := range rows {
		k := key{r.Provider, r.Service, r.Currency}
		if sums[k] == nil {
			sums[k], order = &serviceRow{}, append(order, k)
		}
		if total[r.Currency] == nil {
			total[r.Currency], currencies = &serviceRow{}, append(currencies, r.Currency)
		}
		for _, s := range []*serviceRow{sums[k], total[r.Currency]} {
			s.take(r)
		}
	}
	if len(order) < 2 {
		return
	}
	number := map[string]int{}
	for _, k := range order {
		number[k.currency]++
	}
	slices.SortFunc(currencies, func(a, b string) int { return cmp.Or(number[b]-number[a], cmp.Compare(a, b)) })
	most := mostServices
	if chargeFilter(p.Scope) == "" { // the lines below matter as much
		most = fewServices
	}
	slices.SortStableFunc(order, func(a, b key) int {
		if a.currency != b.currency {
			return slices.Index(currencies, a.currency) - slices.Index(currencies, b.currency)
		}
		return page.Size(sums[b].Billed).Cmp(page.Size(sums[a].Billed))
	})
	t := views.Table{Caption: "What bills say by service", Heads: serviceHeads}
	cells := func(name views.Cell, provider, currency string, s *serviceRow) []views.Cell {
		c := p.Printed(currency)
		return []views.Cell{name, views.Text(provider), {Figure: page.Figure(c, s.Effective, c.Full, "effective cost")}, {Figure: page.Figure(c, s.Billed, c.Full, "billed cost")}}
	}
	for _, currency := range currencies {
		n, rest := 0, &serviceRow{}
		for _, k := range order {
			if k.currency != currency {
				continue
			}
			if n++; n > most {
				rest.take(*sums[k])
				continue
			}
			name := views.Cell{Figure: views.Figure{Text: k.service}, Name: true, Href: p.Scope.With("service_name", k.service, "provider", k.provider)}
			if k.service == "" {
				name = views.Cell{Figure: views.Figure{Text: "No service named", Zero: true}}
			}
			t.Rows = append(t.Rows, views.Row{Cells: cells(name, page.ProviderName(k.provider), currency, sums[k])})
		}
		if n > most {
			t.Rows = append(t.Rows, views.Row{Others: true, Cells: cells(views.Text(format.Plural(n-most, "other", "others")), "", currency, rest)})
		}
		t.Totals = append(t.Totals, cells(views.Text(page.InCode("All services", currency, p.Several)), "", currency, total[currency]))
	}
	panel.Note, panel.Table = "posted sums of the same lines", t
}

// together is what lines add up to, per currency: "$17,108.83 billed, $5,651.83
// effective".
func together(p *page.Context, rows []serviceRow) string {
	total := map[string]*serviceRow{}
	var currencies []string
	for _, r := range rows {
		if total[r.Currency] == nil {
			total[r.Currency], currencies = &serviceRow{}, append(currencies, r.Currency)
		}
		total[r.Currency].take(r)
	}
	slices.Sort(currencies)
	var said []string
	for _, currency := range currencies {
		c, t := p.Printed(currency), total[currency]
		for _, x := range []struct {
			amount *money.Amount
			word   string
		}{{t.Billed, " billed"}, {t.Effective, " effective"}} {
			if x.amount != nil {
				said = append(said, c.Full(*x.amount)+x.word)
			}
		}
	}
	return strings.Join(said, ", ")
}

func (s *serviceRow) take(r serviceRow) {
	for _, x := range []struct {
		to   **money.Amount
		from *money.Amount
	}{{&s.Billed, r.Billed}, {&s.Effective, r.Effective}} {
		if x.from == nil {
			continue
		}
		if *x.to == nil {
			*x.to = &money.Amount{}
		}
		page.Add(*x.to, *x.from)
	}
}

// linesCSV is the address of the same lines in the API.
func linesCSV(s page.Scope, order string) string {
	v := url.Values{"format": {"csv"}, "order": {order}}
	if f := chargeFilter(s); f != "" {
		v.Set("filter", f)
	}
	return "/api/v1/charges?" + v.Encode()
}
