-- What was served and what it cost: rows of one service, model, server, tenant,
-- currency and state, of replicas by hour or UTC day or of services by day or month.
select @period_start as period_start, p.service, p.model, p.server, p.served_tenant as tenant, p.cluster, p.namespace, p.replicas as replica, p.currency, p.state,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
       p.used_cost, p.held_idle_cost, p.overhead_cost, p.lost_cost, p.unobserved_cost, p.host_cost, p.metered_cost,
       p.input_cost, p.output_cost, p.split_basis, p.counts_tokens::text as counts_tokens, p.counts_requests::text as counts_requests,
       p.gpu_hours, p.used_gpu_hours, p.active_gpu_hours, p.gpu_hours * 3600 as gpu_seconds, p.active_gpu_hours * 3600 as active_gpu_seconds,
       p.replica_hours, p.held_minutes, p.seen_minutes, p.activity_bins,
       p.requests, p.failed_requests, p.inferences, p.prompt_tokens, p.cached_prompt_tokens, p.generation_tokens, p.prompt_tokens_with_cache,
       p.requests * 0.001 as thousand_requests, p.inferences * 0.001 as thousand_inferences,
       t.tokens, t.tokens * 0.001 as thousand_tokens, t.tokens * 0.00001 as hundred_thousand_tokens, t.tokens * 0.000001 as million_tokens,
       p.prompt_tokens * 0.001 as thousand_prompt_tokens, p.generation_tokens * 0.001 as thousand_generation_tokens,
       p.prefill_ms * 0.001 as prefill_seconds, p.decode_ms * 0.001 as decode_seconds,
       p.latency_ms * 0.001 as latency_seconds, p.latency_samples, p.ttft_ms * 0.001 as ttft_seconds, p.ttft_samples,
       p.queue_ms * 0.001 as queue_seconds, p.queue_samples,
       case when p.latency_bounds is not null then row(p.latency_bounds, p.latency_counts)::histogram end as latency,
       case when p.ttft_bounds is not null then row(p.ttft_bounds, p.ttft_counts)::histogram end as ttft,
       case when p.queue_bounds is not null then row(p.queue_bounds, p.queue_counts)::histogram end as queue,
       p.team, p.project, p.business_unit, p.environment, p.cost_center, p.stage, p.model_version, p.workload_kind, p.workload_class, p.pod,
       p.region, p.zone, p.instance_type, p.gpu_model, p.pricing
from (
@serving
) p
cross join lateral (
  select case when p.prompt_tokens is not null or p.generation_tokens is not null then coalesce(p.prompt_tokens, 0) + coalesce(p.generation_tokens, 0) end as tokens
) t
