package work

import (
	"cmp"
	"slices"

	"context"
	"gpuledger/internal/money"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// runProviders lists the providers that billed a run, costliest first.
func runProviders(ctx context.Context, reader page.Reader, id string) ([]string, error) {
	var out []string
	err := page.Each(ctx, reader, "costs", metrics.Options{GroupBy: "provider", Filter: page.Equal("run", id)},
		[]string{"effective_cost"}, func(r page.Record) error {
			if name := r.Text("provider"); name != "" {
				out = append(out, name)
			}
			return nil
		})
	return out, err
}

// runMoney names the other currencies in which the run has cost, and offers them in a menu: a
// run's page shows one at a time.
func runMoney(p *page.Context, v *views.RunDetail, run Run, rows []Run) {
	if len(rows) < 2 {
		return
	}
	currencies, spent := spentOn(rows)
	m := views.Menu{Label: "Currency", Value: run.Currency}
	for _, c := range page.Named(currencies) {
		m.Items = append(m.Items, views.MenuItem{Text: c, Href: p.Scope.With("currency", c), Current: c == run.Currency})
	}
	v.Bar.Menus = append(v.Bar.Menus, m)
	v.Cost.Name += ", " + run.Currency
	if more := page.Elsewhere(run.Currency, page.Named(currencies), spent); more != "" {
		v.Sentence += " " + more
	}
}

// runEvidence shows where the run was billed, and the provider's own split of its machines:
// next to our figure, never in it.
func runEvidence(p *page.Context, v *views.RunDetail, run Run, at []string) {
	names := make([]string, len(at))
	for i, provider := range at {
		names[i] = page.ProviderName(provider)
	}
	if len(names) > 0 && len(v.Crumbs) > 0 {
		v.Crumbs[len(v.Crumbs)-1].Text += " on " + page.Listed(names)
	}
	if run.ProviderSplit == nil {
		return
	}
	who := "The provider"
	if len(names) == 1 {
		who = names[0]
	}
	c := p.Currency
	v.Evidence = &views.Evidence{
		Name:   who + "’s own split",
		Tag:    views.Tag{Text: "evidence", Tone: "est", Title: "shown next to our figure, never added to it"},
		Figure: page.Figure(c, run.ProviderSplit, c.Money, "split cost rows of the bill"),
		Text: "is the amount that split cost allocation on the bill gives this run's pods by the CPU, memory and " +
			"accelerators that they request. It is not part of the cost above, which follows what they held.",
	}
}

// spentOn sums the cost of runs per currency, largest first. Runs without a price have no
// currency.
func spentOn(rows []Run) (currencies []string, spent map[string]money.Amount) {
	spent = map[string]money.Amount{}
	for _, r := range rows {
		if _, ok := spent[r.Currency]; !ok {
			currencies = append(currencies, r.Currency)
		}
		var cost money.Amount
		if r.Cost != nil {
			cost = *r.Cost
		}
		spent[r.Currency] = spent[r.Currency].Add(cost)
	}
	slices.SortStableFunc(currencies, func(a, b string) int {
		if priced := cmp.Compare(min(len(b), 1), min(len(a), 1)); priced != 0 {
			return priced
		}
		return spent[b].Cmp(spent[a])
	})
	return currencies, spent
}
