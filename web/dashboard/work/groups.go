package work

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// groupsPage shows the cost of pipelines, sweeps and arrays, with their failed runs.
var groupsPage = figures.Page{
	Path: "/groups", Title: "Pipelines", Of: "Pipelines, sweeps and arrays", Group: page.RailWork, Dataset: "groups",
	Order: "-effective_cost",
	Facts: []figures.Column{
		{Name: "effective_cost", Text: "Cost of groups"}, {Name: "lost_cost", Text: "Lost", Least: "lost_cost_min"},
		{Name: "overhead_cost", Text: "Overhead"}, {Name: "held_idle_cost", Text: "Held idle"},
		{Name: "gpu_hours", Text: "GPU-hours of groups"}, {Name: "energy_kwh", Text: "Energy of groups, kWh"},
	},
	Columns: []figures.Column{
		{Name: "group_id", Text: "Group", Sub: "team"}, {Name: "runs", Text: "Runs"},
		{Name: "succeeded", Text: "Succeeded", Class: "wide-only"}, {Name: "failed", Text: "Failed", Class: "wide-only"},
		{Name: "open", Text: "Open", Class: "xl-only"}, {Name: "attempts", Text: "Attempts", Class: "wide-only"},
		{Name: "preemptions", Text: "Preempted", Class: "xl-only"}, {Name: "started_at", Text: "Started", Class: "xl-only"},
		{Name: "ended_at", Text: "Ended", Class: "max-only"}, {Name: "gpu_hours", Text: "GPU-h", Class: "wide-only"},
		{Name: "lost_cost", Text: "Lost", Class: "xl-only", Least: "lost_cost_min"}, {Name: "effective_cost", Text: "Cost"},
	},
	Causes: runCauses,
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Cost of pipelines, sweeps and arrays.", ""
		}
		cost := w.Amount("effective_cost")
		if cost == nil {
			return figures.Unpriced("groups of runs")
		}
		c := p.Printed(w.Text("currency"))
		return "Pipelines, sweeps and arrays cost " + c.Money(*cost) + ".",
			"At most " + c.Money(w.Known("lost_cost")) + " of it was lost in attempts that did not finish; " +
				format.GPUHours(w.Known("gpu_hours")) + " GPU-hours were held."
	},
	Row: func(p *page.Context, r page.Record) string {
		of := page.Equal("group_id", r.Text("group_id"))
		return p.Scope.Narrowing("/runs", of, "from", "", "to", "")
	},
	None: "Groups appear when workflows, sweeps or job arrays run, or when a label gpuledger.io/group names one.",
	Notes: []string{
		"Groups that overlap the period count over their whole life.",
		"Lost is a range if an attempt wrote no checkpoint.",
	},
}
