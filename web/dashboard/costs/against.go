package costs

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// against is the spend of the period's complete days and of as many days before it, by
// currency.
type against struct {
	Days, Before period.Interval
	Spent, Was   map[string]money.Amount
}

// readAgainst reads both sides, or returns nil if there is nothing to compare with.
func readAgainst(ctx context.Context, reader page.Reader, s page.Scope, e metrics.Extent) (*against, error) {
	days, before, ok := page.EqualSpans(s.Span, s.Before(), e)
	if !ok {
		return nil, nil
	}
	a := &against{Days: days, Before: before}
	var err error
	if a.Spent, err = readSpent(ctx, reader, s.During(days)); err != nil {
		return nil, err
	}
	a.Was, err = readSpent(ctx, reader, s.During(before))
	return a, err
}

// readSpent reads the cost of the fleet before sharing, by currency.
func readSpent(ctx context.Context, reader page.Reader, s page.Scope) (map[string]money.Amount, error) {
	spent := map[string]money.Amount{}
	o := s.Costs(metrics.Options{Filter: "cause != " + page.Quote(string(ledger.NonGPU))})
	err := page.Each(ctx, reader, "costs", o, []string{s.Basis + "_cost"}, func(r page.Record) error {
		if cost := r.Amount(s.Basis + "_cost"); cost != nil {
			spent[r.Text("currency")] = *cost
		}
		return nil
	})
	return spent, err
}

// fact shows the change in cost against the days before, and names both spans.
func (a *against) fact(p *page.Context) (views.Fact, bool) {
	if a == nil {
		return views.Fact{}, false
	}
	now, known := a.Spent[string(p.Currency)]
	was, knownBefore := a.Was[string(p.Currency)]
	if !known || !knownBefore {
		return views.Fact{}, false
	}
	change := now.Sub(was)
	f := views.Fact{
		Name: "vs " + format.ShortDays(a.Before), Define: "figure.change", Note: format.Growth(now, was),
		Value: page.Figure(p.Currency, &change, p.Currency.Change,
			p.Scope.Basis+" cost of "+format.Days(a.Days)+" less that of "+format.Days(a.Before)),
	}
	if a.Days != p.Shown() {
		f.Note += ", " + format.ShortDays(a.Days)
	}
	return f, true
}
