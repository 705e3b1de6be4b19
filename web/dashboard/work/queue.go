package work

import (
	"fmt"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// starvedText is the head of the workloads that waited too long.
var starvedText = fmt.Sprintf("Over %d h", metrics.StarvedHours)

// queuePage shows how long workloads wait for GPUs, and the cost of waiting.
var queuePage = figures.Page{
	Path: "/queue", Title: "Queue", Group: page.RailWork, Dataset: "queue",
	By: "team", Order: "-pending_gpu_hours",
	Groupings: []figures.Grouping{
		{Text: "Teams", Keys: "team"},
		{Text: "Queues", Keys: "queue"},
		{Text: "GPU models", Keys: "gpu_model"},
		{Text: "Workload classes", Keys: "workload_class"},
		{Text: "Clusters", Keys: "cluster"},
		{Text: "Namespaces", Keys: "namespace"},
		{Text: "Priorities", Keys: "priority"},
	},
	Facts: []figures.Column{
		{Name: "wait_p50_seconds", Text: "Wait, median"}, {Name: "wait_p95_seconds", Text: "Wait, p95"},
		{Name: "wait_max_seconds", Text: "Longest wait"}, {Name: "pending_gpu_hours", Text: "Pending GPU-hours"},
		{Name: "workloads", Text: "Workloads"}, {Name: "waiting", Text: "Still waiting"},
		{Name: "starved", Text: starvedText}, {Name: "gang_wait_cost", Text: "Gang wait of these workloads"},
	},
	Columns: []figures.Column{
		{Name: "workloads", Text: "Workloads", Class: "wide-only"},
		{Name: "requested_gpus", Text: "GPUs requested", Class: "xl-only"},
		{Name: "wait_p50_seconds", Text: "Median wait"}, {Name: "wait_p95_seconds", Text: "p95"},
		{Name: "wait_max_seconds", Text: "Longest", Class: "wide-only"},
		{Name: "waiting", Text: "Waiting", Class: "wide-only"},
		{Name: "never_started", Text: "Never started", Class: "max-only"},
		{Name: "starved", Text: starvedText, Class: "xl-only"},
		{Name: "gang_wait_cost", Text: "Gang wait", Class: "wide-only"}, {Name: "pending_gpu_hours", Text: "Pending GPU-h"},
	},
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Waiting time for GPUs.", ""
		}
		sentence := "Half of the workloads waited " + format.Duration(w.Count("wait_p50_seconds")) +
			" or less for GPUs; one in twenty waited over " + format.Duration(w.Count("wait_p95_seconds")) + "."
		sub := "Workloads waited for " + format.GPUHours(w.Known("pending_gpu_hours")) + " GPU-hours."
		if n := w.Count("starved"); n > 0 {
			sub += " " + format.Plural(int(n), "workload", "workloads") +
				fmt.Sprintf(" waited longer than %d hours.", metrics.StarvedHours)
		}
		return sentence, sub
	},
	None: "Waits appear when workloads that request GPUs are imported.",
	Notes: []string{
		"Workloads created in the period. One that never started waits until it ends, or else until the data ends.",
	},
	More: []figures.Panel{
		{Title: "Fair share", Note: "held share of each quota", Dataset: "fair_share",
			None: "No GPU quota is known: no ResourceQuota or ClusterQueue grants one.", Columns: []figures.Column{
				{Name: "cluster", Text: "Cluster"}, {Name: "granted_by", Text: "Granted by", Class: "wide-only"},
				{Name: "namespace", Text: "Namespace"}, {Name: "queue", Text: "Queue", Class: "wide-only"},
				{Name: "resource", Text: "Resource", Class: "xl-only"},
				{Name: "quota", Text: "Quota"}, {Name: "held_hours", Text: "Held h", Class: "wide-only"},
				{Name: "quota_share", Text: "Quota share", Class: "xl-only"},
				{Name: "held_share", Text: "Held share", Class: "xl-only"}, {Name: "fair_share", Text: "Of quota"}}},
	},
}
