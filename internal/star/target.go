package star

// Target is what targets are judged by: numerators and denominators, so that any span of
// days has its own ratio.
var Target = Fact{
	Name: "target",
	Doc:  "What targets are judged by (docs/figures.md, 23).",
	Rows: "report.target_parts",
	Keys: always(keys(own("target", Text, "The target."), own("subject", Text, "A model. Empty: the whole fleet."),
		own("unit", Text, "Of cost per unit; else empty."), own("currency", Text, "Of cost per unit; else empty."))),
	Measures: sums("", map[string]string{
		"numerator":   "Active, idle or spot GPU-hours, or cost.",
		"denominator": "GPU-hours that they are of, or units.",
	}, "numerator", "denominator"),
	Rollups: []Rollup{
		{
			Name: "target", Doc: "A target's day.", Keys: []string{"target", "subject", "unit", "currency"}, Steps: []Step{Days},
		},
	},
	Closed:   "a target is of the whole fleet",
	Anywhere: "a target is of the whole fleet",
	Reads:    []string{"targets"},
}
