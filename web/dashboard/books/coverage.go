package books

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// coveragePage shows how much of the spend has an owner, and how much is measured, estimated or assumed.
var coveragePage = figures.Page{
	Path: "/coverage", Title: "Coverage", Group: page.RailBooks, Dataset: "owner_coverage",
	Of: "Owner keys", Order: "-owned_share", Apart: true,
	Columns: []figures.Column{
		{Name: "key", Text: "Owner key"}, {Name: "owned_share", Text: "Owned"},
		{Name: "owned_cost", Text: "With an owner", Class: "wide-only", Why: figures.WhyOwned(true)},
		{Name: "unowned_cost", Text: "Without", Why: figures.WhyOwned(false)},
		{Name: "measured_share", Text: "Measured", Class: "wide-only"},
		{Name: "estimated_cost", Text: "Estimated", Class: "xl-only", Why: figures.WhyAlways("quality = estimated")},
		{Name: "assumed_cost", Text: "Assumed", Class: "xl-only", Why: figures.WhyAlways("quality = assumed")},
		{Name: "effective_cost", Text: "Spend", Why: figures.WhyAlways()},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		for _, r := range f.Rows {
			share, unowned := r.Amount("owned_share"), r.Amount("unowned_cost")
			if r.Text("key") == "team" && share != nil && unowned != nil {
				c := p.Printed(r.Text("currency"))
				return format.WholePercent(share.Rat(), page.One) + " of the spend has a team.",
					c.Money(*unowned) + " has none. Each row below covers the same spend."
			}
		}
		return "Share of spend with an owner.", ""
	},
	Ties: []figures.Tie{{}, {Filter: "team = " + page.Quote(page.Unowned)}},
	Tied: func(p *page.Context, f *figures.Reading) []string {
		spend, known := f.Tie(0)
		unowned, owners := f.Tie(1)
		if !known {
			return nil
		}
		text := "This page covers everything billed. The GPU fleet, which the overview counts, is " +
			p.Currency.Money(spend) + " of it"
		if owners {
			text += ", of which " + p.Currency.Money(unowned) + " has no team"
		}
		return []string{text + "; the rest is outside the fleet."}
	},
	None:  "Coverage appears when a bill is imported and allocated.",
	Notes: []string{"Every owner key covers the same spend, so rows do not add up."},
	More: []figures.Panel{
		{Title: "Telemetry", Note: "billed, observed and known capacity by day", Dataset: "coverage", Step: "day",
			Order: "-period_start", Limit: 30, None: "No capacity is known.", Columns: []figures.Column{
				{Name: "period_start", Text: "Day", Class: "nowrap"}, {Name: "cluster", Text: "Cluster"},
				{Name: "instance_type", Text: "Type", Class: "wide-only"},
				{Name: "nodes", Text: "Nodes", Class: "wide-only"}, {Name: "nodes_without_telemetry", Text: "Unseen"},
				{Name: "unbilled_gpu_hours", Text: "Unbilled", Class: "xl-only"},
				{Name: "measured_gpu_hours", Text: "Measured", Class: "xl-only"},
				{Name: "capacity_gpu_hours", Text: "GPU-h"}, {Name: "known_gpu_hours", Text: "Known"}}},
		{Title: "Prices without a bill",
			Note:    "prices of hours without a bill; a bill or a price book replaces them",
			Dataset: "provisional_prices", Order: "-capacity_gpu_hours", Limit: 60,
			None: "Every hour is billed.", Columns: []figures.Column{
				{Name: "instance_type", Text: "Type"}, {Name: "region", Text: "Region", Class: "wide-only nowrap"},
				{Name: "price_class", Text: "Class", Class: "wide-only"},
				{Name: "price_source", Text: "Price from"}, {Name: "price", Text: "Price", Class: "xl-only"},
				{Name: "capacity_gpu_hours", Text: "GPU-h"}, {Name: "cost_per_gpu_hour", Text: "Per GPU-h", Class: "xl-only"},
				{Name: "effective_cost", Text: "Cost"}, {Name: "last_hour", Text: "Until", Class: "xl-only nowrap"}}},
		{Title: "Earlier estimates",
			Note:    "cost before the first bill against the newest bill; error above 0: the estimate was too high",
			Dataset: "provisional_accuracy", By: "provider", Order: "provider", Limit: 60,
			None: "No bill has replaced an estimate yet.", Columns: []figures.Column{
				{Name: "provider", Text: "Provider"}, {Name: "provisional", Text: "Estimate"},
				{Name: "final", Text: "Bill"}, {Name: "error", Text: "Error"}, {Name: "share", Text: "Of the bill"}}},
		{Title: "Labels that limit nothing",
			Note:    "cost-budget-limit and max-cost-per-run that are no amount, have no owner, or that a budget replaces",
			Dataset: "limit_labels", Order: "label", Limit: 60, None: "Every label that limits cost is in force.",
			Filter: "standing = 'no amount' or standing = 'no owner' or standing = newest and (replaced_by is not null or " +
				"currency is null)",
			Columns: []figures.Column{
				{Name: "label", Text: "Label"}, {Name: "text", Text: "Says"}, {Name: "standing", Text: "Standing"},
				{Name: "value", Text: "Experiment or project"}, {Name: "replaced_by", Text: "Replaced by"},
				{Name: "cluster", Text: "Cluster", Class: "wide-only"},
				{Name: "workload", Text: "First workload", Class: "wide-only"}, {Name: "workloads", Text: "Workloads"}}},
		{Title: "Freshness", Note: "how far each source lags behind the newest", Dataset: "freshness",
			Order: "-behind_seconds", Limit: 60, None: "No data yet.", Columns: []figures.Column{
				{Name: "source", Text: "Source"}, {Name: "kind", Text: "Data"},
				{Name: "scope", Text: "Scope", Class: "wide-only"},
				{Name: "newest_at", Text: "Newest"}, {Name: "behind_seconds", Text: "Behind"}}},
	},
}
