package machines

import (
	"net/url"
	"strings"

	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// slicesPage shows how MIG cards were cut over time, the cost of each slice, and layouts
// that would hold the same work on fewer cards.
var slicesPage = figures.Page{
	Path: "/slices", Title: "Slices", Group: page.RailFleet, Dataset: "slices",
	By: "profile", Order: "-effective_cost",
	Groupings: []figures.Grouping{
		{Text: "Profiles", Keys: "profile"},
		{Text: "Slices", Keys: figures.RowsThemselves},
		{Text: "GPU models", Keys: "gpu_model"},
		{Text: "Teams", Keys: "team"},
		{Text: "Clusters", Keys: "cluster"},
		{Text: "Nodes", Keys: "node"},
	},
	Facts: []figures.Column{
		{Name: "effective_cost", Text: "Cost of cards in MIG mode"}, {Name: "stranded_cost", Text: "Stranded"},
		{Name: "free_cost", Text: "Free on MIG cards"}, {Name: "held_idle_cost", Text: "Held idle on MIG cards"},
		{Name: "fragmentation_index", Text: "Fragmentation"},
		{Name: "dead_compute", Text: "Dead compute"}, {Name: "dead_memory", Text: "Dead memory"},
	},
	Columns: []figures.Column{
		{Name: "device_uuid", Text: "Card"}, {Name: "profile", Text: "Profile"},
		{Name: "slice_id", Text: "Slice", Class: "wide-only"}, {Name: "valid_from", Text: "From", Class: "wide-only nowrap"},
		{Name: "valid_to", Text: "Until", Class: "xl-only nowrap"},
		{Name: "weight", Text: "Of the card", Class: "wide-only"},
		{Name: "held_hours", Text: "Held", Class: "wide-only"},
		{Name: "fragmentation_index", Text: "Fragmentation", Class: "max-only", Unless: "profile"},
		{Name: "dead_compute", Text: "Dead compute", Class: "max-only", Unless: "profile"},
		{Name: "dead_memory", Text: "Dead memory", Class: "max-only", Unless: "profile"},
		{Name: "stranded_cost", Text: "Stranded"}, {Name: "effective_cost", Text: "Cost"},
	},
	Row: func(p *page.Context, r page.Record) string {
		return p.Scope.Carried("/fleet/devices/" + url.PathEscape(r.Text("device_uuid")))
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Cost of GPUs in MIG mode.", ""
		}
		c := p.Printed(w.Text("currency"))
		sentence, sub := figures.Unpriced("slices")
		if cost := w.Amount("effective_cost"); cost != nil {
			sentence, sub = "GPUs in MIG mode cost "+c.Money(*cost)+".", "No capacity was stranded."
		}
		if stranded := w.Known("stranded_cost"); stranded.Sign() > 0 {
			sub = c.Money(stranded) + " of it was stranded."
		}
		if dead := deadWords(w); dead != "" {
			sub += " No profile fits " + dead + "."
		}
		if index := w.Amount("fragmentation_index"); index != nil {
			sub += " Fragmentation was " + format.WholePercent(index.Rat(), page.One) + ", weighted by time."
		}
		return sentence, sub
	},
	First: "Slices appear when telemetry shows MIG instances.",
	None:  "No card was cut into MIG instances.",
	Notes: []string{
		"The rows of a card add up to its cost, with free, stranded and idle time.",
		"Fragmentation and dead capacity are figures of cards, so n/a for slices.",
		"Dead: compute and memory slices that no MIG profile fits. Stranded: the cost of capacity that no MIG " +
			"profile can use.",
	},
	More: []figures.Panel{
		{Title: "Packing", Note: "cards with instances against the fewest needed", Dataset: "packing",
			Order: "-cards,cluster",
			Notes: []string{
				"FGD: the share of free capacity that the mix of workloads could not use.",
			}, None: "No card had instances.", Columns: []figures.Column{
				{Name: "cluster", Text: "Cluster"}, {Name: "gpu_model", Text: "Model"}, {Name: "cards", Text: "Cards"},
				{Name: "fewest_cards", Text: "Fewest"}, {Name: "exact", Text: "Exact", Class: "xl-only"},
				{Name: "fragmentation_index", Text: "Fragmentation", Class: "wide-only"},
				{Name: "fgd_rate", Text: "FGD", Class: "xl-only"}, {Name: "packing_efficiency", Text: "Packing"}},
			Leave: figures.Leave{
				Column: "cards", One: "GPU model whose cards have no instances", Many: "GPU models whose cards have no instances",
			}},
		{Title: "Better layouts", Note: "layouts that hold the peak of 28 days on fewer cards",
			Dataset: "better_layouts", Order: "cluster,gpu_model,card", Limit: 40,
			None: "No other layout would free a card.", Columns: []figures.Column{
				{Name: "device_uuid", Text: "Card"}, {Name: "day", Text: "As of", Class: "xl-only nowrap"},
				{Name: "cluster", Text: "Cluster", Class: "xl-only"}, {Name: "node", Text: "Node", Class: "xl-only"},
				{Name: "action", Text: "Action", Class: "wide-only"},
				{Name: "current_profiles", Text: "Now"}, {Name: "proposed_profiles", Text: "Better"}}},
		{Title: "Layouts", Note: "how each card was cut over time", Dataset: "layouts", Layouts: true, Order: "-valid_from",
			Limit: 40, None: "No card was cut.", Columns: []figures.Column{
				{Name: "device_uuid", Text: "Card"}, {Name: "valid_from", Text: "From"},
				{Name: "valid_to", Text: "Until", Class: "wide-only"}, {Name: "profiles", Text: "Instances"},
				{Name: "packing_efficiency", Text: "Packing", Class: "wide-only"},
				{Name: "fragmentation_index", Text: "Fragmentation", Class: "wide-only"},
				{Name: "stranded_share", Text: "Stranded share", Class: "xl-only"}, {Name: "stranded_cost", Text: "Stranded"}}},
	},
}

// deadWords names the shares that no profile fits, as in the table and the drawing of
// layouts.
func deadWords(w page.Record) string {
	var words []string
	for _, of := range []struct{ column, what string }{
		{"dead_compute", "compute slices"}, {"dead_memory", "memory slices"},
	} {
		if share := w.Amount(of.column); share != nil && share.Sign() > 0 {
			words = append(words, format.Percent(share.Rat(), page.One)+" of "+of.what)
		}
	}
	return strings.Join(words, " and ")
}
