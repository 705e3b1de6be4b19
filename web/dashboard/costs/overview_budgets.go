package costs

import (
	"math"
	"slices"
	"strings"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/review"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// budgetOf is the shortest budget of money for what the page shows, all or its team; nil if there is none.
func budgetOf(p *page.Context, list []*review.Budget) (best *review.Budget) {
	s := p.Scope
	if s.Cluster+s.Provider+s.Filter != "" {
		return nil
	}
	key, value := "all", ""
	if s.Team != "" {
		key, value = "team", s.Team
	}
	for _, b := range list {
		if b.Text("currency") == string(p.Currency) && b.Text("key") == key && b.Text("value") == value &&
			(best == nil || length(b) < length(best)) {
			best = b
		}
	}
	return best
}

// length is that of a budget's period; a life is longer than all others.
func length(b *review.Budget) period.Second {
	if to := b.Second("period_end"); to != 0 {
		return to - b.Second("period_start")
	}
	return math.MaxInt64
}

// budgetFacts show a budget and its projected end.
func budgetFacts(p *page.Context, b *review.Budget) []views.Fact {
	amount, spent, projected := b.Known("amount"), b.Spent(), b.Known("projected")
	over := projected.Sub(amount)
	note := p.Currency.Money(page.Size(&over)) + " under"
	if over.Sign() > 0 {
		note = p.Currency.Money(over) + " over"
	}
	end := page.Figure(p.Currency, &projected, p.Currency.Compact, "if spend goes on as in the period so far")
	if b.Early() {
		end.Title = "a guess " + b.From() + ": " + end.Title
		end.Text, note = format.NA, "too early to say, "+b.From()
	}
	return []views.Fact{
		{
			Name: "Budget " + p.Currency.Compact(amount), Define: "budgets.ratio", Why: b.Href(p.Scope),
			Value: views.Figure{Text: format.Percent(b.Ratio(), page.One), Title: b.Name + ": " + p.Currency.Exact(spent) +
				" of " + p.Currency.Exact(amount)},
			Note: p.Currency.Compact(spent) + " spent",
		},
		{
			Name: "Projected end", Define: "budgets.projected", Why: b.Href(p.Scope),
			Value: end, Note: note,
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

// budgetAlerts name the budgets of money that reached a step, the fullest first; those of an ended period come last, and
// only if they were exceeded.
func budgetAlerts(p *page.Context, list []*review.Budget, now period.Second) (bad, warn []views.Alert) {
	var past []views.Alert
	for _, b := range list {
		to := b.Second("period_end")
		ended := to <= now
		if b.State == "ok" || to == 0 || b.Text("unit") != string(ledger.BudgetMoney) || ended && !b.Over() {
			continue
		}
		coin := format.Currency(b.Text("currency"))
		a := views.Alert{
			Tone: "warn", What: b.Name + ": " + format.Percent(b.Ratio(), page.One) + " of the budget",
			Detail: coin.Money(b.Spent()) + " of " + coin.Money(b.Known("amount")), Href: b.Href(p.Scope),
			Owner: page.OwnerOf(b.Text("key"), b.Text("value"), access.RoleAnalyst), Due: "by " + format.Day(to-1),
		}
		if b.Over() {
			a.Tone = "bad"
		}
		switch {
		case ended:
			a.Due = "ended " + format.Day(to-1)
			past = append(past, a)
		case b.Over():
			bad = append(bad, a)
		default:
			warn = append(warn, a)
		}
	}
	return append(bad, past...), warn
}
