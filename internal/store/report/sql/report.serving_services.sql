-- What services served and cost, by UTC day or month (docs/performance.md).
select s.at as hour, s.service, s.model, s.server, s.served_tenant, s.cluster, s.namespace, s.currency, s.state, s.split_basis, s.counts_tokens, s.counts_requests,
       s.team, s.project, s.business_unit, s.environment, s.cost_center, s.stage, s.model_version,
       s.workload_kind, s.workload_class, s.region, s.zone, s.instance_type, s.gpu_model, s.pricing, null::text as pod, s.replicas,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.used_cost, s.held_idle_cost, s.overhead_cost, s.lost_cost, s.unobserved_cost, s.host_cost,
       s.metered_cost, s.input_cost, s.output_cost, s.gpu_hours, s.used_gpu_hours, s.active_gpu_hours, s.replica_hours, s.held_minutes, s.seen_minutes, s.activity_bins, s.requests,
       s.failed_requests, s.inferences, s.prompt_tokens, s.cached_prompt_tokens, s.generation_tokens, s.prompt_tokens_with_cache,
       s.prefill_ms, s.decode_ms, s.latency_ms, s.latency_samples, s.ttft_ms, s.ttft_samples, s.queue_ms, s.queue_samples, s.latency_bounds, s.latency_counts,
       s.ttft_bounds, s.ttft_counts, s.queue_bounds, s.queue_counts
from serving_services s
where s.tenant_id = @tenant and s.span = @span and s.at >= @from and s.at < @to
