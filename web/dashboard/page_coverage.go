package dashboard

import "gpuledger/web/views/format"

// coveragePage says how much of the spend has an owner, and how sure it is.
var coveragePage = figuresPage{
	Path: "/coverage", Title: "Coverage", Group: railBooks, Dataset: "owner_coverage",
	Of: "Owner keys", Order: "-owned_share", Apart: true,
	Columns: []column{
		{Name: "key", Text: "Owner key"}, {Name: "owned_share", Text: "Owned"}, {Name: "owned_cost", Text: "With an owner", Class: "wide-only", Why: whyOwned(true)}, {Name: "unowned_cost", Text: "Without", Why: whyOwned(false)},
		{Name: "measured_share", Text: "Measured", Class: "wide-only"}, {Name: "estimated_cost", Text: "Estimated", Class: "xl-only", Why: whyAlways("quality = estimated")}, {Name: "assumed_cost", Text: "Assumed", Class: "xl-only", Why: whyAlways("quality = assumed")}, {Name: "effective_cost", Text: "Spend", Why: whyAlways()},
	},
	Reads: []string{"owned_share", "unowned_cost"},
	Say: func(p *pageContext, f *figuresReading) (string, string) {
		for _, r := range f.rows {
			share, unowned := r.amount("owned_share"), r.amount("unowned_cost")
			if r.text("key") == "team" && share != nil && unowned != nil {
				c := p.printed(r.text("currency"))
				return format.WholePercent(share.Rat(), one) + " of the spend has a team.", c.Money(*unowned) + " has none; each key below is of the same spend."
			}
		}
		return "How much of the spend has an owner.", ""
	},
	None:  "Coverage appears when a bill is in.",
	Notes: []string{"Each key is of the same spend: keys are not added up"},
	More: []figuresPanel{
		{Title: "Telemetry", Note: "capacity that was billed, seen and known, by day", Dataset: "coverage", Step: "day", Order: "-period_start", Limit: 30, None: "No capacity is known.", Columns: []column{
			{Name: "period_start", Text: "Day", Class: "nowrap"}, {Name: "cluster", Text: "Cluster"}, {Name: "instance_type", Text: "Type", Class: "wide-only"}, {Name: "nodes", Text: "Nodes", Class: "wide-only"}, {Name: "nodes_without_telemetry", Text: "Unseen"},
			{Name: "unbilled_gpu_hours", Text: "Unbilled", Class: "xl-only"}, {Name: "measured_gpu_hours", Text: "Measured", Class: "xl-only"}, {Name: "capacity_gpu_hours", Text: "GPU-h"}, {Name: "known_gpu_hours", Text: "Known"}}},
		{Title: "Prices without a bill", Note: "at which prices hours stand that no bill has; a bill or a price book replaces them", Dataset: "provisional_prices", Order: "-capacity_gpu_hours", Limit: 60,
			None: "A bill has every hour.", Columns: []column{
				{Name: "instance_type", Text: "Type"}, {Name: "region", Text: "Region", Class: "wide-only nowrap"}, {Name: "price_class", Text: "Class", Class: "wide-only"}, {Name: "price_source", Text: "Price of"}, {Name: "price", Text: "Which", Class: "xl-only"},
				{Name: "capacity_gpu_hours", Text: "GPU-h"}, {Name: "cost_per_gpu_hour", Text: "Per GPU-h", Class: "xl-only"}, {Name: "effective_cost", Text: "Cost"}, {Name: "last_hour", Text: "Until", Class: "xl-only nowrap"}}},
		{Title: "Freshness", Note: "how far each source is behind the newest", Dataset: "freshness", Order: "-behind_seconds", Limit: 60, None: "Nothing is stored.", Columns: []column{
			{Name: "source", Text: "Source"}, {Name: "kind", Text: "What it says"}, {Name: "scope", Text: "Of", Class: "wide-only"}, {Name: "newest_at", Text: "Newest"}, {Name: "behind_seconds", Text: "Behind"}}},
	},
}
