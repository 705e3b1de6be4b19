package metrics

import "slices"

var groups = Dataset{
	Name: "groups",
	Lead: []string{"group_id", "team", Basis, "currency", "runs", "succeeded", "failed", "gpu_hours", "started_at",
		"state"},
	InPart: true,
	Doc: "One group of runs (pipeline, sweep, array) over its whole life, for the groups that overlap the window; one " +
		"row per currency. " +
		"Its cost by stage is costs grouped by group and stage.",
	Columns: sourced("runs, attempts, postings, usage, owners", slices.Concat(
		[]Column{
			attr("group_id", Text, "Group: of a workflow, a sweep, an array of jobs, or the label gpuledger.io/group."),
			attr("cluster", Text, "Cluster; NULL if its runs were in several."),
			attr("namespace", Text, "Namespace; NULL if its runs were in several."),
			attr("team", Text, "Team; NULL if its runs had several."),
			attr("runs", Count, "Runs."),
			attr("succeeded", Count, "Of those, succeeded."),
			attr("failed", Count, "Of those, failed."),
			attr("cancelled", Count, "Of those, cancelled."),
			attr("open", Count, "Of those, running or queued."),
			attr("started_at", Time, "First hold of any run; NULL while all are queued."),
			attr("ended_at", Time, "End of the last run; NULL while any is open."),
			attr("attempts", Count, "Attempts of all runs."),
			attr("preemptions", Count, "Of those, ended preempted or evicted."),
		},
		summedQuantities(),
		runMoney(),
		[]Column{
			energy(),
			worstQuality(),
			leastSettled(),
			currency(),
		},
	)...),
	Windowed: true,
	RowKey:   []string{"group_id", "currency"},
	Order:    []Order{{Column: Basis, Desc: true}},
	Aliases:  map[string]string{"group": "group_id"},
}
