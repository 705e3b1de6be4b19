package costs

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// budget is a budget of money with its spend.
type budget struct {
	id, name, key, value, currency, state string
	span                                  period.Interval // To is 0 for a life
	amount, spent, projected              money.Amount
	ratio                                 *big.Rat
}

// readBudgets reads the budgets of money.
func readBudgets(ctx context.Context, reader page.Reader) (list []budget, err error) {
	err = page.Each(ctx, reader, "budgets", metrics.Options{Filter: "unit = money"}, nil, func(r page.Record) error {
		b := budget{
			id: r.Text("budget_id"), name: r.Text("name"), key: r.Text("key"), value: r.Text("value"),
			currency: r.Text("currency"), state: r.Text("state"),
			span:   period.Interval{From: r.Second("period_start"), To: r.Second("period_end")},
			amount: r.Known("amount"), spent: r.Known("actual").Add(r.Known("provisional")), projected: r.Known("projected"),
		}
		b.ratio = format.Ratio(b.spent.Rat(), b.amount.Rat())
		list = append(list, b)
		return nil
	})
	return list, err
}

// covers reports whether the budget is for a period that overlaps the shown one.
func (b *budget) covers(span period.Interval) bool {
	return b.span.From < span.To && (b.span.To == 0 || b.span.To > span.From)
}

// isOf reports whether the budget is for what the page shows: all, or its team.
func (b *budget) isOf(s page.Scope) bool {
	if s.Cluster+s.Provider+s.Filter != "" {
		return false
	}
	return s.Team == "" && b.key == "all" || s.Team != "" && b.key == "team" && b.value == s.Team
}

// budgetOf is the shortest budget of what the page shows; nil if there is none.
func budgetOf(p *page.Context, list []budget) (best *budget) {
	length := func(b *budget) period.Second {
		if b.span.To == 0 {
			return 1 << 40
		}
		return b.span.To - b.span.From
	}
	for i := range list {
		b := &list[i]
		if b.currency == string(p.Currency) && b.isOf(p.Scope) && b.covers(p.Shown()) &&
			(best == nil || length(b) < length(best)) {
			best = b
		}
	}
	return best
}

// href is the page of a budget.
func (b *budget) href(s page.Scope) string { return s.Carried("/budgets", "budget", b.id) }

// facts show the budget and its projected end.
func (b *budget) facts(p *page.Context) []views.Fact {
	over := b.projected.Sub(b.amount)
	note := p.Currency.Money(page.Size(&over)) + " under"
	if over.Sign() > 0 {
		note = p.Currency.Money(over) + " over"
	}
	return []views.Fact{
		{
			Name: "Budget " + p.Currency.Compact(b.amount), Define: "budgets.ratio", Why: b.href(p.Scope),
			Value: views.Figure{Text: format.Percent(b.ratio, page.One), Title: b.name + ": " + p.Currency.Exact(b.spent) +
				" of " + p.Currency.Exact(b.amount)},
			Note: p.Currency.Compact(b.spent) + " spent",
		},
		{
			Name: "Projected end", Define: "budgets.projected", Why: b.href(p.Scope),
			Value: page.Figure(p.Currency, &b.projected, p.Currency.Compact, "if spend goes on as in the period so far"),
			Note:  note,
		},
	}
}

// withBudget puts the budget's facts after the comparison.
func withBudget(facts, budget []views.Fact) []views.Fact {
	at := 0
	if len(facts) > 0 && strings.HasPrefix(facts[0].Name, "vs ") {
		at = 1
	}
	return slices.Insert(facts, at, budget...)
}

// budgetAlerts name the budgets of the shown period that reached a step, the fullest first.
func budgetAlerts(p *page.Context, list []budget) (bad, warn []views.Alert) {
	for i := range list {
		b := &list[i]
		if b.state == "ok" || b.span.To == 0 || !b.covers(p.Shown()) {
			continue
		}
		coin := format.Currency(b.currency)
		a := views.Alert{
			Tone: "warn", What: b.name + ": " + format.Percent(b.ratio, page.One) + " of the budget",
			Detail: coin.Money(b.spent) + " of " + coin.Money(b.amount) + ", " + b.owner(),
			Age:    "until " + format.Day(b.span.To-1), Href: b.href(p.Scope),
		}
		if b.ratio.Cmp(page.One) >= 0 {
			a.Tone = "bad"
			bad = append(bad, a)
			continue
		}
		warn = append(warn, a)
	}
	return bad, warn
}

// owner says whose budget it is.
func (b *budget) owner() string {
	if b.key == "all" {
		return "everything"
	}
	return b.key + " " + b.value
}
