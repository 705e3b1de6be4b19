package metrics

import (
	"slices"
	"strconv"
)

// spotGroups are the group keys of rows of dataset spot.
var spotGroups = []string{"instance_type", "zone", "region", "cluster", "hour", "team", "kind", "workload_class"}

// machineKeys are the group keys of datasets of machines and their holders, in addition to the dimensions of the owner.
func machineKeys(more ...string) []string {
	return slices.Concat([]string{"cluster", "region", "zone", "node", "instance_type", "gpu_model", "namespace",
		"workload_class", "workload_kind", "run"}, more, OwnerKeys)
}

// ungrouped is for columns that hold for the rows of one group key, not for groups of other keys.
func (c Column) ungrouped() Column { c.Filter = false; return c }

// Parts of spot cost: of a spot machine, of work lost to an interruption, of an attempt without a result. A row
// may have several.
var (
	spent     = Where("part", "spent", "spent destroyed", "spent dead", "spent destroyed dead")
	destroyed = Where("part", "destroyed", "spent destroyed", "spent destroyed dead")
	dead      = Where("part", "spent dead", "spent destroyed dead")
)

var netSavings = LessOf(SumOrZero("gross_saving", spent), SumOrZero("lost_cost", destroyed))

var spot = Dataset{
	Name: "spot",
	Lead: []string{"group_key", "group_value", Basis, "currency", "net_savings", "interruptions", "attempts",
		"lost_cost", "interruption_rate", "success_rate", "pilot_gate", "state"},
	InPart: true,
	Doc: "Cost, savings, losses and interruptions of spot machines: one row per value of each group key; one row per " +
		"currency. Costs and instance-hours add up over the rows of one group_key; attempts, interruptions and runs that " +
		"were in several groups count once in each.",
	Columns: sourced("postings, usage, nodes, attempts, runs, spot_interruptions, spot_hits, spot_rates", slices.Concat(
		[]Column{
			attr("group_key", Text,
				"Key that the row has a value of; hour is the hour of the day (UTC) of the service, of the start of attempts and "+
					"runs, of interruptions.").values(spotGroups...),
			attr("group_value", Text, "Value of the key; NULL if unknown, and for kind if no run held the time."),
			{Name: "attempts", Kind: Count,
				Doc:     "Attempts whose price class was spot most of the time, that overlap the window.",
				Formula: CountOfListed("attempt_id")},
			{Name: "interruptions", Kind: Count,
				Doc:     "Spot machines that were taken away in the window: they ended at most 600 s (policy) after a warning.",
				Formula: CountOfListed("interruption")},
			{Name: "spot_instance_hours", Kind: Quantity, Unit: "hours",
				Doc: "Hours that spot machines were up or billed, by share of their GPUs.", Formula: Sum("instance_hours")},
			{Name: "interruption_rate", Kind: Ratio, Unit: "per instance-hour",
				Doc:     "Interruptions per hour of a spot machine.",
				Formula: RatioOf(CountOfListed("interruption"), Sum("instance_hours"))},
			moneyColumn("effective_cost", "Effective cost of spot machines, held or not.", Sum("effective_cost")).
				caveat("Covers the machines themselves, without network and volumes."),
			moneyColumn("on_demand_equivalent",
				"The same time at on-demand prices: of on-demand lines of the same account, type and region (of the hour, the "+
					"day, else the nearest day with any), else the public on-demand price of AWS's own line, else the price book, "+
					"else the catalogue.",
				SumOrZero("on_demand_equivalent", spent)).
				caveat("Covers the hours with a cost and a known on-demand price; NULL if there are no such hours. The price of " +
					"a spot SKU is not an on-demand price."),
			moneyColumn("gross_savings", "On-demand equivalent minus effective cost, over the same hours.",
				SumOrZero("gross_saving", spent)),
			{Name: "known_share", Kind: Ratio,
				Doc: "Part of spot_instance_hours whose cost and on-demand price are known: savings cover this part. NULL " +
					"without such hours.",
				Formula: RatioOf(SumOrZero("known_hours", spent), Sum("instance_hours"))},
			moneyColumn("unknown_cost", "Effective cost of hours whose on-demand price is unknown: savings leave it out.",
				SumOrZero("unknown_cost", spent)),
			moneyColumn("lost_cost",
				"Cost lost to interruptions: lost work of the attempts that they ended, and overhead of the attempts after "+
					"them, on any machine.", SumOrZero("lost_cost", destroyed)),
			moneyColumn("net_savings", "Gross savings minus lost_cost.", netSavings),
			ratio("net_savings_share", "Net savings per on-demand equivalent: the discount that spot gave on the on-demand "+
				"price.",
				netSavings, SumOrZero("on_demand_equivalent", spent)).
				caveat("Negative if interruptions lost more than spot saved."),
			{Name: "success_rate", Kind: Ratio,
				Doc:     "Of the runs that ended in the window and ever held a spot machine, those that completed.",
				Formula: RatioOf(CountOfListed("spot_completed"), CountOfListed("spot_ended"))},
			{Name: "on_demand_success_rate", Kind: Ratio, Doc: "The same for runs that only held on-demand machines.",
				Formula: RatioOf(CountOfListed("on_demand_completed"), CountOfListed("on_demand_ended"))},
			{Name: "ended_runs", Kind: Count, Doc: "Runs that success_rate covers.", Formula: CountOfListed("spot_ended")},
			{Name: "on_demand_ended_runs", Kind: Count, Doc: "Runs that on_demand_success_rate covers.",
				Formula: CountOfListed("on_demand_ended")},
			moneyColumn("dead_attempts_cost",
				"Effective cost of spot time of attempts that failed, ran out of memory or time, were preempted, evicted or "+
					"lost their node.", SumOrZero("dead_cost", dead)),
			{Name: "dead_attempts_share", Kind: Ratio, Doc: "Part of effective_cost in such attempts.",
				Formula: RatioOf(SumOrZero("dead_cost", dead), Sum("effective_cost"))},
			{Name: "recovered", Kind: Count, Doc: "Interrupted attempts whose recovery is known.",
				Formula: CountOfListed("recovered_attempt")},
			{Name: "recovery_mean_seconds", Kind: Ratio, Unit: "seconds",
				Doc:     "Mean time from the end of an interrupted attempt until a later one first used what it held.",
				Formula: RatioOf(Sum("recovery_seconds"), CountOfListed("recovered_attempt"))},
			attr("recovery_p95_seconds", Duration, "95th percentile of the recovery, by nearest rank.").
				unit("seconds").ungrouped(),
			attr("worst_week_interruptions", Count,
				"Interruptions in the week (from Monday, UTC) with most of them; NULL without any.").ungrouped(),
			attr("worst_hour_interruptions", Count, "Interruptions in the hour with most of them; NULL without any.").
				ungrouped(),
			attr("pilot_gate", Text,
				"Whether spot met the limits of a pilot: "+PilotGates+". Unknown under a week, or if no recovery is known.").
				values("pass", "fail", "unknown").ungrouped().caveat("For the whole group, whatever else the filter selects."),
			attr("pilot_reasons", Text, "Why the gate is not pass.").ungrouped(),
			attr("alarm", Bool, "More than "+strconv.Itoa(PilotAlarm)+" interruptions in one hour.").ungrouped(),
			attr("checkpoint_seconds", Duration,
				"C, the time to write a checkpoint: the mean that the group's attempts reported in the window, rounded up to "+
					"whole seconds; 60 without a report.").unit("seconds").ungrouped(),
			attr("checkpoint_basis", Text, "Whether C is measured or assumed.").values("measured", "assumed").ungrouped(),
			attr("young_interval_seconds", Duration,
				"Interval between checkpoints after Young (1974): √(2 C M), C = checkpoint_seconds, M = spot_instance_hours ÷ "+
					"interruptions; NULL without interruptions.").unit("seconds").ungrouped().
				caveat("A gang on n machines is interrupted n times as often: divide by √n."),
			attr("checkpoint_interval_seconds", Duration,
				"How often to write a checkpoint so that interruptions lose least: after Daly (2006), with C and M as in "+
					"young_interval_seconds; M if C is at least 2 M.").unit("seconds").ungrouped(),
			leastSettled(),
			currency(),
		},
	)...),
	Offers:   machineKeys(),
	Windowed: true,
	RowKey:   []string{"group_key", "group_value", "currency"},
	Order:    []Order{{Column: "group_key"}, {Column: Basis, Desc: true}, {Column: "group_value"}},
}

var spotPostings = Dataset{
	Name: "spot_postings",
	Lead: []string{"hour", "node", "cause", Basis, "currency", "on_demand_equivalent", "gross_savings", "team", "run",
		"instance_type"},
	InPart: true,
	Doc: "The postings that dataset spot adds up: those of spot machines, held or not, and of work lost to interruptions, " +
		"on any machine. Gross savings are Σ gross_savings; net savings are that minus Σ lost_cost.",
	Columns: sourced("postings, nodes, spot_rates, attempts, runs, owners", []Column{
		attr("posting_id", ID, "Posting."),
		attr("hour", Time, "Hour of the service."),
		attr("hour_of_day", Text, "Hour of the day, UTC: 00 to 23."),
		attr("cluster", Text, "Cluster."),
		attr("node", Text, "Machine."),
		attr("instance_type", Text, "Instance type."),
		attr("region", Text, "Region."),
		attr("zone", Text, "Zone."),
		attr("account", Text, "Account that pays for the machine."),
		attr("gpu_model", Text, "GPU model."),
		attr("namespace", Text, "Namespace of the holder."),
		attr("workload_class", Text, "Class of the holder."),
		attr("workload_kind", Text, "Kind of the holder."),
		attr("run", Text, "Run; NULL if no run held it."),
		attr("attempt", Count, "Attempt of the run."),
		attr("kind", Text, "Kind of the run."),
		attr("team", Text, "Team, or `unowned`."),
		attr("cause", Text, "Cause of the cost."),
		moneyColumn("effective_cost",
			"Effective cost of time on the spot machine; NULL without a cost, and for other machines.",
			Field("effective_cost")),
		attr("gpu_hours", Quantity,
			"GPU-hours, held or not; NULL if another posting of the same time counts them.").unit("GPU-hours"),
		attr("machine_gpus", Count, "GPUs of the machine."),
		moneyColumn("on_demand_rate", "On-demand price of an hour of the machine; NULL: unknown.",
			Field("on_demand_rate")),
		attr("on_demand_source", Text, "Source of on_demand_rate.").values("contracted", "bill", "price_book", "catalogue",
			"unknown"),
		attr("on_demand_detail", Text, "Details of the rate from its source."),
		moneyColumn("on_demand_equivalent",
			"on_demand_rate × gpu_hours ÷ machine_gpus; if the source is the bill, the list cost of the posting; NULL: unknown.",
			Field("on_demand_equivalent")),
		moneyColumn("gross_savings", "on_demand_equivalent minus effective_cost; NULL: unknown.", Field("gross_savings")),
		moneyColumn("lost_cost",
			"Effective cost of work lost to a spot interruption, and of the overhead of the attempt that followed; else "+
				"0.", Field("lost_cost")),
		attr("state", Text, docState).values(stateNames...),
		currency(),
	}...),
	Windowed: true,
	Offers:   slices.DeleteFunc(slices.Clone(OwnerKeys), func(k string) bool { return k == "team" }),
	RowKey:   []string{"posting_id"},
	Order:    []Order{{Column: "hour"}, {Column: "cluster"}, {Column: "node"}, {Column: "posting_id"}},
	Aliases:  map[string]string{"run_id": "run"},
}

var interruptions = Dataset{
	Name: "interruptions",
	Lead: []string{"at", "node", "lost_cost", "currency", "interruptions", "total_lost_cost", "recovery_mean_seconds",
		"recovery_seconds", "kind", "team", "run_id", "instance_type"},
	InPart: true,
	Doc: "One spot machine that was taken away, and one attempt that this ended; without a run if it ended none; one " +
		"row per currency of the lost cost.",
	Columns: sourced("spot_interruptions, spot_hits, nodes, attempts, runs, postings", []Column{
		attr("at", Time, "When the machine ended."),
		attr("warned_at", Time, "Last warning before that."),
		attr("cluster", Text, "Cluster."),
		attr("node", Text, "Machine."),
		attr("instance_type", Text, "Instance type."),
		attr("region", Text, "Region."),
		attr("zone", Text, "Zone."),
		attr("run_id", Text, "Run whose attempt ended; NULL if no attempt ended."),
		attr("task", Text, "Task; NULL for gangs."),
		attr("attempt", Count, "Number of the attempt."),
		attr("team", Text, "Team of the run, else of the machine."),
		attr("kind", Text, "Kind of the run."),
		attr("recovery_seconds", Duration,
			"From the end of the attempt until a later one first used what it held; NULL if there is no such attempt, and for "+
				"an attempt's further machines.").unit("seconds"),
		moneyColumn("lost_cost",
			"Effective cost with cause `lost` of the attempt, and with cause `overhead` of the one after it; at the first "+
				"machine of an attempt that lost several.", Field("lost_cost")),
		currency(),
		{Name: "interruptions", Kind: Count, Doc: "Machines that were taken away.", Formula: Field("one"),
			Groups: new(CountOf("interruption")), OnlyGroups: true},
		{Name: "recovery_mean_seconds", Kind: Ratio, Unit: "seconds", Doc: "Mean recovery.", Formula: Field("one"),
			Groups: new(RatioOf(Sum("recovery_seconds"), CountOf("recovered_attempt"))), OnlyGroups: true},
		{Name: "total_lost_cost", Kind: Money, Unit: "currency", Doc: "Σ lost_cost.", Formula: Field("one"),
			Groups: new(SumOrZero("lost_cost")), OnlyGroups: true},
	}...),
	Windowed: true,
	RowKey:   []string{"at", "node", "cluster", "run_id", "task", "attempt", "currency"},
	Order:    []Order{{Column: "at"}},
	Aliases:  map[string]string{"run": "run_id"},
}
