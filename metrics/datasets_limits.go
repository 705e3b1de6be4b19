package metrics

import "gpuledger/internal/ledger"

var limitLabels = Dataset{
	Name:   "limit_labels",
	InPart: true,
	Lead:   []string{"label", "standing", "key", "value", "text", "currency", "replaced_by", "workload", "workloads"},
	Doc: "What labels that limit cost say: each amount of cost-budget-limit by experiment or project, and texts of it " +
		"and of max-cost-per-run that limit nothing.",
	Columns: sourced("limit_labels, budgets, postings", []Column{
		attr("label", Text, "The label. A max-cost-per-run that limits its run is in dataset runs, as budget.").
			values(string(ledger.LabelBudget), string(ledger.LabelRunLimit)),
		attr("standing", Text, "newest: that of the newest workload of its owner; earlier: a later one took its place; no amount: not "+
			"a plain decimal above 0; no owner: no experiment and no project.").values(standings()...),
		attr("budget", Text, "Name of the budget that it sets; NULL if it sets none."),
		attr("key", Text, "What the budget is for: experiment or project."),
		attr("value", Text, "Its name."),
		attr("version", Count, "Number of the budget's version, from 1; 0 if it sets none."),
		attr("text", Text, "The label's text, as written."),
		moneyColumn("amount", "The amount; NULL if the text is none.", Field("amount")),
		attr("currency", Text, "Currency that the amount is read in; NULL before its cluster has a cost: it sets no budget until then."),
		attr("replaced_by", Text, "Budget of a person for the same owner's life, which counts instead."),
		attr("others", Text, "Amounts that other workloads of the same owner say for more than an hour at the same time."),
		attr("cluster", Text, "Cluster of the first workload that carries it."),
		attr("workload", Text, "Namespace and name of that workload, run or machine."),
		attr("workloads", Count, "Root owners, runs and machines that carry it."),
		attr("first_seen", Time, "When the first of them appeared."),
		attr("last_seen", Time, "Until when one of them was there."),
	}...),
	RowKey: []string{"label", "standing", "key", "value", "version", "cluster", "text", "currency"},
	Order:  []Order{{Column: "standing", Desc: true}, {Column: "key"}, {Column: "value"}, {Column: "version", Desc: true}},
}

func standings() []string {
	out := make([]string, len(ledger.LimitStandings))
	for i, s := range ledger.LimitStandings {
		out[i] = string(s)
	}
	return out
}
