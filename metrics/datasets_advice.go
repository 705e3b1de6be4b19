package metrics

import (
	"slices"
)

var recommendations = Dataset{
	Name: "recommendations",
	Lead: []string{"subject", "kind", "saving_per_month", "saving", "currency", "status", "recommendations", "team",
		"proposal", "effort", "risk", "recommendation_id"},
	InPart: true,
	Doc: "One recommendation of one kind for one subject and currency: its saving, its evidence, what people decided, " +
		"and its realised saving.",
	Columns: sourced("recommendations, recommendation_states, star.demand_days, findings, owners", slices.Concat(
		[]Column{
			attr("recommendation_id", ID, "Id by kind, subject and currency; stays the same while the numbers change."),
			attr("kind", Text, "Kind of advice; the kinds are explained with the metrics.").values(adviceKinds...),
			attr("subject", Text, "Subject of the advice: cluster/namespace/kind/name of a root workload, a run, a node; "+
				"cluster/kind/model of cards; cluster/type/team of jobs; type/class of work of a commitment."),
			attr("cluster", Text, "Cluster."),
			attr("namespace", Text, "Namespace of the workload."),
			attr("workload", Text, "Root owner of the workload, or the name of another subject."),
			attr("run", Text, "Run, if the advice is about one."),
			attr("team", Text, "Team, or `unowned`."),
			attr("gpu_model", Text, "GPU model."),
			attr("proposal", Text, "What to do, in a sentence.").by(Field("proposal")),
			savingPerMonth(),
			moneyColumn("open_saving_per_month",
				"Of that, the part of recommendations that hold and are open or accepted; 0 if another one counts instead.",
				Sum("counted_saving", Where("status", "open", "accepted"), Where("holds", "true"))).
				caveat(onceCounted),
			attr("overlaps_with", ID,
				"The recommendation that counts instead because it saves more on the same time of the same holder. NULL if this "+
					"one counts."),
			attr("instrument", Text, "Kind of commitment to buy.").values("flexible_plan", "reservation", "committed_use"),
			attr("quantity", Count, "Number of machines to commit to.").by(Field("quantity")),
			attr("term_months", Count,
				"Term of the commitment: the shortest that is sold.").by(Field("term_months")),
			{
				Name: "break_even_months", Kind: Ratio, Unit: "months",
				Doc: "Months of the term, with use as in the window, after which the machines on demand cost as much as the " +
					"whole commitment.", Formula: Field("break_even_months"),
			},
			moneyColumn("stranded_if_less_per_month",
				"Cost of the commitment for unheld hours, if every hour had a fifth less use; scaled to 730 hours.",
				Sum("stranded_if_less_per_month")),
			moneyColumn("saving", "Part of the subject's cost in the window that would not have been spent.", Sum("saving")),
			moneyColumn("effective_cost", "Effective cost of the subject in the window, before sharing.", Sum("effective_cost")),
			moneyColumn("realised_saving",
				"Saving since a recommendation was done: cost per hour of the evidence minus that since then, times the hours "+
					"since. May be negative.", Sum("realised_saving")).
				caveat("NULL until a whole day has passed, and for machines. Work that grew or ended on its own counts, too."),
			attr("realised_hours", Count, "Hours over which realised_saving was measured.").by(Field("realised_hours")),
			attr("status", Text, "What people decided.").values("open", "accepted", "dismissed", "done"),
			attr("note", Text, "Their note.").by(Field("note")),
			attr("decided_by", Text, "Who decided."),
			attr("decided_at", Time, "When."),
			attr("holds", Bool, "Whether the newest evidence still supports it."),
			attr("effort", Text, "low: a setting; medium: a change to a workload; high: a change to the fleet.").values("low",
				"medium", "high"),
			attr("risk", Text, "How much can go wrong.").values("low", "medium", "high"),
			attr("confidence", Text, "By days on which the subject was observed, however many devices: high from 14, medium "+
				"from 3, low below; lower if something was estimated.").values("high", "medium", "low"),
			attr("saving_basis", Text,
				"Source of the measured spot losses in a saving of `move_to_spot`: the team's own, else the fleet's; none if "+
					"there are no losses measured (the saving is then NULL). NULL for other kinds.").
				values("team", "fleet", "none"),
			attr("observed_hours", Count,
				"Hours of the clock in which the subject existed and was observed, however many GPUs it had: a workload held "+
					"GPUs, a machine was up, a slice of cards was held.").by(Field("observed_hours")),
			attr("lifetime_hours", Count,
				"Hours of the clock from when the subject first appeared in the window to the window's end; saving_per_month "+
					"is scaled from these.").by(Field("lifetime_hours")),
			attr("evidence", Text, "The numbers behind it, each with the value it was compared with.").by(Field("evidence")),
			attr("window_start", Time, "Start of the evidence."),
			attr("window_end", Time, "End of the evidence."),
			attr("first_seen", Time, "End of the evidence when it was first advised."),
			{
				Name: "recommendations", Kind: Count, Doc: "Recommendations.",
				Formula: CountOf("recommendation_id"), OnlyGroups: true,
			},
			leastSettled(),
			currency(),
		},
	)...),
	Windowed: true,
	Offers:   []string{"business_unit", "project", "model", "environment", "cost_center", "stage"},
	RowKey:   []string{"recommendation_id"},
	Order:    []Order{{Column: "saving_per_month", Desc: true}},
}

// onceCounted is the rule of every sum of savings.
const onceCounted = "Overlapping savings count once: of recommendations for the same time of the same holder " +
	"(workload, machine type and price; idle time, surplus replicas, the rest), only the one that saves most counts."

// savingPerMonth is a recommendation's own saving, and in groups the part of it that counts.
func savingPerMonth() Column {
	c := moneyColumn("saving_per_month", "Saving scaled to 730 hours.", Sum("saving_per_month")).
		caveat("The window's saving × 730 ÷ lifetime_hours; NULL if fewer than 7 days of the fleet or 3 days of the " +
			"subject were observed (column saving has the window's saving), 0 if a risk has cost nothing yet. A smaller size " +
			"leaves out the saving of stopping. In groups: " + onceCounted)
	c.Groups = new(Sum("counted_saving"))
	return c
}

// adviceKinds are the kinds of metrics/advice, which imports this package; a test of the store compares them.
var adviceKinds = []string{
	"stop_idle", "smaller_slice", "smaller_card", "share_cards", "move_to_spot", "fewer_replicas",
	"repartition", "add_checkpoints", "taint_nodes", "commit", "allow_retries", "separate_work", "select_model",
}
