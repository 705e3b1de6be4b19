package review

import (
	"cmp"
	"context"
	"math/big"
	"net/http"
	"slices"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// mostBudgets is how many budgets the panel draws: all of them, in practice.
const mostBudgets = 500

// budget is a row of budgets.
type budget struct {
	page.Record
	id, name, parent, state string
	depth                   int // in the tree of parents
}

// budgets is the page of the budgets of the shown period.
func (d *room) budgets(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadFiltered(r, "budgets", page.Rows)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	extent, err := d.Reader.Extent(ctx)
	if err != nil {
		d.Broken(w, r, s, "budgets", err)
		return
	}
	c := &page.Context{Scope: s.Over(extent.Stored), Extent: extent}
	filter := overlaps(c.Shown())
	list, err := readBudgets(ctx, d.Reader, filter)
	if err != nil {
		d.Broken(w, r, s, "budgets", err)
		return
	}
	v := views.Panels{Shell: d.Shell(r, s, "budgets", "Budgets"), Sentence: budgetSentence(list), Sub: budgetSub(list)}
	v.Shell.Bar = c.Bar(page.Choices{Dataset: "budgets"})
	var below views.BudgetTables
	if len(list) > 0 {
		chosen := chosenBudget(list, s.Pick.Budget)
		list = tree(list)
		panels := []*panel.Panel{budgetsPanel(filter, list), burnUp(c, chosen)}
		drawn := make([]*views.Panel, len(panels))
		errs := make([]error, len(panels))
		work := []func(){func() { below.Versions, err = versionTable(ctx, d.Reader, chosen) }}
		for i, l := range panels {
			work = append(work, func() { drawn[i], errs[i] = l.Draw(ctx, d.Reader, c) })
		}
		page.Parallel(work...)
		if err != nil {
			d.Broken(w, r, s, "budgets", err)
			return
		}
		for i, p := range drawn {
			if errs[i] != nil {
				e := d.PanelError(s, errs[i], panels[i].Title)
				p.Error = &e
			}
			v.Panels = append(v.Panels, *p)
		}
		below.Budgets, below.Chosen = budgetTable(c, list), chosen.name
		v.Below = views.BudgetsBelow(below)
	}
	d.Render(w, r, http.StatusOK, views.PanelsPage(v))
}

// overlaps is the condition on budgets of a period.
func overlaps(span period.Interval) string {
	if span.Empty() {
		return ""
	}
	return "(period_start is null or period_start < '" + span.To.String() +
		"') and (period_end is null or period_end > '" + span.From.String() + "')"
}

func readBudgets(ctx context.Context, reader page.Reader, filter string) (list []*budget, err error) {
	err = page.Each(ctx, reader, "budgets", metrics.Options{Filter: filter}, nil, func(r page.Record) error {
		r.Values = slices.Clone(r.Values)
		list = append(list, &budget{
			Record: r, id: r.Text("budget_id"), name: r.Text("name"), parent: r.Text("parent"), state: r.Text("state"),
		})
		return nil
	})
	slices.SortStableFunc(list, func(a, b *budget) int { return b.ratio().Cmp(a.ratio()) })
	return list, err
}

func (b *budget) ratio() *big.Rat {
	known := b.Known("ratio")
	return known.Rat()
}

// chosenBudget is the one that the address names; else the one that breaks first, else the fullest.
func chosenBudget(list []*budget, id string) *budget {
	if i := slices.IndexFunc(list, func(b *budget) bool { return b.id == id }); i >= 0 {
		return list[i]
	}
	return cmp.Or(breaksFirst(list), list[0])
}

func breaksFirst(list []*budget) (first *budget) {
	for _, b := range list {
		if at := b.Second("breaks_on"); at != 0 && (first == nil || at < first.Second("breaks_on")) {
			first = b
		}
	}
	return first
}

// budgetSentence says which budget breaks and when.
func budgetSentence(list []*budget) string {
	first := breaksFirst(list)
	switch {
	case len(list) == 0:
		return "No budgets for this period."
	case first != nil:
		return first.name + " breaks its budget on " + format.Day(first.Second("breaks_on")) + " at today's rate."
	case list[0].ratio().Cmp(page.One) >= 0:
		return list[0].name + " is over its budget: " + format.Percent(list[0].ratio(), page.One) + " spent."
	}
	return "Every budget holds. The fullest is " + list[0].name + ": " +
		format.Percent(list[0].ratio(), page.One) + " spent."
}

func budgetSub(list []*budget) string {
	if len(list) == 0 {
		return "Import a plan with gpuledger import budgets FILE.csv, or choose another period."
	}
	over, breaking := 0, 0
	for _, b := range list {
		if b.ratio().Cmp(page.One) >= 0 {
			over++
		}
		if b.Second("breaks_on") != 0 {
			breaking++
		}
	}
	text := format.Plural(len(list), "budget", "budgets") + " of this period: " + format.Count(int64(over)) + " spent, "
	return text + format.Count(int64(breaking)) + " will break before the end of their period."
}

// tree orders budgets so that parts follow their parent.
func tree(list []*budget) (out []*budget) {
	shown := map[string]bool{}
	for _, b := range list {
		shown[b.name] = true
	}
	var add func(parent string, depth int)
	add = func(parent string, depth int) {
		for _, b := range list {
			if b.parent == parent || parent == "" && !shown[b.parent] {
				b.depth = depth
				out = append(out, b)
				add(b.name, depth+1)
			}
		}
	}
	add("", 0)
	return out
}

// budgetsPanel compares the spend of each budget with its amount.
func budgetsPanel(filter string, list []*budget) *panel.Panel {
	named := map[string]*budget{}
	for _, b := range list {
		named[b.name] = b
	}
	whole := money.MustParse("1")
	return &panel.Panel{
		Name: "budgets", Title: "Spent of each budget", Note: "actual + provisional ÷ amount", Measure: "ratio",
		Names: []string{"name"}, Chart: panel.Bars, Most: mostBudgets, Limit: &whole,
		Class: func(name string, ratio money.Amount) string { return stateClass(named[name].state, ratio.Rat()) },
		Ask:   ask.Question{Dataset: "budgets", Options: metrics.Options{Filter: filter}}, None: "No budgets.",
		Href: func(s page.Scope, at panel.At) string {
			return s.At("/budgets", "budget", named[at.Values[0].Text].id) + "#panel-burnup"
		},
		Links: []views.Link{page.Defined("budgets.ratio")},
		Foot:  []string{"The tick is the amount: 100 %."},
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

// burnUp draws the spend of a budget day by day against its amount.
func burnUp(c *page.Context, b *budget) *panel.Panel {
	return &panel.Panel{
		Name: "burnup", Title: b.name, Note: "spend added up, against the amount", Chart: panel.Lines, Over: "day",
		Parts:  []string{"cumulative", "projected", "amount"},
		Labels: map[string]string{"cumulative": "spent", "projected": "at today's rate", "amount": "amount"},
		Ask:    ask.Question{Dataset: "budget_days", Options: metrics.Options{Filter: page.Equal("budget_id", b.id)}},
		None:   "No day of this budget has passed.",
		Href:   func(s page.Scope, at panel.At) string { return spendOf(c, b, at) },
		Links:  []views.Link{page.Defined("budgets.projected"), {Text: "Explore", Href: spendOf(c, b, panel.At{})}},
	}
}

// spendOf is the explorer on what counts against a budget.
func spendOf(c *page.Context, b *budget, at panel.At) string {
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
	if from := b.Second("period_start"); from != 0 {
		s.From = page.Address(from)
	}
	if to := b.Second("period_end"); to != 0 {
		s.To = page.Address(to)
	}
	if at.From != "" {
		s.From, s.To = at.From, at.To
	}
	s.BillingPeriod, s.Filter = "", ""
	return panel.Explore(s, dataset, measure, nil, panel.Bars, filter)
}
