package metrics

import (
	"slices"
	"strconv"
)

// spotGroups are the group keys that rows of dataset spot are made for.
var spotGroups = []string{"instance_type", "zone", "region", "cluster", "hour", "team", "kind", "workload_class"}

// machineKeys are the group keys that datasets of machines and their holders
// offer beside the dimensions of the owner.
func machineKeys(more ...string) []string {
	return slices.Concat([]string{"cluster", "region", "zone", "node", "instance_type", "gpu_model", "namespace",
		"workload_class", "workload_kind", "run"}, more, OwnerKeys)
}

// beside marks columns that hold for the rows of a group key as they are, not
// for groups of other keys.
func (c Column) beside() Column { c.Filter = false; return c }

// What money of spot is: of a spot machine, of work that an interruption destroyed,
// of an attempt that came to nothing; a row may be several.
var (
	spent     = Where("part", "spent", "spent destroyed", "spent dead", "spent destroyed dead")
	destroyed = Where("part", "destroyed", "spent destroyed", "spent destroyed dead")
	dead      = Where("part", "spent dead", "spent destroyed dead")
)

var netSavings = LessOf(SumOrZero("gross_saving", spent), SumOrZero("lost_cost", destroyed))

var spot = Dataset{
	Name:   "spot",
	InPart: true,
	Doc: "What spot machines cost, saved and destroyed, and how often they were taken away: one row per value of each " +
		"group key; one row per currency. " +
		"Costs and instance-hours add up over the rows of one group_key; attempts, interruptions and runs that were in " +
		"several groups count once in each.",
	Columns: sourced("postings, usage, nodes, attempts, runs, spot_interruptions, spot_hits, spot_rates", slices.Concat(
		[]Column{
			attr("group_key", Text,
				"What the row is a value of; hour is the hour of the day (UTC) of the service, of the start of "+
					"attempts and runs, of interruptions.").values(spotGroups...),
			attr("group_value", Text, "Its value; NULL where nothing says, and of kind where no run held the time."),
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
				caveat("Of the machines themselves; network and volumes beside them are not in it."),
			moneyColumn("on_demand_equivalent",
				"The same time at on-demand prices: of on-demand lines of the same account, type and region (of the hour, the "+
					"day, else the nearest day with any), else the public on-demand price of AWS's own line, else the price book, "+
					"else the catalogue.",
				SumOrZero("on_demand_equivalent", spent)).
				caveat("Of the hours that have a cost and whose on-demand price is known; NULL where none has. The price of a " +
					"spot SKU is none."),
			moneyColumn("gross_savings", "On-demand equivalent less effective cost, over the same hours.",
				SumOrZero("gross_saving", spent)),
			{Name: "known_share", Kind: Ratio,
				Doc: "Part of spot_instance_hours whose cost and on-demand price are known: what savings are of; " +
					"NULL where none is.",
				Formula: RatioOf(SumOrZero("known_hours", spent), Sum("instance_hours"))},
			moneyColumn("unknown_cost", "Effective cost of hours whose on-demand price is unknown: savings say nothing of it.",
				SumOrZero("unknown_cost", spent)),
			moneyColumn("lost_cost",
				"What interruptions destroyed: work lost of the attempts that they ended, and overhead of the attempts after "+
					"them, wherever those ran.", SumOrZero("lost_cost", destroyed)),
			moneyColumn("net_savings", "Gross savings less lost_cost.", netSavings),
			ratio("net_savings_share", "Net savings per on-demand equivalent: what spot took off the on-demand price.",
				netSavings, SumOrZero("on_demand_equivalent", spent)).
				caveat("Negative where interruptions destroyed more than spot saved."),
			{Name: "success_rate", Kind: Ratio,
				Doc:     "Of the runs that ended in the window and ever held a spot machine, those that completed.",
				Formula: RatioOf(CountOfListed("spot_completed"), CountOfListed("spot_ended"))},
			{Name: "on_demand_success_rate", Kind: Ratio, Doc: "The same of runs that only held on-demand machines.",
				Formula: RatioOf(CountOfListed("on_demand_completed"), CountOfListed("on_demand_ended"))},
			{Name: "ended_runs", Kind: Count, Doc: "Runs that success_rate is over.", Formula: CountOfListed("spot_ended")},
			{Name: "on_demand_ended_runs", Kind: Count, Doc: "Runs that on_demand_success_rate is over.",
				Formula: CountOfListed("on_demand_ended")},
			moneyColumn("dead_attempts_cost",
				"Effective cost of spot time of attempts that failed, ran out of memory or time, were preempted, evicted or "+
					"lost their node.", SumOrZero("dead_cost", dead)),
			{Name: "dead_attempts_share", Kind: Ratio, Doc: "Part of effective_cost in such attempts.",
				Formula: RatioOf(SumOrZero("dead_cost", dead), Sum("effective_cost"))},
			{Name: "recovered", Kind: Count, Doc: "Interrupted attempts whose recovery is known.",
				Formula: CountOfListed("recovered_attempt")},
			{Name: "recovery_mean_seconds", Kind: Ratio, Unit: "seconds",
				Doc:     "From the end of an interrupted attempt to the first time that a later one used what it held, mean.",
				Formula: RatioOf(Sum("recovery_seconds"), CountOfListed("recovered_attempt"))},
			attr("recovery_p95_seconds", Duration, "95th percentile of it, by nearest rank.").unit("seconds").beside(),
			attr("worst_week_interruptions", Count,
				"Interruptions in the week (from Monday, UTC) with most of them; NULL without any.").beside(),
			attr("worst_hour_interruptions", Count, "Interruptions in the hour with most of them; NULL without any.").beside(),
			attr("pilot_gate", Text,
				"Whether spot held what a pilot must: "+PilotGates+". Unknown under a week, or where no recovery is known.").
				values("pass", "fail", "unknown").beside().caveat("Of the whole group, whatever else the question filters."),
			attr("pilot_reasons", Text, "Why it is not pass.").beside(),
			attr("alarm", Bool, "More than "+strconv.Itoa(PilotAlarm)+" interruptions in one hour.").beside(),
			attr("checkpoint_seconds", Duration,
				"C, what writing a checkpoint costs: the mean of what the group's attempts reported in the window, rounded up to "+
					"whole seconds; 60 where none did.").unit("seconds").beside(),
			attr("checkpoint_basis", Text, "Whether C is measured or assumed.").values("measured", "assumed").beside(),
			attr("young_interval_seconds", Duration,
				"How often to write a checkpoint after Young (1974): √(2 C M), C = checkpoint_seconds, M = spot_instance_hours ÷ "+
					"interruptions; NULL without interruptions.").unit("seconds").beside().
				caveat("A gang on n machines is interrupted n times as often: divide by √n."),
			attr("checkpoint_interval_seconds", Duration,
				"The same with the higher order of Daly (2006); M where a checkpoint costs "+
					"at least M ÷ 2.").unit("seconds").beside(),
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
	Name:   "spot_postings",
	InPart: true,
	Doc: "The postings that dataset spot adds up: of spot machines, held or not, and of what interruptions " +
		"destroyed, wherever it ran. Gross savings are Σ gross_savings, net savings that less Σ lost_cost.",
	Columns: sourced("postings, nodes, spot_rates, attempts, runs, owners", []Column{
		attr("posting_id", ID, "Posting."),
		attr("hour", Time, "Hour of the service."),
		attr("hour_of_day", Text, "That of the hour, UTC: 00 to 23."),
		attr("cluster", Text, "Cluster."),
		attr("node", Text, "Machine."),
		attr("instance_type", Text, "Instance type."),
		attr("region", Text, "Region."),
		attr("zone", Text, "Zone."),
		attr("account", Text, "Account that pays for the machine."),
		attr("gpu_model", Text, "GPU model."),
		attr("namespace", Text, "Namespace of who held it."),
		attr("workload_class", Text, "Class of who held it."),
		attr("workload_kind", Text, "Kind of who held it."),
		attr("run", Text, "Run; NULL where none held it."),
		attr("attempt", Count, "Attempt of the run."),
		attr("kind", Text, "Kind of the run."),
		attr("team", Text, "Team; `unowned` where nothing names one."),
		attr("cause", Text, "Cause of the cost."),
		moneyColumn("effective_cost",
			"Effective cost of time on the spot machine; NULL where there is none, and where the machine is no spot machine.",
			Field("effective_cost")),
		attr("gpu_hours", Quantity,
			"GPU-hours, held or not; NULL of a posting beside the one that counts them.").unit("GPU-hours"),
		attr("machine_gpus", Count, "GPUs of the machine."),
		moneyColumn("on_demand_rate", "What an hour of the machine would have cost on demand; NULL: unknown.",
			Field("on_demand_rate")),
		attr("on_demand_source", Text, "Who says so.").values("contracted", "bill", "price_book", "catalogue", "unknown"),
		attr("on_demand_detail", Text, "What the source says of the rate."),
		moneyColumn("on_demand_equivalent",
			"on_demand_rate × gpu_hours ÷ machine_gpus; where the source is the bill, the list cost of the "+
				"posting; NULL: unknown.", Field("on_demand_equivalent")),
		moneyColumn("gross_savings", "on_demand_equivalent less effective_cost; NULL: unknown.", Field("gross_savings")),
		moneyColumn("lost_cost",
			"Effective cost of work that a spot interruption destroyed, and of the overhead of the attempt that followed; "+
				"0 of all else.", Field("lost_cost")),
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
	Name:   "interruptions",
	InPart: true,
	Doc: "One spot machine that was taken away, and one attempt that it ended; a row without run where it ended " +
		"none; one row per currency of what was lost.",
	Columns: sourced("spot_interruptions, spot_hits, nodes, attempts, runs, postings", []Column{
		attr("at", Time, "When the machine ended."),
		attr("warned_at", Time, "Last warning before."),
		attr("cluster", Text, "Cluster."),
		attr("node", Text, "Machine."),
		attr("instance_type", Text, "Instance type."),
		attr("region", Text, "Region."),
		attr("zone", Text, "Zone."),
		attr("run_id", Text, "Run whose attempt ended; NULL where none did."),
		attr("task", Text, "Task; NULL for gangs."),
		attr("attempt", Count, "Number of the attempt."),
		attr("team", Text, "Team of the run, else of the machine."),
		attr("kind", Text, "Kind of the run."),
		attr("recovery_seconds", Duration,
			"From the end of the attempt to the first time that a later one used what it held; NULL where none has, and for "+
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
