package work

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// modelsPage shows the cost of models over their life: training, tuning, serving.
var modelsPage = figures.Page{
	Path: "/models", Title: "Models", Group: page.RailWork, Dataset: "models",
	Order: "-effective_cost",
	Facts: []figures.Column{
		{Name: "effective_cost", Text: "Cost of all models"}, {Name: "training_cost", Text: "Training"},
		{Name: "fine_tuning_cost", Text: "Fine-tuning"}, {Name: "evaluation_cost", Text: "Evaluation"},
		{Name: "serving_cost", Text: "Serving"}, {Name: "other_cost", Text: "Other"},
		{Name: "requests", Text: "Requests"}, {Name: "life_cost_per_1k_requests", Text: "Whole life per 1k requests"},
	},
	Columns: []figures.Column{
		{Name: "model", Text: "Model"}, {Name: "runs", Text: "Runs", Class: "xl-only"},
		{Name: "gpu_hours", Text: "GPU-h"}, {Name: "training_cost", Text: "Training", Class: "wide-only"},
		{Name: "fine_tuning_cost", Text: "Fine-tuning", Class: "xl-only"},
		{Name: "evaluation_cost", Text: "Evaluation", Class: "max-only"},
		{Name: "serving_cost", Text: "Serving", Class: "wide-only"}, {Name: "other_cost", Text: "Other", Class: "max-only"},
		{Name: "requests", Text: "Requests", Class: "xl-only"},
		{Name: "serving_cost_per_1k_requests", Text: "Serving per 1k", Class: "max-only"},
		{Name: "life_cost_per_1k_requests", Text: "Whole life per 1k", Class: "wide-only"},
		{Name: "effective_cost", Text: "Cost", Why: figures.WhyOf("model", "model")},
	},
	Row: modelRows,
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok || len(f.Rows) == 0 {
			return "Cost of models over their whole life.", ""
		}
		c, cost, most := p.Printed(w.Text("currency")), w.Amount("effective_cost"), f.Rows[0].Amount("effective_cost")
		if cost == nil || most == nil {
			return figures.Unpriced("models")
		}
		return "Models cost " + c.Money(*cost) + ": " + c.Money(w.Known("training_cost").Add(w.Known("fine_tuning_cost"))) +
				" to train and tune, " + c.Money(w.Known("serving_cost")) + " to serve.",
			f.Rows[0].Text("model") + " cost most, " + c.Money(*most) + ". Cost whose owner names no model is not included."
	},
	Notes: []string{
		"n/a: the model's requests are not counted.",
		"Requests count for the model that answered, whatever the label of the service.",
		"Costs per 1k requests include the cost of services that count no requests; the Inference page leaves these out.",
	},
	None: "Models appear when labels or bills name an owner's model.",
	More: []figures.Panel{
		{Title: "Scaling", Note: "completed runs of one team, model and kind by their number of GPUs", Dataset: "scaling",
			Order: "-gpu_hours", None: "No run was completed.", Columns: []figures.Column{
				{Name: "team", Text: "Team"}, {Name: "model", Text: "Model"}, {Name: "kind", Text: "Kind", Class: "wide-only"},
				{Name: "gpus", Text: "GPUs"}, {Name: "completed_runs", Text: "Runs", Class: "wide-only"},
				{Name: "mean_seconds", Text: "Mean time", Class: "xl-only"},
				{Name: "gpu_hours_per_run", Text: "GPU-h per run", Class: "wide-only"},
				{Name: "cost_per_completed_run", Text: "Per run"}, {Name: "scaling_efficiency", Text: "Efficiency"}}},
		{Title: "Served names", Note: "names that servers use for models; if no rule matches a name, add a line to " +
			"served_models in the policy", Dataset: "served_names", Order: "-joined_by", Limit: 60,
			None: "No server names a model.", Columns: []figures.Column{
				{Name: "served_name", Text: "Served as"}, {Name: "model", Text: "Model"},
				{Name: "model_version", Text: "Version", Class: "wide-only"}, {Name: "joined_by", Text: "Joined by"},
				{Name: "among", Text: "Candidates", Class: "xl-only"},
				{Name: "last_day", Text: "Last day", Class: "wide-only nowrap"}}},
	},
}

// modelRows links a model to its runs, or else to the services that serve it.
func modelRows(p *page.Context, r page.Record) string {
	if r.Count("runs") > 0 {
		return figures.Rows("/runs", "model")(p, r)
	}
	return figures.Rows("/inference", "model")(p, r)
}
