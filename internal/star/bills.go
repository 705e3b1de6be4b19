package star

// Posted is what was posted of the lines of bills: what reconciliation lays beside
// the control totals of their deliveries.
var Posted = Fact{
	Name: "posted",
	Doc:  "Cost that was posted of the charges of a delivery.",
	Rows: "report.posted_charges",
	Keys: keys(always(own("delivery_id", ID, "Delivery that brought the charge.")), texts("account", "billing_period"), currency),
	Measures: measures([]Measure{{Name: "state", Type: Text, Merge: Most, Doc: "The least settled: final, open, provisional.", Always: true}},
		money("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		sums("lines", map[string]string{"lines": "Lines of charges whose first part it is: each line once, however many hours it covers."}, "lines")),
	Rollups: []Rollup{{Name: "posted", Doc: "An account of a delivery.", Keys: []string{"delivery_id", "account", "billing_period", "currency"}, Steps: []Step{Days, Months}}},
	Seen:    []string{"account"},
	Reads:   []string{"reconciliation"},
}
