package costs

import (
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// spotPage shows spot savings net of work lost to interruptions, and how often those
// happen.
var spotPage = figures.Page{
	Path: "/spot", Title: "Spot", Group: page.RailMoney, Dataset: "spot",
	Of: "Instance types", Rows: "group_key = instance_type", Order: "-effective_cost",
	Facts: []figures.Column{
		{Name: "net_savings", Text: "Net savings", Why: figures.WhyAlways(), Saved: true},
		{Name: "gross_savings", Text: "Gross savings", Why: figures.WhyAlways(), Saved: true},
		{Name: "lost_cost", Text: "Lost to interruptions", Why: figures.WhyAlways(), Saved: true},
		{Name: "net_savings_share", Text: "Saved vs on-demand price"}, {Name: "effective_cost", Text: "Spot spend"},
		{Name: "interruptions", Text: "Interruptions"}, {Name: "interruption_rate", Text: "Interruptions per hour"},
		{Name: "recovery_mean_seconds", Text: "Mean recovery"}, {Name: "success_rate", Text: "Runs completed, spot"},
		{Name: "on_demand_success_rate", Text: "Runs completed, on demand"},
		{Name: "dead_attempts_share", Text: "Share in unfinished attempts"},
	},
	Columns: []figures.Column{
		{Name: "group_value", Text: "Instance type"}, {Name: "attempts", Text: "Attempts", Class: "wide-only"},
		{Name: "interruptions", Text: "Interruptions"},
		{Name: "interruption_rate", Text: "Per hour", Class: "wide-only"},
		{Name: "recovery_mean_seconds", Text: "Recovery", Class: "wide-only"},
		{Name: "success_rate", Text: "Completed", Class: "xl-only"},
		{Name: "checkpoint_interval_seconds", Text: "Checkpoint every", Class: "xl-only"},
		{Name: "pilot_gate", Text: "Pilot gates", Class: "wide-only"},
		{Name: "gross_savings", Text: "Gross", Class: "max-only"},
		{Name: "lost_cost", Text: "Lost", Class: "xl-only"},
		{Name: "net_savings", Text: "Net savings", Why: figures.WhyOf("instance_type", "group_value"), Saved: true},
		{Name: "effective_cost", Text: "Cost", Why: figures.WhyOf("instance_type", "group_value", "pricing = spot")},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Savings from spot machines.", ""
		}
		c := p.Printed(w.Text("currency"))
		sentence := "Spot savings are not known."
		sub := "No spot hour has both a cost and an on-demand price from a bill, the price book or the catalogue."
		if net := w.Amount("net_savings"); net != nil {
			sentence = "Spot saved " + c.Money(*net) + ", net of work lost to interruptions."
			if net.Sign() < 0 {
				sentence = "Spot cost " + c.Money(net.Neg()) + " more than it saved."
			}
			sub = c.Money(w.Known("gross_savings")) + " gross, less " + c.Money(w.Known("lost_cost")) +
				" of lost work and restarts." + spotKnown(c, w)
		}
		return sentence, sub + " " + format.Plural(int(w.Count("interruptions")), "machine was", "machines were") +
			" interrupted."
	},
	None: "Spot machines appear when bills or nodes mark them as spot.",
	Notes: []string{"Per hour: interruptions per instance-hour.", "Pilot gates: " + metrics.PilotGates + ".",
		"Checkpoint every: the interval after Daly (2006) from the measured duration of checkpoints (60 s if it is " +
			"unknown). For a gang on n machines, divide by √n."},
	More: []figures.Panel{
		{Title: "By zone", Note: "an attempt counts in each zone that it ran in", Dataset: "spot", Filter: "group_key = zone", Order: "-interruption_rate",
			None: "No zone is known.", Columns: spotShort("Zone")},
		{Title: "By hour of the day", Note: "UTC; attempts by their start, interruptions by when they happened", Dataset: "spot", Filter: "group_key = hour",
			Order: "group_value", Limit: 24, None: "No machine was interrupted.", Columns: spotShort("Hour"),
			Leave: figures.Leave{
				Column: "interruptions", One: "hour without an interruption", Many: "hours without an interruption",
			}},
		{Title: "Interrupted machines", Dataset: "interruptions", Order: "-at", None: "No machine was interrupted.",
			Columns: []figures.Column{
				{Name: "at", Text: "When", Class: "nowrap"}, {Name: "node", Text: "Machine"},
				{Name: "instance_type", Text: "Type", Class: "wide-only"}, {Name: "zone", Text: "Zone", Class: "xl-only"},
				{Name: "run_id", Text: "Run", Class: "wide-only"},
				{Name: "recovery_seconds", Text: "Recovery"}, {Name: "lost_cost", Text: "Lost"}}},
	},
}

// spotKnown names the share of hours with known savings, if that is not all.
func spotKnown(c format.Currency, w page.Record) string {
	share, unknown := w.Amount("known_share"), w.Amount("unknown_cost")
	if share == nil || share.Cmp(page.Whole) >= 0 {
		return ""
	}
	text := " Known for " + format.Share(*share, page.Whole) + " of hours"
	if unknown != nil {
		text += "; the others cost " + c.Money(*unknown)
	}
	return text + "."
}

func spotShort(name string) []figures.Column {
	return []figures.Column{{Name: "group_value", Text: name}, {Name: "attempts", Text: "Attempts", Class: "wide-only"},
		{Name: "interruptions", Text: "Interruptions"},
		{Name: "spot_instance_hours", Text: "Instance-hours", Class: "wide-only"},
		{Name: "interruption_rate", Text: "Per hour"}, {Name: "recovery_mean_seconds", Text: "Recovery", Class: "wide-only"},
		{Name: "lost_cost", Text: "Lost"}}
}
