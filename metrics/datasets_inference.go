package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

// Rows with a counter for the divisor of a unit cost (docs/figures.md 16.7).
var (
	tokensCounted   = Where("counts_tokens", "true")
	requestsCounted = Where("counts_requests", "true")
)

const inferenceTables = "serving_hours: postings, usage, counter_hours"

var inference = Dataset{
	Name: "inference",
	Lead: []string{"service", "model", Basis, "currency", "requests", "cost_per_1m_tokens", "cost_per_1k_requests",
		"idle_cost", "gpu_hours", "latency_p95", "state", "cluster"},
	InPart: true,
	Doc: "Requests and tokens that were served and their cost, idle time included: one service, model, server, tenant " +
		"and currency. Rows add up under any grouping.",
	Columns: sourced(inferenceTables, slices.Concat(
		[]Column{
			attr("period_start", Time, "Start of the period."),
			attr("service", Text, "Inference deployment; for serving workloads of another class, their root owner."),
			attr("model", Text, "The model that the served name joins, by the policy's served_models or by rule, else the "+
				"served name, else the owner's model."),
			attr("server", Text, "Server whose counters were read: vllm, triton …; NULL without counters."),
			attr("tenant", Text, "Tenant that was served, if a mapping of counters names one."),
			attr("cluster", Text, "Cluster."),
			attr("namespace", Text, "Namespace."),
		},
		served(),
		[]Column{
			{
				Name: "replicas", Kind: Count, Doc: "Replicas that held GPU time in the period; those of a rollout count again.",
				Formula: CountOfListed("replica"),
			},
			{
				Name: "replica_hours", Kind: Quantity, Unit: "hours",
				Doc: "Hours that replicas held; a replica of several pods counts once.", Formula: Sum("replica_hours"),
			},
			gpuHours("gpu_hours", "GPU-hours held.", Sum("gpu_hours")),
			gpuHours("used_gpu_hours", "GPU-hours with cause `used`.", Sum("used_gpu_hours")),
			gpuHours("active_gpu_hours", "Useful GPU-hours.", Sum("active_gpu_hours")),
			moneyColumn("effective_cost", "Cost of all time that the services' workloads held, with idle time, start-up and "+
				"host.",
				Sum("effective_cost")).
				caveat("Before sharing: idle capacity of others is not included."),
			moneyColumn("billed_cost", docBilled, Sum("billed_cost")),
			moneyColumn("list_cost", docList, Sum("list_cost")),
			moneyColumn("contracted_cost", docContracted, Sum("contracted_cost")),
		},
		servedCauses(),
		[]Column{
			moneyColumn("input_cost", "Effective cost of reading prompts.", Sum("input_cost")).
				caveat("split_basis names the split between input and output."),
			moneyColumn("output_cost", "Effective cost of generating: the rest.", Sum("output_cost")),
			{Name: "split_basis", Kind: Text,
				Doc: "Split between input and output: by seconds of prefill and decode (measured), by tokens with the policy's " +
					"output_weight (weighted), by that weight alone (stated).",
				Formula: Formula{Op: OpDistinct, Field: "split_basis"},
				Caveats: []string{"Lists all that occur, separated by blanks."}},
		},
		servedUnitCosts(),
		servedLatencies(),
		[]Column{
			{Name: "tokens_per_gpu_second", Kind: Ratio, Unit: "tokens per GPU-second",
				Doc:     "Prompt and generated tokens per second of held GPU, if tokens are counted.",
				Formula: RatioOf(Sum("tokens"), Sum("gpu_seconds", tokensCounted))},
			{Name: "tokens_per_active_gpu_second", Kind: Ratio, Unit: "tokens per GPU-second",
				Doc:     "The same per second of active GPU.",
				Formula: RatioOf(Sum("tokens"), Sum("active_gpu_seconds", tokensCounted))},
			{
				Name: "utilisation", Kind: Ratio, Doc: "Active over held GPU-hours.",
				Formula: RatioOf(Sum("active_gpu_hours"), Sum("gpu_hours")),
			},
			{Name: "coverage", Kind: Ratio, Doc: "Replica-minutes with a counter sample over replica-minutes held.",
				Formula: RatioOf(Sum("seen_minutes"), Sum("held_minutes")),
				Caveats: []string{
					"Nothing is extrapolated: below 1 requests and tokens are a lower bound, and unit costs an upper one.",
				}},
			leastSettled(),
			currency(),
		},
		heldActivity("If a replica served several models in an hour, each model has its share of the minutes."),
	)...),
	Windowed: true,
	Stepped:  true,
	Totals:   true,
	Offers: []string{"team", "project", "business_unit", "environment", "cost_center", "stage", "model_version",
		"workload_kind", "workload_class", "pod",
		"region", "zone", "instance_type", "gpu_model", "pricing"},
	RowKey: []string{"period_start", "cluster", "namespace", "service", "model", "server", "tenant", "currency"},
	Order:  []Order{{Column: "period_start"}, {Column: Basis, Desc: true}, {Column: "service"}, {Column: "model"}},
}

// served are the counts; NULL if not counted.
func served() []Column {
	count := func(name, unit, doc string) Column {
		return Column{Name: name, Kind: Count, Unit: unit, Doc: doc, Formula: Sum(name)}
	}
	return []Column{
		count("requests", "requests", "Requests that finished with an answer.").
			caveat("Calls imported by llm-usage are a gateway's view, perhaps of the same requests: never added.",
				"If a gateway, a router and an engine count the same requests, one layer counts, engines first."),
		count("failed_requests", "requests", "Requests that were aborted, refused or ended in an error."),
		count("inferences", "inferences", "Elements of batches if the server counts them, else requests."),
		count("prompt_tokens", "tokens", "Tokens of prompts, cached ones included."),
		count("cached_prompt_tokens", "tokens", "Prompt tokens that a cache had; NULL if no server reports them."),
		count("generation_tokens", "tokens", "Tokens generated."),
	}
}

// servedCauses are the causes of held time that make up the cost.
func servedCauses() []Column {
	of := func(name, field string, cause ledger.Cause, doc string) Column {
		return moneyColumn(name, doc+" (cause `"+string(cause)+"`).", SumOrZero(field))
	}
	return []Column{
		of("used_cost", "used_cost", ledger.Used, "Held and used"),
		of("idle_cost", "held_idle_cost", ledger.HeldIdle, "Held without work"),
		of("startup_cost", "overhead_cost", ledger.Overhead,
			"Starting: pulling, loading, crashing; the cost of scaling from zero"),
		of("lost_cost", "lost_cost", ledger.Lost, "Work that was lost"),
		of("unobserved_cost", "unobserved_cost", ledger.Unobserved, "Held while activity was not observed"),
		of("host_cost", "host_cost", ledger.Host, "The host's share"),
		of("metered_cost", "metered_cost", ledger.Metered, "Spend that is metered per use"),
	}
}

// servedUnitCosts divide effective cost by counts.
func servedUnitCosts() []Column {
	per := func(name, doc, field, units string, where ...Match) Column {
		c := Column{Name: name, Kind: Ratio, Unit: "currency", Doc: doc, Formula: RatioOf(Sum(field, where...), Sum(units))}
		if len(where) > 0 {
			c = c.caveat("Only for services and models that count them on the day: uncounted serving is in no unit cost.")
		}
		return c
	}
	return []Column{
		per("cost_per_1k_requests", "Effective cost per thousand answered requests.", "effective_cost", "thousand_requests",
			requestsCounted),
		per("cost_per_1k_inferences", "Effective cost per thousand inferences.", "effective_cost", "thousand_inferences",
			requestsCounted),
		per("cost_per_1k_tokens", "Effective cost per thousand tokens, prompt and generated.", "effective_cost",
			"thousand_tokens", tokensCounted),
		per("cost_per_100k_tokens", "Effective cost per hundred thousand tokens.", "effective_cost",
			"hundred_thousand_tokens", tokensCounted),
		per("cost_per_1m_tokens", "Effective cost per million tokens.", "effective_cost", "million_tokens", tokensCounted),
		per("cost_per_1k_input_tokens", "Input cost per thousand prompt tokens, cached ones included.", "input_cost",
			"thousand_prompt_tokens", tokensCounted),
		per("cost_per_1k_output_tokens", "Output cost per thousand generated tokens.", "output_cost",
			"thousand_generation_tokens", tokensCounted),
		per("cost_per_replica_hour", "Effective cost of an hour of a replica.", "effective_cost", "replica_hours"),
	}
}

// servedLatencies are percentiles and means, in seconds.
func servedLatencies() []Column {
	percentile := func(name, field string, ppm int64, doc string) Column {
		return Column{Name: name, Kind: Ratio, Unit: "seconds", Doc: doc, Formula: QuantileOf(field, ppm),
			Caveats: []string{"Interpolated within the servers' buckets: as fine as those are."}}
	}
	mean := func(name, sum, samples, doc string) Column {
		return Column{Name: name, Kind: Ratio, Unit: "seconds", Doc: doc, Formula: RatioOf(Sum(sum), Sum(samples))}
	}
	return []Column{
		percentile("latency_p50", "latency", 500_000, "Half of the requests took at most this long, end to end."),
		percentile("latency_p95", "latency", 950_000, "P95 of latency."),
		percentile("latency_p99", "latency", 990_000, "P99 of latency."),
		mean("latency_mean", "latency_seconds", "latency_samples", "Mean latency."),
		percentile("ttft_p50", "ttft", 500_000, "Half of the requests had their first token within this time."),
		percentile("ttft_p95", "ttft", 950_000, "P95 of the time to the first token."),
		percentile("ttft_p99", "ttft", 990_000, "P99 of the time to the first token."),
		mean("ttft_mean", "ttft_seconds", "ttft_samples", "Mean time to the first token."),
		percentile("queue_wait_p95", "queue", 950_000, "P95 of the time that requests waited inside the server."),
		mean("queue_wait_mean", "queue_seconds", "queue_samples", "Mean time that requests waited inside the server."),
	}
}
