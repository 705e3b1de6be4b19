package star

// Posted is the posted cost of bill lines, which reconciliation compares with the control totals of their deliveries.
var Posted = Fact{
	Name: "posted",
	Doc:  "Posted cost of the lines of a bill.",
	Rows: "report.posted_lines",
	Keys: keys(always(own("lineage", ID,
		"Bill of the line. It stays the same when a later delivery replaces the line (`deliveries.lineage`).")),
		texts("account", "billing_period"), currency),
	Measures: measures([]Measure{{Name: "state", Type: Text, Merge: Most,
		Doc: "Least settled state: final, open or provisional.", Always: true}},
		money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		sums("lines", map[string]string{"lines": "Charge lines whose first part is in the row: each line counts once, " +
			"however many hours it covers."}, "lines")),
	Rollups: []Rollup{
		{
			Name: "posted", Doc: "An account of a bill.",
			Keys: []string{"lineage", "account", "billing_period", "currency"}, Steps: []Step{Days, Months},
		},
	},
	Closed:   "a bill has many owners, and its total would show what the others paid",
	Anywhere: "a bill names accounts, not clusters",
	Reads:    []string{"reconciliation"},
}

// Estimate is the provisional cost that a bill replaced, and the cost on the bill.
var Estimate = Fact{
	Name: "estimate",
	Doc:  "Provisional cost of machine hours that a bill has replaced, and their cost on the bill (docs/figures.md, 28).",
	Rows: "report.replaced_estimates",
	Keys: keys(always(own("day", Time, "UTC day of the service.")), texts("provider", "cluster"), always(owner),
		always(currency)),
	Measures: measures(sums("currency", map[string]string{
		"provisional": "Effective cost by the last estimate before the first bill.",
		"final":       "Effective cost by the newest bill.",
	}, "provisional", "final")),
	Rollups: []Rollup{{Name: "estimate", Doc: "An owner's day.",
		Keys: []string{"day", "provider", "cluster", "owner_id", "currency"}, Steps: []Step{Days}}},
	Org:   []string{"owner_id"},
	Place: []string{"cluster"},
	Reads: []string{"provisional_accuracy"},
}
