package costs

import (
	"cmp"
	"slices"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// chargebackPage shows what each team pays after sharing, and how that follows from its own cost.
var chargebackPage = figures.Page{
	Path: "/chargeback", Title: "Chargeback", Group: page.RailMoney, Dataset: "chargeback",
	By: "team", Order: "-effective_cost",
	Groupings: []figures.Grouping{
		{Text: "Teams", Keys: "team"},
		{Text: "Business units", Keys: "business_unit"},
		{Text: "Cost centers", Keys: "cost_center"},
		{Text: "Projects", Keys: "project"},
		{Text: "Environments", Keys: "environment"},
	},
	Facts: []figures.Column{
		{Name: "effective_cost", Text: "To pay"}, {Name: "own_effective_cost", Text: "Own cost"},
		{Name: "shared_in_effective_cost", Text: "Received from others"},
		{Name: "shared_out_effective_cost", Text: "Passed on to others"},
		{Name: "gpu_hours", Text: "GPU-hours held"},
	},
	Columns: []figures.Column{
		{Name: "gpu_hours", Text: "GPU-hours", Class: "xl-only"},
		{Name: "own_effective_cost", Text: "Own cost", Why: figures.WhyOf("team", "team")},
		{Name: "shared_in_effective_cost", Text: "Received", Class: "wide-only"},
		{Name: "shared_out_effective_cost", Text: "Passed on", Class: "wide-only"},
		{Name: "effective_cost", Text: "To pay"},
		{Name: "state", Text: "Statement", Class: "nowrap", Define: "figure.carried_cost", Cell: statementCell},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "What each team pays.", ""
		}
		cost := w.Amount("effective_cost")
		if cost == nil {
			return figures.Unpriced("teams")
		}
		c := p.Printed(w.Text("currency"))
		sub := "The policy shares no cost: everyone pays their own."
		if moved := w.Known("shared_in_effective_cost"); !moved.IsZero() {
			sub = c.Money(moved) + " of it was passed on from one owner to another."
		}
		of := ""
		if outside := w.Known("non_gpu_effective_cost"); !outside.IsZero() { // the overview leaves it out
			of = ", of it " + c.Money(outside) + " outside the GPU fleet"
		}
		return c.Money(*cost) + " to pay, after sharing" + of + ".", sub
	},
	None: "Chargeback starts with the first bill or price book.",
	Notes: []string{"To pay is own cost plus received cost less passed-on cost, which is shown as negative.",
		"The policy decides which cost is shared, and how."},
}

// statementCell links a row to its owner's statement of the billing month that is shown, else of the last month in the
// period.
func statementCell(p *page.Context, r page.Record) views.Cell {
	key, month := cmp.Or(p.Scope.Group, "team"), p.Scope.BillingPeriod
	if shown := p.Shown(); month == "" && !shown.Empty() {
		month = string(period.MonthName(shown.To - 1))
	}
	i, err := period.Month(month).Interval()
	if err != nil || !slices.Contains(metrics.OwnerKeys, key) {
		return views.Cell{}
	}
	return views.Cell{Figure: views.Figure{Text: i.From.Time().Format("Jan 2006")},
		Href: books.OwnerPath(p.Scope, key, r.Text(key), month)}
}
