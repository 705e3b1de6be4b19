package metrics

import "strings"

// NamedTarget is a target of the whole fleet, or of each model.
type NamedTarget struct {
	Name, Label string
	Doc         string
	Target
}

// UtilisationTarget and IdleTarget apply wherever such a figure is shown.
var (
	UtilisationTarget = Target{AtLeast: "0.6", AtMost: "0.85", ActBelow: "0.4"}
	IdleTarget        = Target{AtMost: "0.1", ActAbove: "0.2"}
)

// Targets lists the targets that are judged day by day (docs/figures.md 23.2).
var Targets = []NamedTarget{
	{
		"utilisation", "GPU utilisation",
		"Useful GPU-hours over the GPU-hours held whose activity is known.", UtilisationTarget,
	},
	{
		"idle_share", "Idle share",
		"GPU-hours held idle, free, stranded and unavailable over all capacity that was held or observed.", IdleTarget,
	},
	{
		"spot_adoption", "Spot for training", "GPU-hours on spot machines over all that training and fine-tuning held.",
		Target{AtLeast: "0.5", ActBelow: "0.3"},
	},
	{"unit_cost", "Cost per unit",
		"Effective cost of a million tokens of a model, or of a thousand requests if tokens are not counted; judged by its " +
			"change against the four weeks before.",
		Target{AtMost: "0.2", ActAbove: "0.2", Note: "against the four weeks before"}},
}

var targets = Dataset{
	Name: "targets",
	Lead: []string{"day", "target", "subject", "value", "unit", "change", "status", "goal", "currency"},
	Doc:  "The fleet against its targets: one UTC day, target and subject; cost per unit by model and currency.",
	Columns: sourced("star.target_days: usage, runs, nodes, serving_hours", []Column{
		attr("day", Time, "UTC day."),
		attr("target", Text, "Figure that is judged. "+targetDocs()).values(names(Targets,
			func(t NamedTarget) string { return t.Name })...),
		attr("subject", Text, "Model; NULL: the whole fleet."),
		attr("unit", Text, "Unit of unit_cost."),
		{
			Name: "value", Kind: Ratio, Unit: "share, or currency per unit",
			Doc: "The day's figure: numerator over denominator.", Formula: Field("value"),
		},
		{
			Name: "numerator", Kind: Quantity, Unit: "GPU-hours, or currency",
			Doc: "Numerator of the value.", Formula: Field("numerator"),
		},
		{
			Name: "denominator", Kind: Quantity, Unit: "GPU-hours, or units",
			Doc: "Denominator of the value.", Formula: Field("denominator"),
		},
		{
			Name: "before", Kind: Ratio, Unit: "share, or currency per unit",
			Doc:     "The same figure over the four weeks before, from their sums; NULL if unknown.",
			Formula: Field("before"),
		},
		{Name: "change", Kind: Ratio, Doc: "Value over before, less one.", Formula: Field("change")},
		attr("status", Text, "good, watch, act or unknown, by the bounds of the target.").values(string(StatusGood),
			string(StatusWatch), string(StatusAct), string(StatusUnknown)),
		attr("since", Time, "First of the consecutive days with this status."),
		attr("goal", Text, "The target in words.").by(Field("goal")),
		attr("currency", Text, "Currency of unit_cost; NULL for shares."),
	}...),
	Windowed: true,
	RowKey:   []string{"day", "target", "subject", "unit", "currency"},
	Order:    []Order{{Column: "target"}, {Column: "subject"}, {Column: "day"}},
}

func targetDocs() string {
	texts := make([]string, len(Targets))
	for i, t := range Targets {
		texts[i] = t.Name + ": " + t.Doc
	}
	return strings.Join(texts, " ")
}
