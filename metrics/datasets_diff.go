package metrics

import "slices"

var statementDiff = Dataset{
	Name: "statement_diff",
	Lead: []string{"billing_period", "team", "cause", "difference_effective_cost", "currency", "old_effective_cost",
		"new_effective_cost", "billing_account"},
	Doc: "Differences between two versions of one statement by owner and cause, after sharing. Rows without a " +
		"difference are left out.",
	Columns: sourced("statement_lines, owners", slices.Concat(
		[]Column{
			attr("billing_account", Text, "Payer account."),
			attr("billing_period", Text, "Billing month."),
			attr("old_version", Count, "The earlier version."),
			attr("new_version", Count, "The later version."),
			attr("cause", Text, "Why it was spent.").values(causeNames...),
		},
		ownerColumns(),
		[]Column{currency(), attr("state", Text, docState).values(stateNames...)},
		totalsOf("old_", "earlier version"),
		totalsOf("new_", "later version"),
		differences(),
	)...),
	RowKey: append([]string{"billing_account", "billing_period", "old_version", "new_version", "cause", "currency"},
		OwnerKeys...),
	Order: []Order{
		{Column: "billing_period"}, {Column: "billing_account"}, {Column: "old_version"}, {Column: "new_version"},
	},
}

// differences are the later version's costs minus the earlier one's.
func differences() []Column {
	cols := fourCosts()
	for i := range cols {
		name := cols[i].Name
		cols[i].Doc = "The later version's " + name + " minus the earlier one's; a missing one counts as 0."
		cols[i].Name = "difference_" + name
		cols[i].Formula = Field(cols[i].Name)
	}
	return cols
}

// totalsOf are the four costs with a prefix.
func totalsOf(prefix, what string) []Column {
	cols := fourCosts()
	for i := range cols {
		cols[i].Doc = "Value in the " + what + ". " + cols[i].Doc
		cols[i].Name = prefix + cols[i].Name
		cols[i].Formula = Field(cols[i].Name)
	}
	return cols
}

// StatementKeys are the group keys of statements, in addition to the owner's (docs/rules.md, 13.4).
var StatementKeys = []string{
	"provider", "billing_account", "billing_period", "account", "region", "cluster", "node",
	"namespace", "workload_kind", "service", "run", "cause", "quality", "state", "kind",
}

// AsOfKeys are the group keys of an earlier state, in addition to the owner's: earlier states are kept by node, owner
// and cause.
var AsOfKeys = []string{"region", "zone", "cluster", "node", "instance_type", "gpu_model", "cause", "state"}
