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
		if !b.Label() && b.Text("currency") == string(p.Currency) && b.Text("key") == key && b.Text("value") == value &&
			(best == nil || length(b) < length(best)) {
			best = b
		}
	}
	return best
}

// length is that of a budget's period; a life is longer than all others.
func length(b *review.Budget) period.Second {
	if b.Life() {
		return math.MaxInt64
	}
	return b.Second("period_end") - b.Second("period_start")
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
	last := views.Fact{
		Name: "Projected end", Define: "budgets.projected", Why: b.Href(p.Scope), Value: end, Note: note,
	}
	if b.Life() {
		last = breaksFact(p, b)
	}
	return []views.Fact{
		{
			Name: "Budget " + p.Currency.Compact(amount), Define: "budgets.ratio", Why: b.Href(p.Scope),
			Value: views.Figure{Text: format.Percent(b.Ratio(), page.One), Title: b.Name + ": " + p.Currency.Exact(spent) +
				" of " + p.Currency.Exact(amount)},
			Note: p.Currency.Compact(spent) + " spent",
		},
		last,
	}
}

// breaksFact is the day on which a life reaches its amount.
func breaksFact(p *page.Context, b *review.Budget) views.Fact {
	f := views.Fact{Name: "Breaks on", Define: "budgets.breaks_on", Why: b.Href(p.Scope),
		Value: views.Figure{Text: format.NA, Title: "not within a year at the pace of the last 7 days"}}
	if b.Over() {
		f.Value.Title = "the amount is spent"
	}
	if at := b.Second("breaks_on"); at != 0 {
		f.Value, f.Note = views.Figure{Text: format.Day(at), Title: "if spend goes on as in the last 7 days"}, b.Guess()
	}
	return f
}

// withBudget puts the budget's facts after the comparison.
func withBudget(facts, budget []views.Fact) []views.Fact {
	at := 0
	if len(facts) > 0 && strings.HasPrefix(facts[0].Name, "vs ") {
		at = 1
	}
	return slices.Insert(facts, at, budget...)
}

// budgetAlerts name the budgets of money that reached a step: people's, the fullest first; those of an ended period come
// last, and only if they were exceeded. Those of labels follow, in one line if they are several.
func budgetAlerts(p *page.Context, list []*review.Budget, now period.Second) (bad, warn []views.Alert) {
	var past []views.Alert
	var labels []*review.Budget
	for _, b := range list {
		ended := !b.Life() && b.Second("period_end") <= now
		switch {
		case b.State == "ok" || b.Text("unit") != string(ledger.BudgetMoney) || ended && !b.Over():
		case b.Label():
			labels = append(labels, b)
		case ended:
			past = append(past, budgetAlert(p, b, now))
		case b.Over():
			bad = append(bad, budgetAlert(p, b, now))
		default:
			warn = append(warn, budgetAlert(p, b, now))
		}
	}
	bad = append(bad, past...)
	switch a := labelAlert(p, labels, now); {
	case a == nil:
	case a.Tone == "bad":
		bad = append(bad, *a)
	default:
		warn = append(warn, *a)
	}
	return bad, warn
}

// budgetAlert names a budget with its spend, its owner, and the day by which something can be done.
func budgetAlert(p *page.Context, b *review.Budget, now period.Second) views.Alert {
	coin := format.Currency(b.Text("currency"))
	a := views.Alert{
		Tone: "warn", What: b.Name + ": " + format.Percent(b.Ratio(), page.One) + " of the budget",
		Detail: coin.Money(b.Spent()) + " of " + coin.Money(b.Known("amount")), Href: b.Href(p.Scope),
		Owner: page.OwnerOf(b.Text("key"), b.Text("value"), access.RoleAnalyst), Due: page.NoDate,
	}
	if b.Over() {
		a.Tone = "bad"
	}
	to, breaks := b.Second("period_end"), b.Second("breaks_on")
	switch {
	case !b.Life() && to <= now:
		a.Due = "ended " + format.Day(to-1)
	case !b.Life():
		a.Due = "by " + format.Day(to-1)
	case breaks != 0:
		a.Due = "breaks on " + format.Day(breaks)
		if guess := b.Guess(); guess != "" {
			a.Due += ", " + guess
		}
	}
	return a
}

// labelAlert is one line for the budgets of labels that reached a step; nil if there is none.
func labelAlert(p *page.Context, list []*review.Budget, now period.Second) *views.Alert {
	if len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		a := budgetAlert(p, list[0], now)
		return &a
	}
	over := 0
	for _, b := range list {
		if b.Over() {
			over++
		}
	}
	a := views.Alert{Tone: "warn", What: format.Plural(len(list), "budget", "budgets") + " from labels reached a step",
		Detail: "the fullest is " + list[0].Name + ": " + format.Percent(list[0].Ratio(), page.One),
		Href:   p.Scope.Carried("/budgets") + "#panel-labels", Owner: page.OwnerOf("", "", access.RoleAnalyst),
		Due: page.NoDate}
	if over > 0 {
		a.Tone = "bad"
		a.What += ", " + format.Count(int64(over)) + " of them the amount"
	}
	return &a
}
