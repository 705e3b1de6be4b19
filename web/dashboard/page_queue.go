package dashboard

import "gpuledger/web/views/format"

// queuePage says who waits for GPUs, how long, and what waiting costs.
var queuePage = figuresPage{
	Path: "/queue", Title: "Queue", Group: railWork, Dataset: "queue",
	By: "team", Order: "-pending_gpu_hours",
	Groupings: []grouping{{"Teams", "team"}, {"Queues", "queue"}, {"GPU models", "gpu_model"}, {"Workload classes", "workload_class"}, {"Clusters", "cluster"}, {"Namespaces", "namespace"}, {"Priorities", "priority"}},
	Facts: []column{
		{Name: "wait_p50_seconds", Text: "Wait, median"}, {Name: "wait_p95_seconds", Text: "Wait, p95"}, {Name: "wait_max_seconds", Text: "Longest"}, {Name: "pending_gpu_hours", Text: "Pending GPU-hours"},
		{Name: "workloads", Text: "Workloads"}, {Name: "waiting", Text: "Still waiting"}, {Name: "starved", Text: "Over 24 h"}, {Name: "gang_wait_cost", Text: "Gangs waited for"},
	},
	Columns: []column{
		{Name: "workloads", Text: "Workloads", Class: "wide-only"}, {Name: "requested_gpus", Text: "GPUs asked", Class: "xl-only"}, {Name: "wait_p50_seconds", Text: "Median wait"}, {Name: "wait_p95_seconds", Text: "p95"},
		{Name: "wait_max_seconds", Text: "Longest", Class: "wide-only"}, {Name: "waiting", Text: "Waiting", Class: "wide-only"}, {Name: "never_started", Text: "Never started", Class: "max-only"}, {Name: "starved", Text: "Over 24 h", Class: "xl-only"},
		{Name: "gang_wait_cost", Text: "Gang wait", Class: "wide-only"}, {Name: "pending_gpu_hours", Text: "Pending GPU-h"},
	},
	Reads: []string{"wait_p50_seconds", "wait_p95_seconds", "pending_gpu_hours", "starved"},
	Say: func(p *pageContext, f *figuresReading) (string, string) {
		w, ok := f.largest(p)
		if !ok {
			return "How long work waits for GPUs.", ""
		}
		sentence := "Half of the work waited " + format.Duration(w.count("wait_p50_seconds")) + " or less for its GPUs; one in twenty over " + format.Duration(w.count("wait_p95_seconds")) + "."
		sub := format.GPUHours(w.known("pending_gpu_hours")) + " GPU-hours were asked for and not there yet."
		if n := w.count("starved"); n > 0 {
			sub += " " + format.Plural(int(n), "workload", "workloads") + " waited longer than a day."
		}
		return sentence, sub
	},
	None:  "Waits appear when workloads that ask for GPUs are imported.",
	Notes: []string{"Workloads created in the period; what never held waits to its end, else to the end of what is stored"},
	More: []figuresPanel{
		{Title: "Fair share", Note: "what was held of each quota", Dataset: "fair_share", None: "No quota of GPUs is known: neither a ResourceQuota nor a ClusterQueue grants any.", Columns: []column{
			{Name: "cluster", Text: "Cluster"}, {Name: "granted_by", Text: "Granted by", Class: "wide-only"}, {Name: "namespace", Text: "Namespace"}, {Name: "queue", Text: "Queue", Class: "wide-only"}, {Name: "resource", Text: "Resource", Class: "xl-only"},
			{Name: "quota", Text: "Quota"}, {Name: "held_hours", Text: "Held h", Class: "wide-only"}, {Name: "quota_share", Text: "Quota share", Class: "xl-only"}, {Name: "held_share", Text: "Held share", Class: "xl-only"}, {Name: "fair_share", Text: "Of quota"}}},
	},
}
