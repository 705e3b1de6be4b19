package star

// Posted is what was posted of the lines of bills: what reconciliation lays beside
// the control totals of their deliveries.
var Posted = Fact{
	Name: "posted",
	Doc:  "Cost that was posted of the lines of a bill.",
	Rows: "report.posted_lines",
	Keys: keys(always(own("lineage", ID,
		"Bill that the line is of, whichever delivery brought it last (`deliveries.lineage`).")),
		texts("account", "billing_period"), currency),
	Measures: measures([]Measure{{Name: "state", Type: Text, Merge: Most,
		Doc: "The least settled: final, open, provisional.", Always: true}},
		money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		sums("lines", map[string]string{"lines": "Lines of charges whose first part it is: each line once, however many " +
			"hours it covers."}, "lines")),
	Rollups: []Rollup{
		{
			Name: "posted", Doc: "An account of a bill.",
			Keys: []string{"lineage", "account", "billing_period", "currency"}, Steps: []Step{Days, Months},
		},
	},
	Closed:   "a bill is of all its owners, and its total tells what the others paid",
	Anywhere: "a bill names accounts",
	Reads:    []string{"reconciliation"},
}
