package metrics

// largest takes a value that is the same in all rows.
func largest(field string) Formula { return Formula{Op: OpMax, Field: field} }

var commitments = Dataset{
	Name: "commitments",
	Lead: []string{"commitment", "commitment_type", Basis, "currency", "unused_cost", "utilisation", "coverage",
		"used_cost", "instance_family", "account", "region"},
	Doc: "Covered and unused cost of commitments (savings plans, reservations, committed use), and on-demand spend " +
		"(rows without a commitment), by account, family and region; one row per currency. Costs add up over any rows.",
	Columns: sourced("postings, parts, charge_rows, nodes, owners", []Column{
		attr("provider", Text, "Provider of the bill."),
		attr("billing_account", Text, "Payer account of the bills."),
		attr("account", Text, "Account that used it, or that the fee is billed to."),
		attr("commitment", Text, "Reservation or savings plan; NULL for on-demand spend, and if the bill does not name it."),
		attr("commitment_type", Text, "savings_plan or reserved; NULL for on-demand spend."),
		attr("instance_family", Text, "Machine family: instance type without its size; NULL for a fee without a type."),
		attr("region", Text, "Region; NULL for a fee without a region."),
		moneyColumn("used_cost", "Effective cost of the covered use.", Sum("used_cost")),
		moneyColumn("used_on_demand_cost", "On-demand cost of the covered use: contracted prices, else list.",
			Sum("covered_worth")),
		moneyColumn("unused_cost", "Effective cost of the unused part.", Sum("unused_cost")),
		{
			Name: "utilisation", Kind: Ratio,
			Doc:     "Used ÷ (used + unused) of the whole commitment; in groups: of the group.",
			Formula: RatioOf(largest("commitment_used"), largest("commitment_bought")),
			Groups:  new(RatioOf(Sum("used_cost"), Sum("bought_cost"))),
		},
		{Name: "coverage", Kind: Ratio,
			Doc: "Part of the on-demand cost of the family's machines in the region that commitments covered; in groups: of " +
				"the group. Contracted prices, else list.",
			Formula: RatioOf(largest("family_covered"), largest("family_coverable")),
			Groups:  new(RatioOf(Sum("covered_worth"), Sum("coverable_worth"))),
			Caveats: []string{"Excludes spot and owned machines: no commitment could cover them."}},
		moneyColumn("stranded_cost", "Unused cost of commitments with less than a tenth used in the window.",
			Sum("stranded_cost")),
		moneyColumn("unspread_cost",
			"Effective cost of fees that is not spread yet: the part for hours after the end of the stored data.",
			Sum("unspread_cost")),
		moneyColumn("on_demand_cost", "Effective cost of on-demand machines.", Sum("on_demand_cost")),
		moneyColumn("effective_cost", docEffective, Sum("effective_cost")),
		{
			Name: "unused_owners", Kind: Text, Doc: "Teams that own the unused cost, by the tags of the commitment's lines.",
			Formula: Formula{Op: OpDistinct, Field: "unused_team"},
		},
		attr("teams_that_used_less", Text,
			"Teams whose covered use was worth less in the second half of the window than in the first; NULL if all "+
				"was used.").ungrouped(),
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
	Lead: []string{"team", "instance_family", "demand", "on_demand_cost", "coverable_cost", "currency", "held_hours",
		"region"},
	Doc: "How steadily a team holds machines of a family in a region, and its cost without a commitment; one row per " +
		"currency. Bursty demand is never worth a commitment.",
	Columns: sourced("postings, parts, charge_rows, usage, nodes, owners", []Column{
		attr("team", Text, "Team, or `unowned`."),
		attr("instance_family", Text, "Machine family."),
		attr("region", Text, "Region."),
		attr("demand", Text, demandClasses).values("always_on", "baseline", "bursty"),
		attr("held_hours", Count, "Hours of the window in which the team held any machine of the family.").ungrouped(),
		attr("lifetime_hours", Count,
			"Hours from the first in which the team held any to the last usage in the window; NULL if it held none.").
			ungrouped(),
		attr("window_hours", Count, "Hours from the first to the last usage in the window.").ungrouped(),
		moneyColumn("covered_cost", "Effective cost that commitments covered.", Sum("covered_cost")),
		moneyColumn("on_demand_cost", "Effective cost on demand.", Sum("on_demand_cost")),
		moneyColumn("coverable_cost", "Of that, the part of always-on and baseline demand.", Sum("coverable_cost")).
			caveat("The most that a commitment could have covered. Recommendations of kind commit advise the level held in at " +
				"least (1 − discount) of the hours: less if demand varies."),
		leastSettled(),
		currency(),
	}...),
	Windowed: true,
	RowKey:   []string{"team", "instance_family", "region", "demand", "currency"},
	Order:    []Order{{Column: "on_demand_cost", Desc: true}, {Column: "team"}},
}
