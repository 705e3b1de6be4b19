package metrics

// largest takes what is the same in all rows.
func largest(field string) Formula { return Formula{Op: OpMax, Field: field} }

var commitments = Dataset{
	Name: "commitments",
	Doc: "What commitments (savings plans, reservations, committed use) covered and left unused, and on-demand spend " +
		"beside them (rows without a commitment), by account, family and region; one row per currency. " +
		"Costs add up over any rows.",
	Columns: sourced("postings, parts, charge_rows, nodes, owners", []Column{
		attr("provider", Text, "Provider of the bill."),
		attr("billing_account", Text, "Payer account of the bills."),
		attr("account", Text, "Account that used, or that the fee is billed to."),
		attr("commitment", Text, "Reservation or savings plan; NULL for on-demand spend, and where the bill does not name it."),
		attr("commitment_type", Text, "savings_plan or reserved; NULL for on-demand spend."),
		attr("instance_family", Text, "Machine family: instance type without its size; NULL where a fee is of no type."),
		attr("region", Text, "Region; NULL where a fee is of no region."),
		moneyColumn("used_cost", "Effective cost of what it covered.", Sum("used_cost")),
		moneyColumn("used_on_demand_cost", "What that would have cost on demand: contracted prices, else list.",
			Sum("covered_worth")),
		moneyColumn("unused_cost", "Effective cost of what was bought and not used.", Sum("unused_cost")),
		{
			Name: "utilisation", Kind: Ratio,
			Doc:     "Used ÷ (used + unused), of the commitment as a whole; of groups: of the group.",
			Formula: RatioOf(largest("commitment_used"), largest("commitment_bought")),
			Groups:  new(RatioOf(Sum("used_cost"), Sum("bought_cost"))),
		},
		{Name: "coverage", Kind: Ratio,
			Doc: "Of what machines of the family in the region would have cost on demand, the part that commitments " +
				"covered; of groups: of the group. Contracted prices, else list.",
			Formula: RatioOf(largest("family_covered"), largest("family_coverable")),
			Groups:  new(RatioOf(Sum("covered_worth"), Sum("coverable_worth"))),
			Caveats: []string{"Spot and owned machines are not in it: no commitment could cover them."}},
		moneyColumn("stranded_cost", "Unused cost of commitments of which less than a tenth was used in the window.",
			Sum("stranded_cost")),
		moneyColumn("unspread_cost",
			"Effective cost of fees that is not spread over what they cover: hours after the end of what is stored.",
			Sum("unspread_cost")),
		moneyColumn("on_demand_cost", "Effective cost of on-demand machines.", Sum("on_demand_cost")),
		moneyColumn("effective_cost", docEffective, Sum("effective_cost")),
		{
			Name: "unused_owners", Kind: Text, Doc: "Teams that own the unused cost: the tags of the commitment's lines.",
			Formula: Formula{Op: OpDistinct, Field: "unused_team"},
		},
		attr("teams_that_used_less", Text,
			"Teams whose covered use was worth less in the second half of the window than in the first; NULL where nothing "+
				"was left unused.").beside(),
		leastSettled(),
		currency(),
	}...),
	Offers:   append([]string{"cluster", "instance_type"}, OwnerKeys...),
	Windowed: true,
	RowKey: []string{
		"provider", "billing_account", "account", "commitment", "commitment_type",
		"instance_family", "region", "teams_that_used_less", "currency",
	},
	Order: []Order{{Column: Basis, Desc: true}},
}

var commitmentDemand = Dataset{
	Name: "commitment_demand",
	Doc: "How steadily a team holds machines of a family in a region, and what of it no commitment covers; one row " +
		"per currency. " +
		"Bursty demand is never worth a commitment.",
	Columns: sourced("postings, parts, charge_rows, usage, nodes, owners", []Column{
		attr("team", Text, "Team; `unowned` where nothing names one."),
		attr("instance_family", Text, "Machine family."),
		attr("region", Text, "Region."),
		attr("demand", Text, demandClasses).values("always_on", "baseline", "bursty"),
		attr("held_hours", Count, "Hours of the window in which the team held any machine of it.").beside(),
		attr("lifetime_hours", Count,
			"Hours from the first in which the team held any to the last usage in the window; NULL where it held none.").beside(),
		attr("window_hours", Count, "Hours from the first to the last usage in the window.").beside(),
		moneyColumn("covered_cost", "Effective cost of what commitments covered.", Sum("covered_cost")),
		moneyColumn("on_demand_cost", "Effective cost on demand.", Sum("on_demand_cost")),
		moneyColumn("coverable_cost", "Of that, of always-on and baseline demand.", Sum("coverable_cost")).
			caveat("The most that a commitment could have covered. What is advised (recommendations of kind commit) is the " +
				"level held in at least (1 − discount) of the hours: less where demand varies."),
		leastSettled(),
		currency(),
	}...),
	Windowed: true,
	RowKey:   []string{"team", "instance_family", "region", "demand", "currency"},
	Order:    []Order{{Column: "on_demand_cost", Desc: true}, {Column: "team"}},
}
