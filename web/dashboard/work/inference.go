package work

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// inferencePage shows the cost of serving per unit, and the part that waited for traffic.
var inferencePage = figures.Page{
	Path: "/inference", Title: "Inference", Group: page.RailWork, Dataset: "inference",
	By: "service", Order: "-effective_cost",
	Groupings: []figures.Grouping{
		{Text: "Services", Keys: "service"},
		{Text: "Models", Keys: "model"},
		{Text: "Teams", Keys: "team"},
		{Text: "Tenants", Keys: "tenant"},
		{Text: "Servers", Keys: "server"},
		{Text: "GPU models", Keys: "gpu_model"},
		{Text: "Clusters", Keys: "cluster"},
		{Text: "Services by model", Keys: "service,model"},
	},
	Facts: []figures.Column{
		{Name: "effective_cost", Text: "Cost of serving"}, {Name: "idle_cost", Text: "Waiting for traffic"},
		{Name: "startup_cost", Text: "Startup"}, {Name: "requests", Text: "Requests"},
		{Name: "cost_per_1k_requests", Text: "Per 1k requests"},
		{Name: "cost_per_1k_inferences", Text: "Per 1k inferences"}, {Name: "cost_per_1m_tokens", Text: "Per 1M tokens"},
		{Name: "ttft_p95", Text: "First token, p95"}, {Name: "latency_p95", Text: "Latency, p95"},
		{Name: "tokens_per_gpu_second", Text: "Tokens per GPU-second"},
		{Name: "utilisation", Text: "Utilisation of replicas"}, {Name: "cost_per_replica_hour", Text: "Per replica-hour"},
	},
	Course: &figures.Course{
		Title: "Cost per 1M tokens", Note: "idle included, effective cost", Column: "cost_per_1m_tokens",
	},
	Columns: []figures.Column{
		{Name: "replicas", Text: "Replicas", Class: "xl-only"}, {Name: "requests", Text: "Requests", Class: "wide-only"},
		{Name: "failed_requests", Text: "Failed", Class: "max-only"},
		{Name: "cost_per_1k_requests", Text: "1k requests"},
		{Name: "cost_per_1m_tokens", Text: "1M tokens", Class: "wide-only"},
		{Name: "latency_p95", Text: "Latency p95", Class: "xl-only"},
		{Name: "utilisation", Text: "Utilisation", Class: "wide-only"},
		{Name: "activity_p50", Text: "Activity p50", Class: "max-only"},
		{Name: "activity_p95", Text: "Activity p95", Class: "max-only"},
		{Name: "idle_cost", Text: "Idle", Class: "wide-only"},
		{Name: "effective_cost", Text: "Cost", Why: figures.WhyOf("service", "service")},
	},
	Causes: servedCauses,
	Say: func(p *page.Context, f *figures.Reading) (string, string) {
		w, ok := f.Largest(p)
		if !ok {
			return "Cost of serving per request and token.", ""
		}
		c := p.Printed(w.Text("currency"))
		sentence, _ := figures.Unpriced("services")
		if cost := w.Amount("effective_cost"); cost != nil {
			sentence = "Serving cost " + c.Money(*cost) + "."
			if idle := w.Known("idle_cost"); idle.Sign() > 0 {
				sentence += " " + format.WholePercent(idle.Rat(), cost.Rat()) + " of it waited for traffic."
			}
		}
		if w.Value("requests").Valid {
			return sentence, format.Count(w.Count("requests")) + " requests were answered. Cost per request includes idle time."
		}
		return sentence, "No server reports how many requests it answered."
	},
	None: "Services appear when serving workloads are imported and allocated.",
	More: []figures.Panel{
		{Title: "Cost of tokens", Note: "per service and model, idle time included", Dataset: "inference",
			By: "service,model", Order: "-effective_cost", Limit: 40, None: "No server reports tokens.",
			Leave: figures.Leave{
				Column: "cost_per_1m_tokens", One: "service that reports no tokens", Many: "services that report no tokens",
			},
			Columns: []figures.Column{
				{Name: "prompt_tokens", Text: "Input tokens", Class: "max-only"},
				{Name: "generation_tokens", Text: "Output tokens", Class: "max-only"},
				{Name: "cost_per_1k_input_tokens", Text: "1k input", Class: "wide-only"},
				{Name: "cost_per_1k_output_tokens", Text: "1k output", Class: "wide-only"},
				{Name: "tokens_per_gpu_second", Text: "Per GPU-second", Class: "xl-only"},
				{Name: "ttft_p95", Text: "First token p95", Class: "xl-only"},
				{Name: "cost_per_1m_tokens", Text: "1M tokens"}}},
		{Title: "Provider's split of pods outside runs",
			Note:    "the provider's split of its machines next to the ledger's cost of the same pods",
			Dataset: "provider_splits", Filter: "run = ''", Order: "-provider_split_cost", Limit: 30,
			None: "No bill splits a machine between pods outside runs.", Columns: []figures.Column{
				{Name: "workload", Text: "Workload"}, {Name: "workload_kind", Text: "Kind", Class: "xl-only"},
				{Name: "namespace", Text: "Namespace", Class: "wide-only"},
				{Name: "team", Text: "Team", Class: "wide-only"}, {Name: "pods", Text: "Pods", Class: "xl-only"},
				{Name: "used_cost", Text: "Used", Class: "wide-only"}, {Name: "unused_cost", Text: "Unused", Class: "wide-only"},
				{Name: "provider_split_cost", Text: "Provider's split"}, {Name: "effective_cost", Text: "Ledger"}}},
	},
	Notes: []string{
		"n/a: the server reports no tokens or had no traffic. It is never shown as 0.",
		"Percentiles are as precise as the servers' histogram buckets.",
	},
}

// servedCauses splits the cost of serving by cause.
func servedCauses(r page.Record) map[ledger.Cause]money.Amount {
	return map[ledger.Cause]money.Amount{
		ledger.Used: r.Known("used_cost"), ledger.Overhead: r.Known("startup_cost"),
		ledger.HeldIdle: r.Known("idle_cost"), ledger.Lost: r.Known("lost_cost"),
		ledger.Unobserved: r.Known("unobserved_cost"),
		ledger.Host:       r.Known("host_cost"), ledger.Metered: r.Known("metered_cost"),
	}
}
