package machines

import (
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// requestsPage compares the CPU and memory requests of GPU pods with their use.
var requestsPage = figures.Page{
	Path: "/requests", Title: "Requests", Group: page.RailFleet, Dataset: "requests",
	Order: "-cpu_saving",
	Columns: []figures.Column{
		{Name: "workload", Text: "Workload", Sub: "namespace"}, {Name: "team", Text: "Team", Class: "wide-only"},
		{Name: "pods", Text: "Pods", Class: "wide-only"}, {Name: "days", Text: "Days seen", Class: "xl-only"},
		{Name: "cpu_requested", Text: "CPU request"}, {Name: "cpu_p95", Text: "CPU p95"},
		{Name: "cpu_p99", Text: "CPU p99", Class: "max-only"}, {Name: "cpu_suggested", Text: "CPU suggested"},
		{Name: "memory_requested_gib", Text: "GiB request", Class: "wide-only"},
		{Name: "memory_p95_gib", Text: "GiB p95", Class: "xl-only"},
		{Name: "memory_p99_gib", Text: "GiB p99", Class: "max-only"},
		{Name: "memory_suggested_gib", Text: "GiB suggested", Class: "wide-only"},
		{Name: "cpu_saving", Text: "Cores to spare"}, {Name: "memory_saving_gib", Text: "GiB to spare", Class: "xl-only"},
	},
	Say: func(_ *page.Context, _ *figures.Reading) (string, string) {
		return "CPU and memory of GPU pods: requests against use.",
			"The suggestion is the 99th percentile plus 20 %. It needs at least two weeks of samples."
	},
	None:  "Requests appear when GPU pods and samples of their CPU and memory are imported.",
	Notes: []string{"n/a: fewer than 14 days with samples, or no request is set."},
}
