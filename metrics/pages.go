package metrics

// PageQuery is a page's query over twelve months. Its answer has at most 1,000 rows.
type PageQuery struct {
	Name    string
	Dataset string
	Options Options // without the window
}

// PageQueries are the queries with a promised speed: with 10,000 GPUs over twelve months, from at most 150,000 rows of
// roll-ups (docs/operate/performance.md).
var PageQueries = []PageQuery{
	{"overview", "costs", Options{GroupBy: "cause", Granularity: "month"}},
	{"teams", "costs", Options{GroupBy: "team", Order: "-effective_cost"}},
	{"teams by month", "costs", Options{GroupBy: "team", Granularity: "month"}},
	{"trend", "costs", Options{Granularity: "day"}},
	{"idle share", "costs", Options{GroupBy: "cause", Granularity: "week"}},
	{"top runs", "costs", Options{GroupBy: "run,team", Filter: "run != ''", Order: "-effective_cost", Limit: "50"}},
	{
		"inference", "costs", Options{
			GroupBy: "service,model", Filter: "workload_class = service", Order: "-effective_cost", Limit: "1000",
		},
	},
	{"machines", "costs", Options{GroupBy: "instance_type,gpu_model,region", Order: "-cost_per_active_gpu_hour"}},
	{
		"waste", "costs", Options{
			GroupBy: "team,cluster,cause", Filter: "cause in (held_idle, lost, free, stranded, unavailable, commitment_unused)",
			Order: "-effective_cost", Limit: "1000",
		},
	},
	{"spot", "costs", Options{GroupBy: "pricing,instance_type", Granularity: "month", Limit: "1000"}},
	{"commitments", "commitments", Options{GroupBy: "instance_family", Order: "-unused_cost", Limit: "1000"}},
	{"queues", "costs", Options{GroupBy: "queue,team,workload_class", Order: "-gpu_hours", Limit: "1000"}},
}

// Over is the query over a window.
func (p PageQuery) Over(from, to string) (Query, error) {
	o := p.Options
	o.From, o.To = from, to
	return Parse(p.Dataset, o)
}
