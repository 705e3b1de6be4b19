package work

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// trainingPage shows the cost of a completed run, and the cost of failed ones.
var trainingPage = figures.Page{
	Path: "/training", Title: "Training", Group: page.RailWork, Dataset: "runs",
	By: "team", Order: "-effective_cost",
	Groupings: []figures.Grouping{
		{Text: "Teams", Keys: "team"},
		{Text: "Models", Keys: "model"},
		{Text: "Kinds", Keys: "kind"},
		{Text: "Projects", Keys: "project"},
		{Text: "Stages", Keys: "stage"},
		{Text: "Experiments", Keys: "experiment"},
		{Text: "GPU models", Keys: "gpu_model"},
		{Text: "Clusters", Keys: "cluster"},
	},
	Facts: []figures.Column{
		{Name: "effective_cost", Text: "Cost of runs"}, {Name: "cost_per_completed_run", Text: "Per completed run"},
		{Name: "cost_per_completed_run_all_in", Text: "Including failures"},
		{Name: "cost_per_active_gpu_hour", Text: "Run cost per active GPU-hour"},
		{Name: "useful_cost_share", Text: "Useful share"}, {Name: "restart_overhead_cost", Text: "Restarts"},
		{Name: "gang_wait_cost", Text: "Gang wait"},
		{Name: "net_spot_savings", Text: "Net spot savings"},
	},
	Columns: []figures.Column{
		{Name: "runs", Text: "Runs"}, {Name: "completed_runs", Text: "Completed", Class: "wide-only"},
		{Name: "failed_runs", Text: "Failed", Class: "wide-only"},
		{Name: "cancelled_runs", Text: "Cancelled", Class: "full-only"},
		{Name: "unknown_runs", Text: "Unknown", Class: "full-only"}, {Name: "open_runs", Text: "Open", Class: "xl-only"},
		{Name: "gpu_hours", Text: "GPU-h", Class: "wide-only"}, {Name: "cost_per_completed_run", Text: "Per completed"},
		{Name: "cost_per_completed_run_all_in", Text: "Incl. failures", Class: "xl-only"},
		{Name: "cost_per_active_gpu_hour", Text: "Per active GPU-h", Class: "wide-only"},
		{Name: "lost_cost", Text: "Lost", Class: "xl-only", Least: "lost_cost_min"},
		{Name: "restart_overhead_cost", Text: "Restarts", Class: "huge-only"},
		{Name: "gang_wait_cost", Text: "Gang wait", Class: "huge-only"},
		{Name: "net_spot_savings", Text: "Spot saved, net", Class: "huge-only"}, {Name: "effective_cost", Text: "Cost"},
	},
	Causes: runCauses,
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Cost of training runs.", ""
		}
		c := p.Printed(w.Text("currency"))
		cost, each := w.Amount("effective_cost"), w.Amount("cost_per_completed_run")
		switch {
		case cost == nil || each == nil && w.Count("completed_runs") > 0:
			return figures.Unpriced("runs")
		case each == nil:
			return "No run has completed; cost so far is " + c.Money(*cost) + ".",
				"Failed and cancelled runs took " + c.Money(w.Known("failed_cost")) + " of it" + unknownEnds(c, w) + "."
		}
		sentence := "A completed run costs " + c.Money(*each) + " on average."
		sub := format.Plural(int(w.Count("completed_runs")), "run", "runs") +
			" completed. Failed and cancelled runs cost another " + c.Money(w.Known("failed_cost"))
		including := "failures"
		if unknown := w.Known("unknown_end_cost"); unknown.Sign() > 0 {
			sub += ", runs with an unknown end " + c.Money(unknown)
			including += " and unknown ends"
		}
		sub += "."
		if all := w.Amount("cost_per_completed_run_all_in"); all != nil && all.Cmp(*each) > 0 {
			sub += " Including " + including + ": " + c.Money(*all) + " per completed run."
		}
		return sentence, sub
	},
	Ties: []figures.Tie{{}, {Column: "cost_per_active_gpu_hour"}, {Dataset: "spot", Column: "net_savings"}},
	Tied: func(p *page.Context, f *figures.Reading) (ties []string) {
		w, ok := f.Largest(p)
		if !ok {
			return nil
		}
		spend, known := f.Tie(0)
		if rate, priced := f.Tie(1); known && priced {
			ties = append(ties, "On the overview an active GPU-hour costs "+p.Currency.UnitPrice(rate.Rat())+
				", from its whole spend of "+p.Currency.Money(spend)+". This page divides the cost of runs, "+p.Currency.Money(w.Known("effective_cost"))+", over their whole lives.")
		}
		if saved, known := f.Tie(2); known {
			ties = append(ties, "Spot saved "+p.Currency.Money(saved)+" net in this period on all spot machines (see Spot); "+
				"this page counts runs only.")
		}
		return ties
	},
	None: "Runs appear when workloads and telemetry are imported and allocated.",
	Notes: []string{
		"Runs that overlap the period count over their whole life.",
		"n/a: no run completed, or no spot hour has a known on-demand price.",
	},
}

// unknownEnds names the cost of runs with an unknown end, if there is any.
func unknownEnds(c format.Currency, w page.Record) string {
	if unknown := w.Known("unknown_end_cost"); unknown.Sign() > 0 {
		return ", runs with an unknown end " + c.Money(unknown)
	}
	return ""
}

// runCauses splits the cost of runs by cause.
func runCauses(r page.Record) map[ledger.Cause]money.Amount {
	out := map[ledger.Cause]money.Amount{}
	for _, c := range runCauseColumns {
		out[c.cause] = r.Known(c.column)
	}
	return out
}
