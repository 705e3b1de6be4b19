package metrics

import "slices"

var provisionalAccuracy = Dataset{
	Name:   "provisional_accuracy",
	Lead:   []string{"day", "provider", "team", "provisional", "final", "error", "share", "currency"},
	InPart: true,
	Doc: "How good provisional cost was: the last estimate before the first bill against the newest bill, for the same " +
		"hours of the same machines, before sharing. No row before a bill.",
	Columns: sourced("replaced_estimates, postings, owners, nodes", []Column{
		attr("day", Time, "UTC day of the service."),
		attr("provider", Text, "Provider of the bill; NULL if unknown."),
		attr("team", Text, "Team, or `unowned`."),
		currency(),
		moneyColumn("provisional", "Effective cost by the last estimate before the first bill.", estimatedCost),
		moneyColumn("final", "Effective cost by the newest bill.", finalCost),
		moneyColumn("error", "provisional − final: above 0, the estimate was too high.", LessOf(estimatedCost, finalCost)),
		ratio("share", "error ÷ final; NULL if final is 0.", LessOf(estimatedCost, finalCost), finalCost),
	}...),
	Offers:   slices.Concat([]string{"cluster"}, OwnerKeys),
	Windowed: true,
	RowKey:   []string{"day", "provider", "team", "currency"},
	Order:    []Order{{Column: "day"}, {Column: "provider"}, {Column: "team"}},
}

var estimatedCost, finalCost = Sum("provisional"), Sum("final")
