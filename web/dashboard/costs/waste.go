package costs

import (
	"gpuledger/metrics"
	"gpuledger/web/dashboard/explain"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// wastePage lists findings of idle time and risks, with cost, evidence and action.
var wastePage = figures.Page{
	Path: "/waste", Title: "Waste", Group: page.RailMoney, Dataset: "waste",
	By: "kind", Order: "-idle_cost",
	Groupings: []figures.Grouping{
		{Text: "Kinds", Keys: "kind"},
		{Text: "Findings", Keys: figures.RowsThemselves},
		{Text: "Teams", Keys: "team"},
		{Text: "Clusters", Keys: "cluster"},
		{Text: "Namespaces", Keys: "namespace"},
		{Text: "GPU models", Keys: "gpu_model"},
		{Text: "Workload classes", Keys: "workload_class"},
	},
	Facts: []figures.Column{
		{Name: "idle_cost", Text: "Cost of idle time"},
		{Name: "findings", Text: "Findings"},
	},
	Columns: []figures.Column{
		{Name: "label", Text: "Finding", Sub: "subject", Class: "long"},
		{Name: "team", Text: "Team", Class: "wide-only nowrap"}, {Name: "from", Text: "From", Class: "max-only nowrap"},
		{Name: "hours", Text: "Hours", Class: "xl-only", Alone: true},
		{Name: "evidence", Text: "Evidence", Sub: "action", Class: "wide-only"},
		{Name: "findings", Text: "Findings"}, {Name: "gpu_hours", Text: "GPU-h", Class: "xl-only", Alone: true},
		{Name: "effective_cost", Text: "Cost", Class: "max-only", Alone: true},
		{Name: "idle_cost", Text: "Idle cost", Blank: risksAlone},
		{Name: "recommendation_id", Text: "Advice", Class: "wide-only"},
	},
	Row: figures.Thing,
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok || len(f.Rows) == 0 {
			return "Idle GPU time and risks.", ""
		}
		sentence := "The cost of idle time is not known: its hours have no price yet."
		if a := w.Amount("idle_cost"); a != nil {
			sentence = "Idle time cost " + p.Printed(w.Text("currency")).Money(*a) + "."
		}
		sub := format.Plural(int(w.Count("findings")), "finding", "findings") +
			", each with its evidence. Risks are listed too, but their cost is counted elsewhere."
		return sentence, sub
	},
	Ties: []figures.Tie{{Filter: "cause = free"}, {Filter: "cause = held_idle"}},
	Tied: func(p *page.Context, f *figures.Reading) []string {
		w, ok := f.Largest(p)
		free, known := f.Tie(0)
		held, also := f.Tie(1)
		if !ok || !known && !also {
			return nil
		}
		idle, found := free.Add(held), w.Known("idle_cost")
		text := "The overview shows " + p.Currency.Money(free) + " free and " + p.Currency.Money(held) +
			" held idle, together " + p.Currency.Money(idle) + ". "
		switch left := idle.Sub(found); left.Sign() {
		case 1:
			text += "Findings cover " + p.Currency.Money(left) +
				" less: they leave out time below their thresholds, but include some time of other causes, such as crash loops."
		case -1:
			text += "Findings cover " + p.Currency.Money(left.Neg()) +
				" more: each counts in full even if it extends beyond the period, and some include time of other causes, " +
				"such as crash loops."
		default:
			text += "Findings cover all of it."
		}
		return []string{text}
	},
	Links: []views.Link{{Text: "Kinds explained", Href: metrics.ReferencePath + "#" + explain.ChapterWaste}},
	First: "Findings appear when bills, workloads and telemetry are imported and allocated.",
	None:  "No idle time and no risks found. Checked: holders, services, nodes and devices.",
	Notes: []string{
		"Idle kinds never overlap, so they add up. The hours and cost of risks overlap with them.",
		"Empty idle cost: a risk has none.",
		"Findings that overlap the period count in full. Host cost is not included.",
	},
	More: []figures.Panel{
		{Title: "Costliest findings", Note: "idle kinds; choose Findings under Rows for all", Dataset: "waste",
			Filter: "overlaps = false", Order: "-idle_cost", Row: figures.Thing,
			None: "No idle time found.", Columns: []figures.Column{
				{Name: "label", Text: "Finding", Sub: "subject", Class: "long"},
				{Name: "from", Text: "From", Class: "wide-only nowrap"},
				{Name: "team", Text: "Team", Class: "wide-only nowrap"},
				{Name: "evidence", Text: "Evidence", Sub: "action", Class: "wide-only"},
				{Name: "hours", Text: "Hours", Class: "xl-only"},
				{Name: "idle_cost", Text: "Cost"}}},
		{Title: "Free capacity by hour of the week", Note: "hours with the most free capacity, UTC",
			Dataset: "idle_hours", By: "hour_of_week", Order: "-free_gpu_hours", Limit: 12, None: "No capacity is known.", Columns: []figures.Column{
				{Name: "capacity_gpu_hours", Text: "GPU-h"}, {Name: "free_gpu_hours", Text: "Free", Class: "wide-only"},
				{Name: "free_share", Text: "Free share"}, {Name: "idle_share", Text: "Idle share"}}},
	},
}

// risksAlone says why findings have a cost but no idle cost.
func risksAlone(r page.Record) string {
	if !r.Value("effective_cost").Valid {
		return ""
	}
	return "no idle time: the cost of risks is counted where it arose"
}
