package metrics

import "slices"

var ownerCoverage = Dataset{
	Name: "owner_coverage",
	Doc: "How much of the spend has an owner, per owner key, and how sure it is; one row per key and currency. " +
		"Each key is of the same spend: do not add keys up.",
	Windowed: true,
	Columns: sourced("postings, owners", []Column{
		attr("key", Text, "Owner key.").values(OwnerKeys...),
		moneyColumn("effective_cost", "All effective cost, before sharing.", Sum("effective_cost")),
		moneyColumn("owned_cost", "Of that, with a value of the key; a team `unowned` is none.", Sum("owned_cost")),
		moneyColumn("unowned_cost", "Of that, without.", Sum("unowned_cost")),
		{Name: "owned_share", Kind: Ratio, Doc: "Owned ÷ all.", Formula: RatioOf(Sum("owned_cost"), Sum("effective_cost"))},
		moneyColumn("measured_cost", "Of all, of quality measured.", Sum("measured_cost")),
		moneyColumn("estimated_cost", "Of all, of quality estimated.", Sum("estimated_cost")),
		moneyColumn("assumed_cost", "Of all, of quality assumed.", Sum("assumed_cost")),
		{
			Name: "measured_share", Kind: Ratio, Doc: "Measured ÷ all.",
			Formula: RatioOf(Sum("measured_cost"), Sum("effective_cost")),
		},
		leastSettled(),
		currency(),
	}...),
	Offers: slices.Concat([]string{"cluster", "region", "zone", "instance_type", "cause", "billing_period", "quality"},
		OwnerKeys),
	RowKey: []string{"key", "currency"},
	Order:  []Order{{Column: "owned_share", Desc: true}, {Column: "key"}},
}

var freshness = Dataset{
	Name: "freshness",
	Doc: "How far each source is behind the newest of all that is stored: bills, placements, device samples, " +
		"workloads, events.",
	Columns: sourced("deliveries, charge_instances, source_hours, devices, workload_facts, instance_events", []Column{
		attr("kind", Text, "What it says.").values("bill", "placements", "devices", "workloads", "events"),
		attr("source", Text, "Import source of bills, system of workloads, cloud of events."),
		attr("scope", Text, "Billing scope, cluster, or account of events; NULL where it is one."),
		attr("newest_at", Time, "The newest that it says: end of the last billed machine hour, last sample, last event."),
		attr("behind_seconds", Duration,
			"From then to the newest of all sources.").unit("seconds").caveat("Events come when something happens: an old " +
			"one is no fault."),
		attr("imported_at", Time, "When its newest bill came into the ledger."),
		attr("end_at", Time, "The newest of all sources: the end of what is stored."),
	}...),
	RowKey: []string{"kind", "source", "scope"},
	Order:  []Order{{Column: "kind"}, {Column: "source"}, {Column: "scope"}},
}
