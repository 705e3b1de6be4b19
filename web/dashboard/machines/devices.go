package machines

import (
	"net/url"

	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// devicesPage shows the cost of an active GPU-hour, card by card.
var devicesPage = figures.Page{
	Path: "/devices", Title: "Devices", Group: page.RailFleet, Dataset: "devices",
	By: "gpu_model", Order: "-effective_cost",
	Groupings: []figures.Grouping{
		{Text: "GPU models", Keys: "gpu_model"},
		{Text: "Devices", Keys: figures.RowsThemselves},
		{Text: "Business units", Keys: "business_unit"},
		{Text: "Teams", Keys: "team"},
		{Text: "Clusters", Keys: "cluster"},
		{Text: "Nodes", Keys: "node"},
		{Text: "Instance types", Keys: "instance_type"},
		{Text: "Workload classes", Keys: "workload_class"},
		{Text: "Price classes", Keys: "pricing"},
	},
	Facts: []figures.Column{
		{Name: "price_per_active_gpu_hour", Text: "Device cost per active GPU-hour"},
		{Name: "price_per_held_gpu_hour", Text: "Per GPU-hour held"},
		{Name: "effective_cost", Text: "Cost of devices"}, {Name: "held_share", Text: "Held"},
		{Name: "held_utilisation", Text: "Utilisation of held GPUs"}, {Name: "utilisation", Text: "Utilisation of all GPUs"},
		{Name: "memory_p95", Text: "Memory used, p95"}, {Name: "tensor_avg", Text: "Tensor, mean"},
		{Name: "free_cost", Text: "Free"}, {Name: "stranded_cost", Text: "Stranded"},
		{Name: "telemetry_coverage", Text: "Observed"}, {Name: "energy_kwh", Text: "Energy, kWh"},
	},
	Course: &figures.Course{
		Title: "Active share of held GPU-hours", Note: "per day", Column: "held_utilisation", Per: "gpu_model",
	},
	Columns: []figures.Column{
		{Name: "device", Text: "Device"}, {Name: "gpu_model", Text: "Model", Class: "wide-only"},
		{Name: "devices", Text: "Devices", Class: "wide-only"}, {Name: "capacity_gpu_hours", Text: "GPU-h", Class: "xl-only"},
		{Name: "held_share", Text: "Held", Class: "wide-only"}, {Name: "held_utilisation", Text: "Active"},
		{Name: "activity_p95", Text: "Activity p95", Class: "max-only"},
		{Name: "tensor_avg", Text: "Tensor", Class: "max-only"},
		{Name: "memory_p95", Text: "Memory p95", Class: "wide-only"},
		{Name: "throttled_hours", Text: "Throttled h", Class: "max-only"}, {Name: "xids", Text: "XID", Class: "max-only"},
		{Name: "price_per_active_gpu_hour", Text: "Per active GPU-h"}, {Name: "effective_cost", Text: "Cost"},
	},
	Row: func(p *page.Context, r page.Record) string {
		return p.Scope.Carried("/fleet/devices/" + url.PathEscape(r.Text("device")))
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Cost and activity of GPUs.", ""
		}
		c := p.Printed(w.Text("currency"))
		active, held := w.Amount("price_per_active_gpu_hour"), w.Amount("price_per_held_gpu_hour")
		if active == nil || held == nil {
			return "The cost of an active GPU-hour is not known yet.",
				"No bill or rate covers these hours, or their activity was not observed."
		}
		sentence := "An active GPU-hour costs " + c.UnitPrice(active.Rat()) + "."
		sub := "A held GPU-hour costs " + c.UnitPrice(held.Rat()) + ", idle and free time included"
		if u := w.Amount("held_utilisation"); u != nil {
			sub += "; " + format.WholePercent(u.Rat(), page.One) + " of held time was active"
		}
		return sentence, sub + "."
	},
	Ties: []figures.Tie{{}, {Column: "cost_per_active_gpu_hour"}},
	Tied: func(p *page.Context, f *figures.Reading) []string {
		w, ok := f.Largest(p)
		spend, known := f.Tie(0)
		rate, priced := f.Tie(1)
		if !ok || !known || !priced {
			return nil
		}
		cost := w.Known("effective_cost")
		text := "On the overview an active GPU-hour costs " + p.Currency.UnitPrice(rate.Rat()) +
			", from its whole spend of " +
			p.Currency.Money(spend) + ". This page divides the cost of devices, " + p.Currency.Money(cost)
		if cost.Cmp(spend) < 0 {
			text += ", without shared costs, unused commitments and unseen machines"
		}
		return []string{text + "."}
	},
	None: "Devices appear when telemetry or workloads are imported and allocated.",
	Notes: []string{
		"Figures cover whole UTC days.", "Percentiles come from merged counts, never from averages of averages.",
		"n/a: no sample of the signal.",
	},
	More: []figures.Panel{
		{Title: "Business units", Note: "business unit of the holder", Dataset: "devices", By: "business_unit",
			Order: "-effective_cost", None: "No owner names a business unit.", Columns: []figures.Column{
				{Name: "capacity_gpu_hours", Text: "GPU-h", Class: "wide-only"}, {Name: "held_utilisation", Text: "Active"},
				{Name: "memory_p95", Text: "Memory p95", Class: "wide-only"},
				{Name: "price_per_active_gpu_hour", Text: "Per active GPU-h"}, {Name: "effective_cost", Text: "Cost"}}},
	},
}
