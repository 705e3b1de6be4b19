package review

import (
	"cmp"
	"context"
	"math/big"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	// mostBudgets is how many budgets of people are drawn: all of them, in practice.
	mostBudgets = 500
	// mostLabels is how many budgets of labels are drawn and listed, of which 80 % is spent or more.
	mostLabels = 20
)

// budgetPanels are the spend of planned budgets, and that of labels' budgets of which 80 % is spent.
func budgetPanels(c *page.Context, planned, labels []*Budget) (list []*panel.Panel) {
	span := overlaps(c.Shown())
	if len(planned) > 0 {
		list = append(list, spentPanel("budgets", "Spent of each budget", page.Both(ofPeople, span), planned))
	}
	if near := nearlySpent(labels); len(near) > 0 {
		p := spentPanel("labels", "Budgets from labels, 80 % spent or more",
			page.Both("source = label and ratio >= 0.8", span), near)
		p.Foot = append(p.Foot, format.Plural(len(labels)-len(near), "more budget", "more budgets")+
			" from labels cost-budget-limit: less than 80 % is spent.")
		list = append(list, p)
	}
	return list
}

// moreBudgets says how many budgets the table leaves out, with a link to all; nil for none.
func moreBudgets(c *page.Context, n int) *views.Link {
	if n == 0 {
		return nil
	}
	all := ask.Question{Dataset: "budgets", Options: metrics.Options{Filter: overlaps(c.Shown())}}
	return &views.Link{
		Text: format.Plural(n, "more budget", "more budgets") + " from labels, all as CSV", Href: all.As("csv"),
	}
}

// spentPanel compares the spend of budgets with their amounts.
func spentPanel(name, title, filter string, list []*Budget) *panel.Panel {
	named := map[string]*Budget{}
	for _, b := range list {
		named[b.Name] = b
	}
	whole := money.MustParse("1")
	return &panel.Panel{
		Name: name, Title: title, Note: "actual + provisional ÷ amount, by hour of use, before sharing", Measure: "ratio",
		Names: []string{"name"}, Chart: panel.Bars, Most: mostBudgets, Limit: &whole,
		Class: func(name string, ratio money.Amount) string {
			if b := named[name]; b != nil {
				return stateClass(b.State, ratio.Rat())
			}
			return stateClass("ok", new(big.Rat)) // the others
		},
		Ask: ask.Question{Dataset: "budgets", Options: metrics.Options{Filter: filter}}, None: "No budgets.",
		Href: func(s page.Scope, at panel.At) string {
			if b := named[at.Values[0].Text]; b != nil {
				return s.At("/budgets", "budget", b.ID) + "#panel-burnup"
			}
			return s.At("/budgets")
		},
		Links: []views.Link{page.Defined("budgets.ratio")},
		Foot: []string{"The tick is the amount: 100 %.", "A statement counts the bills of its month, whenever the use was: its " +
			"share may differ."},
	}
}

// stateClass is the fill of a budget's bar: its colour once the spend reached a step of the policy, or the amount.
func stateClass(state string, ratio *big.Rat) string {
	switch {
	case ratio.Cmp(page.One) >= 0:
		return "b-bad"
	case state != "ok":
		return "b-warn"
	}
	return "b-ok"
}

// dashed says that the dashed line of a budget is a guess; empty if it is not.
func dashed(b *Budget) string {
	if b.Early() {
		return "; the dashed line is " + b.Guess()
	}
	return ""
}

// courseOf is the question about a budget's days. It names the last one, since SQL lacks the projection of a life: that
// of the period, the day on which a life breaks, else the last one that budget_days has.
func courseOf(ctx context.Context, reader page.Reader, b *Budget) (ask.Question, error) {
	q := ask.Question{Dataset: "budget_days", Options: metrics.Options{Filter: page.Equal("budget_id", b.ID)}}
	last := b.Second("breaks_on")
	if !b.Life() {
		last = b.Second("period_end") - period.Day
	}
	if last == 0 {
		o := q.Options
		o.Order, o.Limit = "-day", "1"
		if err := page.Each(ctx, reader, q.Dataset, o, nil, func(r page.Record) error {
			last = r.Second("day")
			return nil
		}); err != nil {
			return q, err
		}
	}
	if last == 0 { // no day of it has passed
		return q, nil
	}
	q.Options.Filter = page.Both(q.Options.Filter, "day <= '"+last.String()+"'")
	return q, nil
}

// burnUp draws the spend of a budget day by day against its amount. What is projected is no stored cost that the
// explorer could show: it leads to how it is computed.
func burnUp(c *page.Context, b *Budget, course ask.Question) *panel.Panel {
	return &panel.Panel{
		Name: "burnup", Title: b.Name, Note: "spend added up, against the amount" + dashed(b), Chart: panel.Lines, Over: "day",
		Parts:  []string{"cumulative", "projected", "amount"},
		Moment: b.Second("breaks_on"), MomentText: "breaks on",
		Labels: map[string]string{
			"cumulative": "spent", "projected": "at today's rate", "amount": "amount",
		},
		Ask:  course,
		None: "No day of this budget has passed.",
		Href: func(s page.Scope, at panel.At) string {
			if at.Part == "projected" {
				return b.projection()
			}
			return spendOf(c, b, at)
		},
		Links: []views.Link{page.Defined("budgets.projected"), {Text: "Explore", Href: spendOf(c, b, panel.At{})}},
	}
}

// projection is the explanation of a projected end; of a life, which has none, the definition of its days to come.
func (b *Budget) projection() string {
	why := ""
	if !b.Life() {
		why = b.Why("projected")
	}
	return cmp.Or(why, page.Defined("budget_days.projected").Href)
}

// spendOf is the explorer on what counts against a budget.
func spendOf(c *page.Context, b *Budget, at panel.At) string {
	dataset, measure, filter := "costs", "effective_cost", ""
	switch b.Text("unit") {
	case "gpu_hours":
		measure = "gpu_hours"
	case "tokens":
		dataset, measure = "inference", "generation_tokens"
	}
	if key := b.Text("key"); key != "all" {
		filter = page.Equal(key, b.Text("value"))
	}
	s := c.Scope
	s.From, s.To = "", "" // a life without dates
	if from := b.Second("period_start"); from != 0 {
		s.From = page.Address(from)
	}
	if to := b.Second("period_end"); to != 0 {
		s.To = page.Address(to)
	}
	if at.To != "" { // a day of the course is all spend up to its end
		s.To = at.To
	}
	s.BillingPeriod, s.Filter = "", ""
	return panel.Explore(s, dataset, measure, nil, panel.Bars, filter)
}
