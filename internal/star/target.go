package star

// Target is the numerators and denominators of targets, so that any span of days has its own ratio.
var Target = Fact{
	Name: "target",
	Doc:  "Numerators and denominators of targets (docs/figures.md, 23).",
	Rows: "report.target_parts",
	Keys: always(keys(own("target", Text, "The target."), own("subject", Text, "Model. Empty: the whole fleet."),
		own("unit", Text, "Unit of a cost per unit. Empty: other targets."),
		own("currency", Text, "Currency of a cost per unit. Empty: other targets."))),
	Measures: sums("", map[string]string{
		"numerator":   "Active, idle or spot GPU-hours, or cost.",
		"denominator": "GPU-hours that the numerator is a share of, or units.",
	}, "numerator", "denominator"),
	Rollups: []Rollup{
		{
			Name: "target", Doc: "A target's day.", Keys: []string{"target", "subject", "unit", "currency"}, Steps: []Step{Days},
		},
	},
	Closed:   "a target covers the whole fleet",
	Anywhere: "a target covers the whole fleet",
	Reads:    []string{"targets"},
}
