package metrics

import "slices"

var ownerCoverage = Dataset{
	Name: "owner_coverage",
	Lead: []string{"key", "owned_share", "effective_cost", "unowned_cost", "currency", "measured_share", "owned_cost"},
	Doc: "How much of the spend has an owner, per owner key, and how sure it is; one row per key and currency. All keys " +
		"cover the same spend: do not add keys up.",
	Windowed: true,
	Columns: sourced("postings, owners", []Column{
		attr("key", Text, "Owner key.").values(OwnerKeys...),
		moneyColumn("effective_cost", "All effective cost, before sharing.", Sum("effective_cost")),
		moneyColumn("owned_cost", "Of that, with a value of the key; team `unowned` does not count as one.",
			Sum("owned_cost")),
		moneyColumn("unowned_cost", "Of that, without a value of the key.", Sum("unowned_cost")),
		{Name: "owned_share", Kind: Ratio, Doc: "Owned ÷ all.", Formula: RatioOf(Sum("owned_cost"), Sum("effective_cost"))},
		moneyColumn("measured_cost", "Effective cost of quality measured.", Sum("measured_cost")),
		moneyColumn("estimated_cost", "Effective cost of quality estimated.", Sum("estimated_cost")),
		moneyColumn("assumed_cost", "Effective cost of quality assumed.", Sum("assumed_cost")),
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
	Lead: []string{"kind", "source", "scope", "newest_at", "behind_seconds", "imported_at"},
	Doc:  "How far each source is behind the newest stored data: bills, placements, device samples, workloads, events.",
	Columns: sourced("deliveries, charge_instances, source_hours, devices, workload_facts, instance_events", []Column{
		attr("kind", Text, "Kind of data.").values("bill", "placements", "devices", "workloads", "events"),
		attr("source", Text, "Import source of bills, system of workloads, cloud of events."),
		attr("scope", Text, "Billing scope, cluster, or account of events; NULL if the source has only one."),
		attr("newest_at", Time, "Newest data of the source: end of the last billed machine hour, last sample, last event."),
		attr("behind_seconds", Duration,
			"Time from newest_at to end_at.").unit("seconds").caveat("Events come only when something happens: an old one is " +
			"not a fault."),
		attr("imported_at", Time, "When its newest bill came into the ledger."),
		attr("end_at", Time, "Newest data of all sources: the end of the stored data."),
	}...),
	RowKey: []string{"kind", "source", "scope"},
	Order:  []Order{{Column: "kind"}, {Column: "source"}, {Column: "scope"}},
}
