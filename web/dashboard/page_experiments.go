package dashboard

import "gpuledger/web/views/format"

// experimentsPage is what an experiment that succeeded cost, with those that
// did not.
var experimentsPage = figuresPage{
	Path: "/experiments", Title: "Experiments", Group: railWork, Dataset: "experiments",
	Order: "-effective_cost",
	Facts: []column{
		{Name: "cost_per_successful_experiment", Text: "Per successful experiment"}, {Name: "cost_per_experiment", Text: "Per experiment"}, {Name: "experiments", Text: "Experiments"}, {Name: "successful_experiments", Text: "Successful"},
		{Name: "effective_cost", Text: "Cost of experiments"},
	},
	Columns: []column{
		{Name: "experiment", Text: "Experiment"}, {Name: "metric", Text: "Metric", Class: "wide-only"}, {Name: "value", Text: "Value"}, {Name: "baseline", Text: "Baseline", Class: "xl-only"}, {Name: "threshold", Text: "Threshold", Class: "wide-only"},
		{Name: "direction", Text: "Better", Class: "max-only"}, {Name: "successful", Text: "Successful"}, {Name: "runs", Text: "Runs", Class: "wide-only"}, {Name: "gpu_hours", Text: "GPU-h", Class: "xl-only"}, {Name: "effective_cost", Text: "Cost"},
	},
	Reads: []string{"successful_experiments", "experiments", "cost_per_successful_experiment", "effective_cost"},
	Say: func(p *pageContext, f *figuresReading) (string, string) {
		w, ok := f.largest(p)
		if !ok {
			return "What experiments cost.", ""
		}
		c := p.printed(w.text("currency"))
		done := format.Plural(int(w.count("successful_experiments")), "experiment", "experiments") + " of " + format.Count(w.count("experiments")) + " succeeded."
		if each := w.amount("cost_per_successful_experiment"); each != nil {
			return "A successful experiment costs " + c.Money(*each) + ", those that came to nothing included.", done
		}
		cost := w.amount("effective_cost")
		if cost == nil {
			return unpriced("experiments")
		}
		return format.Plural(int(w.count("experiments")), "experiment", "experiments") + " cost " + c.Money(*cost) + ".",
			"None of them is known to have succeeded: import their results with gpuledger import experiments."
	},
	None: "Experiments appear when labels name them, or with gpuledger import experiments.",
}
