package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

// wholePeriod defines period_start of rows that a billing period may choose.
const wholePeriod = "Start of the period: of the bucket, else of the window, else of all stored time. A billing period " +
	"does not narrow it: group by billing_period to have that month in each row."

var costs = Dataset{
	Name: "costs",
	Lead: []string{Basis, "currency", "gpu_hours", "idle_share", "state", "used_gpu_hours", "cost_per_active_gpu_hour",
		"billed_cost", "provisional_cost"},
	InPart:   true,
	Shared:   true,
	Doc:      "Cost and held GPU time per period, group and currency. Every grouping adds up to the ungrouped total.",
	Grouped:  true,
	Windowed: true,
	Columns: sourced("postings, usage", slices.Concat(
		[]Column{
			{Name: "period_start", Kind: Time,
				Doc:     wholePeriod,
				Formula: Field("period_start")},
			{Name: "period_end", Kind: Time, Doc: "End of the period, exclusive.", Formula: Field("period_end")},
		},
		// the group keys follow here
		[]Column{currency().caveat("Usage that no bill and no rate covers is in a separate row, with NULL currency and " +
			"NULL cost.")},
		summedCosts(),
		[]Column{
			moneyColumn("provisional_cost", "Effective cost of hours that no bill has priced yet.",
				SumOrZero("effective_cost", Where("state", string(ledger.Provisional)))),
		},
		[]Column{
			stageCost("held_cost", "Effective cost of time that somebody held: used, overhead, held idle, lost.",
				ledger.Used, ledger.Overhead, ledger.HeldIdle, ledger.Lost),
			stageCost("active_cost", "Effective cost of time that worked: used, lost.", ledger.Used, ledger.Lost),
			stageCost("used_cost", "Effective cost of time whose work counts: used.", ledger.Used),
		},
		summedQuantities(),
		[]Column{
			energy(),
			gpuHours("capacity_gpu_hours", "All GPU-hours, held or not.", Sum("capacity_gpu_hours")),
			{Name: "cost_per_active_gpu_hour", Kind: Ratio, Unit: "currency per GPU-hour",
				Doc:     "Basis cost per active GPU-hour.",
				Formula: RatioOf(Sum(Basis), Sum("active_gpu_hours"))},
			heldShare(),
			{Name: "idle_share", Kind: Ratio,
				Doc: "Part of the capacity that was held idle, free, stranded or unavailable. Hours that were neither held nor " +
					"observed count on neither side.",
				Formula: RatioOf(SumOrZero("capacity_gpu_hours", Causes(IdleCauses...)),
					LessOf(Sum("capacity_gpu_hours"), unseenCapacity)), Target: &IdleTarget},
			leastSettled(),
		},
	)...),
	RowKey: []string{"period_start", "currency"}, // and the group keys
	Order:  []Order{{Column: "period_start"}, {Column: Basis, Desc: true}},
}

// stageCost is the effective cost of some causes.
func stageCost(name, doc string, causes ...ledger.Cause) Column {
	return moneyColumn(name, doc, SumOrZero("effective_cost", Causes(causes...)))
}

// heldShare is the held part of a fleet, working or not.
func heldShare() Column {
	return ratio("held_share", "Held share of all GPU-hours.", Sum("gpu_hours"), Sum("capacity_gpu_hours"))
}

var charges = Dataset{
	Name: "charges",
	Lead: []string{"charge_period_start", "resource_id", Basis, "currency", "charge_category", "account",
		"service_name", "usage_type", "state"},
	Doc: "One bill line of a current delivery, as delivered, or an aggregate of lines outside the fleet. Bill lines " +
		"only: provisional cost has none.",
	Columns: sourced("charges, deliveries, control_totals", slices.Concat(
		[]Column{
			attr("charge_id", ID, "Content hash of the line within its delivery's partition."),
			attr("delivery_id", ID, "Delivery that brought it."),
			attr("source_file", Text, "File inside the delivery."),
			attr("line", Count, "Line in the file, 1-based; row number in Parquet."),
			attr("provider", Text, "Cloud or source."),
			attr("billing_account", Text, "Payer account."),
			attr("account", Text, "Sub-account (FOCUS SubAccountId)."),
			attr("resource_id", Text, "Resource as billed."),
			attr("service_name", Text, "Provider's service (FOCUS ServiceName)."),
			attr("charge_category", Text, "FOCUS ChargeCategory.").
				values("Usage", "Purchase", "Tax", "Credit", "Adjustment"),
			attr("charge_class", Text, "FOCUS ChargeClass: Correction or NULL."),
			attr("charge_period_start", Time, "Start of the use."),
			attr("charge_period_end", Time, "End of the use, exclusive."),
			attr("billing_period", Text, "Billing month of the invoice."),
			currency(),
		},
		fourCosts(),
		[]Column{
			attr("role", Text, "book: posted; evidence: shown in reconciliation, never posted.").values(roleNames...).
				caveat("A line whose delivery is the book for one metric and evidence for another shows book."),
			attr("state", Text, "final when its billing period is closed for its account, else open.").values("open", "final"),
			attr("kind", Text, "What the line does to the ledger: usage, covered_usage, negation, commitment_fee, prepaid, "+
				"discount, invoice, split, other."),
			attr("line_item_type", Text, "The provider's own word, verbatim."),
			attr("usage_type", Text, "Provider's usage type."),
			attr("operation", Text, "Provider's operation."),
			attr("description", Text, "Provider's text."),
			attr("region", Text, "Region."),
			attr("zone", Text, "Zone."),
			attr("instance_type", Text, "Instance type."),
			attr("pricing", Text, "Price class.").values(priceClasses...),
			attr("commitment", Text, "Reservation or savings plan."),
			{Name: "usage_amount", Kind: Quantity, Unit: "usage_unit", Doc: "Amount used, as billed.",
				Formula: Field("usage_amount")},
			attr("usage_unit", Text, "Unit of usage_amount."),
			attr("instance", Text, "Key of the machine, or group of machines, that the line bills or belongs to; NULL if none."),
			attr("instance_seconds", Duration,
				"Instance-seconds that the line bills; NULL if it bills none or another line has them.").unit("seconds"),
			attr("lines", Count, "Number of lines of the file in the row: 1, or more for an aggregate outside the fleet."),
			attr("line_ranges", Text, "Lines of an aggregate as first-last, separated by blanks; NULL for a single line."),
		},
	)...),
	Windowed: true,
	RowKey:   []string{"charge_id", "delivery_id"},
	Order:    []Order{{Column: "billing_period"}, {Column: "source_file"}, {Column: "line"}},
}

var postings = Dataset{
	Name: "postings",
	Lead: []string{"hour", "team", "cause", Basis, "currency", "state", "gpu_hours", "node", "pod", "run_id",
		"posting_id"},
	InPart: true,
	Shared: true,
	Doc: "Money: one part of one charge, for one service hour, one owner, one cause. After sharing also the amounts " +
		"passed on and received, by day.",
	Columns: sourced("postings, owners, workloads, nodes", slices.Concat(
		[]Column{
			attr("posting_id", ID, "Posting."),
			attr("charge_id", ID, "Charge it posts; NULL for provisional cost, which has a rate_id, and for shared amounts."),
			attr("part", Count, "Number of the part within its charge; NULL for shared amounts."),
			attr("usage_id", ID, "Usage row it pays for; NULL for charges that no usage receives."),
			attr("hour", Time, "Service hour; start of the UTC day for shared amounts."),
			attr("billing_period", Text, "Billing month of the invoice; NULL while provisional."),
			attr("cause", Text, "Why it was spent.").values(causeNames...),
			attr("activity", Text, "Activity by telemetry; NULL if no device is involved.").values(activities...),
			attr("kind", Text, "How the posting was made.").values("direct", "shared_in", "shared_out", "amortise",
				"adjustment"),
			attr("adjusts", ID, "Posting that an adjustment corrects."),
		},
		ownerColumns(),
		[]Column{
			attr("method", Text, "How the receiver was found; for shared amounts, the method of sharing."),
			attr("quality", Text, "How sure the posting is; NULL for shared amounts.").values(qualityNames...),
			attr("policy_version", Text, "Policy it was computed with."),
			currency(),
		},
		fourCosts(),
		[]Column{attr("state", Text, docState).values(stateNames...)},
		quantityFields(),
		[]Column{
			attr("rate_id", ID, "Rate that priced it while there is no bill."),
			attr("node", Text, "Node."),
			attr("cluster", Text, "Cluster of the node."),
			attr("slot", Count, "GPU slot of the node; NULL if no device is involved."),
			attr("device", Text, "GPU UUID."),
			attr("slice_id", Count, "MIG instance id; NULL for a whole device."),
			attr("mig_profile", Text, "MIG profile; NULL for a whole device."),
			attr("namespace", Text, "Namespace of the holder."),
			attr("pod", Text, "Pod that held."),
			attr("run_id", Text, "Run of the holder."),
			attr("attempt_id", ID, "Attempt of the holder."),
		},
	)...),
	Windowed: true,
	RowKey:   []string{"posting_id"},
	Order:    []Order{{Column: "hour"}},
	Aliases:  map[string]string{"run": "run_id"},
}

func quantityFields() []Column {
	return []Column{
		gpuHours("gpu_hours", "Held GPU-hours that the row carries.", Field("gpu_hours")),
		gpuHours("capacity_gpu_hours", "GPU-hours, held or not, that the row carries.", Field("capacity_gpu_hours")),
		gpuHours("active_gpu_hours", "Useful GPU-hours that the row carries.", Field("active_gpu_hours")),
		{Name: "energy_kwh", Kind: Quantity, Unit: "kWh",
			Doc: "Board energy that the row carries; NULL if not measured.", Formula: Field("energy_kwh")},
	}
}

var usage = Dataset{
	Name:   "usage",
	Lead:   []string{"hour", "node", "cause", "gpu_hours", "team", "pod", "activity", "seconds", "device", "usage_id"},
	InPart: true,
	Doc:    "A quantity, counted once, with or without a bill: one hour, slice, workload, attempt, cause and activity.",
	Columns: sourced("usage, owners, workloads, nodes, attempts", slices.Concat(
		[]Column{
			attr("usage_id", ID, "Usage row."),
			attr("hour", Time, "Service hour."),
			attr("cluster", Text, "Cluster of the node."),
			attr("node", Text, "Node."),
			attr("slot", Count, "GPU slot of the node."),
			attr("device", Text, "GPU UUID; NULL if the slot's device was never seen."),
			attr("slice_id", Count, "MIG instance id; NULL for a whole device."),
			attr("mig_profile", Text, "MIG profile; NULL for a whole device."),
			attr("namespace", Text, "Namespace of the holder."),
			attr("pod", Text, "Pod that held it; NULL if not held."),
			attr("workload_kind", Text, "Kind of the holder's root owner."),
			attr("run_id", Text, "Run of the holder."),
			attr("attempt", Count, "Attempt of the holder."),
		},
		ownerColumns(),
		[]Column{
			attr("cause", Text, "Why the time was spent.").values(causeNames...),
			attr("activity", Text, "Activity by telemetry.").values(activities...),
			attr("held", Bool, "Whether it was held."),
			attr("seconds", Duration, "Slot-seconds, not scaled by slice weight or share.").unit("seconds"),
			attr("active_seconds", Duration, "Active part of those seconds.").unit("seconds"),
		},
		quantityFields(),
		[]Column{
			attr("quality", Text, "How sure the row is.").values(qualityNames...),
			attr("method", Text, "How the holder was found."),
		},
	)...),
	Windowed: true,
	RowKey:   []string{"usage_id"},
	Order:    []Order{{Column: "hour"}, {Column: "node"}, {Column: "slot"}},
	Aliases:  map[string]string{"run": "run_id"},
}

// runCauses are the causes of a run's cost.
var runCauses = []ledger.Cause{ledger.Used, ledger.HeldIdle, ledger.Overhead, ledger.Lost, ledger.Unobserved,
	ledger.Host, ledger.Metered}
