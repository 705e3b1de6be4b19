package work

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// experimentsPage shows the cost of experiments, per successful one with failed ones
// included.
var experimentsPage = figures.Page{
	Path: "/experiments", Title: "Experiments", Group: page.RailWork, Dataset: "experiments",
	Order: "-effective_cost",
	Facts: []figures.Column{
		{Name: "cost_per_successful_experiment", Text: "Per successful experiment"},
		{Name: "cost_per_experiment", Text: "Per experiment"},
		{Name: "experiments", Text: "Experiments"}, {Name: "successful_experiments", Text: "Successful"},
		{Name: "effective_cost", Text: "Cost of experiments"},
	},
	Columns: []figures.Column{
		{Name: "experiment", Text: "Experiment"}, {Name: "metric", Text: "Metric", Class: "wide-only"},
		{Name: "value", Text: "Value"}, {Name: "baseline", Text: "Baseline", Class: "xl-only"},
		{Name: "threshold", Text: "Threshold", Class: "wide-only"},
		{Name: "direction", Text: "Better", Class: "max-only"}, {Name: "successful", Text: "Successful"},
		{Name: "result_model_version", Text: "Model version", Class: "max-only"},
		{Name: "result_dataset", Text: "Dataset", Class: "max-only"},
		{Name: "runs", Text: "Runs", Class: "wide-only"},
		{Name: "gpu_hours", Text: "GPU-h", Class: "xl-only"}, {Name: "effective_cost", Text: "Cost"},
	},
	Rows:  "metric is not null",
	Apart: true, // an experiment with two metrics or datasets has two rows
	Row:   figures.Rows("/runs", "experiment"),
	More: []figures.Panel{{
		Title: "Without a result", Note: "their cost is in the totals above", Dataset: "experiments",
		Filter: "metric is null", Order: "-effective_cost", Limit: 40, None: "Every experiment has a result.",
		Row:   figures.Rows("/runs", "experiment"),
		Notes: []string{"Import results with gpuledger import experiments."},
		Columns: []figures.Column{
			{Name: "experiment", Text: "Experiment"}, {Name: "runs", Text: "Runs", Class: "wide-only"},
			{Name: "gpu_hours", Text: "GPU-h", Class: "xl-only"}, {Name: "effective_cost", Text: "Cost"},
		},
	}},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Cost of experiments.", ""
		}
		c := p.Printed(w.Text("currency"))
		done := format.Count(w.Count("successful_experiments")) + " of " +
			format.Plural(int(w.Count("experiments")), "experiment", "experiments") + " succeeded."
		if each := w.Amount("cost_per_successful_experiment"); each != nil {
			return "Each successful experiment costs " + c.Money(*each) + ", failed ones included.", done
		}
		cost := w.Amount("effective_cost")
		if cost == nil {
			return figures.Unpriced("experiments")
		}
		return format.Plural(int(w.Count("experiments")), "experiment", "experiments") + " cost " + c.Money(*cost) + ".",
			"No result is known. Import results with gpuledger import experiments."
	},
	None: "Experiments appear when labels name them or when you run gpuledger import experiments.",
}
