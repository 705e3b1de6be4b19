package star

var hourOfWeek = own("hour_of_week", Integer, "Hour of the week (UTC), 0 is Monday 00:00.")

// Idle is the use of machines by hour of the week: 24 rows a day and kind of machine, 168 a month.
var Idle = Fact{
	Name: "idle",
	Doc:  "Capacity of machines and how it was used, by hour of the week.",
	Rows: "report.idle_usage",
	Keys: keys(texts("cluster", "instance_type", "region", "gpu_model"), always(hourOfWeek)),
	Measures: measures(quantities("capacity_gpu_hours"), sums("GPU-h", map[string]string{
		"free_gpu_hours":      "Capacity that no one held.",
		"held_idle_gpu_hours": "Capacity that was held but idle.",
		"idle_gpu_hours":      "Capacity that counts as idle: held idle, free, stranded or unavailable.",
		"observed_gpu_hours":  "Capacity that was held or observed. The idle share leaves out the rest.",
	}, "free_gpu_hours", "held_idle_gpu_hours", "idle_gpu_hours", "observed_gpu_hours")),
	Rollups: []Rollup{{Name: "idle", Doc: "An hour of the week of a kind of machine.",
		Keys: []string{"cluster", "instance_type", "region", "gpu_model", "hour_of_week"}, Steps: []Step{Days, Months}}},
	Open:  "its rows add up machines across all holders",
	Place: []string{"cluster"},
	Reads: []string{"idle_hours"},
}

// Busy is the holders of machines by hour of the week.
var Busy = Fact{
	Name: "busy",
	Doc:  "Held GPU time by hour of the week and holder (docs/figures.md, 21.3).",
	Rows: "report.busy_usage",
	Keys: keys(texts("cluster", "gpu_model", "workload_class"), always(owner), always(hourOfWeek)),
	Measures: measures(quantities("gpu_hours"), sums("GPU-h", map[string]string{
		"used_gpu_hours":      "Held GPU time with cause used.",
		"held_idle_gpu_hours": "Held GPU time with cause held_idle.",
	}, "used_gpu_hours", "held_idle_gpu_hours")),
	Rollups: []Rollup{{Name: "busy", Doc: "An hour of the week of an owner.", Steps: []Step{Days, Months},
		Keys: []string{"cluster", "gpu_model", "workload_class", "owner_id", "hour_of_week"}}},
	Org:   []string{"owner_id"},
	Place: []string{"cluster"},
	Reads: []string{"busy_hours"},
}

// coveredHalves is half a day for covered cost and a whole day for all other cost: commitments compares the halves of
// its window, which may meet at noon.
var coveredHalves = Step{"days",
	"date_trunc('day', r.hour, 'UTC') + case when r.use = 'covered' and r.commitment is not null " +
		"and extract(hour from r.hour at time zone 'UTC') >= 12 " +
		"then interval '12 hours' else interval '0' end"}

// commitmentKeys are the keys of both roll-ups of commitment cost.
var commitmentKeys = []string{"use", "provider", "billing_account", "account", "region", "cluster", "commitment",
	"commitment_type", "instance_type", "instance_family", "state", "currency"}

// Commitment is the cost that commitments covered or could cover: by team (few rows), by owner, and on-demand use by
// type of machine hour by hour.
var Commitment = Fact{
	Name: "commitment",
	Doc:  "Cost of machines that commitments covered, left unused or could cover (docs/figures.md, 19.4, 22.1).",
	Rows: "report.commitment_costs",
	Keys: keys(always(own("use", Text, "on_demand, covered, unused or fee.")),
		texts("provider", "billing_account", "account", "region", "cluster", "commitment"),
		own("commitment_type", Text, "savings_plan or reserved."), texts("instance_type"), family, always(texts("state")),
		currency, texts("team"), always(owner),
		own("gpus", Integer, "GPUs of the machine."),
		always(own("work", Text, "Work that held the machine and was not idle: training, serving, other or none."))),
	Measures: measures(money("effective_cost"), sums("currency",
		map[string]string{"worth": "Cost of the same time without the commitment."}, "worth"),
		quantities("gpu_hours", "capacity_gpu_hours")),
	Rollups: []Rollup{
		{Name: "commitment", Doc: "By team.", Keys: and(commitmentKeys, "team"), Any: []string{"owner_id"},
			Measures: []string{"effective_cost", "worth"}, Steps: []Step{coveredHalves, Months}},
		{Name: "commitment_owner", Doc: "By owner.", Keys: and(commitmentKeys, "team", "owner_id"),
			Measures: []string{"effective_cost", "worth"}, Steps: []Step{coveredHalves, Months}},
		{Name: "level", Doc: "By type of machine and work, hour by hour.",
			Measures: []string{"effective_cost", "gpu_hours", "capacity_gpu_hours"}, Steps: []Step{Hours},
			Keys: []string{"use", "provider", "region", "instance_type", "instance_family", "gpus", "work", "state",
				"currency"}},
	},
	Org:   ofOwners,
	Place: []string{"cluster"},
	Reads: []string{"commitments", "commitment_demand"},
}

var family = own("instance_family", Text, "Family of the instance type.")

// Held counts the hours in which a team held any machine of a family.
var Held = Fact{
	Name:     "held",
	Doc:      "Hours in which a team held any machine of a family.",
	Rows:     "report.held_hours",
	Keys:     keys(always(texts("team")), family, texts("region")),
	Measures: measures(sums("h", map[string]string{"hours": "Hours."}, "hours"), hours()),
	Rollups: []Rollup{{Name: "held", Doc: "A team's day.", Keys: []string{"team", "instance_family", "region"},
		Steps: []Step{Days, Months}}},
	Org:      []string{"team"},
	Anywhere: "an hour counts once, even if the team held machines in several clusters",
	Reads:    []string{"commitment_demand"},
}

// Covered is the billed, observed and known parts of the capacity of machines.
var Covered = Fact{
	Name: "covered",
	Doc:  "Capacity of machines, and the parts that were billed, observed and known.",
	Rows: "report.covered_hours",
	Keys: keys(texts("cluster"), always(own("node_id", ID, "Machine."))),
	Measures: measures(sums("GPU-h", map[string]string{
		"capacity":   "Billed or observed capacity of each hour, whichever is more.",
		"billed":     "Billed part of the capacity.",
		"surplus":    "Capacity observed beyond the lines that bill the hour.",
		"unbilled":   "Capacity in hours that no line bills.",
		"known":      "Capacity whose activity is known.",
		"held":       "Capacity that was held.",
		"unobserved": "Capacity with cause unobserved.",
		"measured":   "Capacity of quality measured.",
		"estimated":  "Capacity of quality estimated.",
		"assumed":    "Capacity of quality assumed.",
	}, "capacity", "billed", "surplus", "unbilled", "known", "held", "unobserved", "measured", "estimated", "assumed"),
		[]Measure{
			{Name: "without_bill", Type: Bool, Merge: Each, Doc: "No line bills any of the machine's time.", Always: true},
			{Name: "without_telemetry", Type: Bool, Merge: Each, Doc: "No sample of its GPUs is known.", Always: true},
		}),
	Rollups: []Rollup{{Name: "covered", Doc: "A machine.", Keys: []string{"cluster", "node_id"},
		Steps: []Step{Days, Months}}},
	Closed: "its rows add up machines across all holders, and `coverage` covers them all",
	Place:  []string{"cluster"},
	Reads:  []string{"coverage"},
}
