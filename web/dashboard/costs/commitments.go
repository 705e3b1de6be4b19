package costs

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// commitmentsPage shows unused commitments and the on-demand use that they could have
// covered.
var commitmentsPage = figures.Page{
	Path: "/commitments", Title: "Commitments", Group: page.RailMoney, Dataset: "commitments",
	By: "instance_family", Order: "-unused_cost",
	Groupings: []figures.Grouping{
		{Text: "Families", Keys: "instance_family"},
		{Text: "Commitments", Keys: "commitment"},
		{Text: "Regions", Keys: "region"},
		{Text: "Accounts", Keys: "account"},
		{Text: "Types", Keys: "commitment_type"},
		{Text: "Rows", Keys: figures.RowsThemselves},
	},
	Facts: []figures.Column{
		{Name: "unused_cost", Text: "Unused commitments"}, {Name: "used_cost", Text: "Used commitments"},
		{Name: "utilisation", Text: "Commitment utilisation"}, {Name: "coverage", Text: "Commitment coverage"},
		{Name: "stranded_cost", Text: "In commitments under 10 % used"},
		{Name: "on_demand_cost", Text: "On demand"},
	},
	Columns: []figures.Column{
		{Name: "commitment_type", Text: "Type", Class: "wide-only"}, {Name: "region", Text: "Region", Class: "xl-only"},
		{Name: "coverage", Text: "Coverage"}, {Name: "utilisation", Text: "Utilisation"},
		{Name: "used_cost", Text: "Used", Class: "wide-only"}, {Name: "stranded_cost", Text: "Under 10 % used", Class: "xl-only"},
		{Name: "on_demand_cost", Text: "On demand", Class: "wide-only"},
		{Name: "unused_owners", Text: "Owners", Class: "max-only"},
		{Name: "unused_cost", Text: "Unused", Why: figures.WhyOf("commitment", "commitment", "cause = commitment_unused")},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Reservations and savings plans.", ""
		}
		c := p.Printed(w.Text("currency"))
		sentence, sub := figures.Unpriced("commitments")
		switch unused := w.Amount("unused_cost"); {
		case unused == nil:
		case unused.Sign() > 0:
			sentence = c.Money(*unused) + " of commitments went unused."
		default:
			sentence = "All commitments were used."
		}
		if onDemand := w.Amount("on_demand_cost"); onDemand != nil {
			sub = c.Money(*onDemand) + " was spent on demand."
			if cover := w.Amount("coverage"); cover != nil {
				sub = "Commitments covered " + format.WholePercent(cover.Rat(), page.One) +
					" of what machines would have cost on demand; " + sub
			}
		}
		return sentence, sub
	},
	Ties: []figures.Tie{{Filter: "pricing = on_demand"}},
	Tied: func(p *page.Context, f *figures.Reading) []string {
		onDemand, known := f.Tie(0)
		if !known {
			return nil
		}
		return []string{"On demand counts machine hours here. The overview's On-demand class, " + p.Currency.Money(onDemand) +
			", also includes credits, corrections and shared costs such as control planes, and leaves out machines outside " +
			"the GPU fleet."}
	},
	None: "Commitments appear when bills name reservations or savings plans.",
	Notes: []string{
		"Under 10 % used: the unused cost of commitments that were used less than that.",
		"Family n/a: plans and fees without an instance family, such as a savings plan for all families.",
		"Advice never covers bursts, only machines held in at least (1 − discount) of the hours.",
	},
	More: []figures.Panel{
		{Title: "Commitments to buy", Note: "on-demand machines in steady use", Dataset: "recommendations",
			Filter: "kind = commit and (holds = true or status != open)", Order: "-saving_per_month", Limit: 20, Row: advised,
			None: "No on-demand machine is held in enough of the hours, or no commitment discount is known.",
			Columns: []figures.Column{
				{Name: "proposal", Text: "What to do", Sub: "subject", Class: "long"},
				{Name: "instrument", Text: "Instrument", Class: "wide-only"},
				{Name: "quantity", Text: "Machines"}, {Name: "term_months", Text: "Months", Class: "wide-only"},
				{Name: "break_even_months", Text: "Break-even, months", Class: "xl-only"},
				{Name: "stranded_if_less_per_month", Text: "Unused at 20 % less use", Class: "wide-only"},
				{Name: "confidence", Text: "Confidence", Class: "wide-only"}, {Name: "saving_per_month", Text: "Saving a month"}}},
		{Title: "On-demand use by steadiness",
			Note:    "steady is the most that another commitment could cover; the advice above gives the level to buy",
			Dataset: "commitment_demand", Order: "-coverable_cost",
			None: "No machine was used on demand.", Columns: []figures.Column{
				{Name: "team", Text: "Team"}, {Name: "instance_family", Text: "Family"},
				{Name: "region", Text: "Region", Class: "wide-only"}, {Name: "demand", Text: "Demand"},
				{Name: "held_hours", Text: "Hours held", Class: "wide-only"},
				{Name: "lifetime_hours", Text: "Hours since first", Class: "xl-only"},
				{Name: "covered_cost", Text: "Covered", Class: "wide-only"},
				{Name: "on_demand_cost", Text: "On demand", Class: "wide-only"}, {Name: "coverable_cost", Text: "Steady"}}},
	},
}
