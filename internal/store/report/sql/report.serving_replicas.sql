-- What replicas served and cost, by hour or UTC day, with whose they are and where
-- they ran. Columns are those of report.serving_services.
select s.hour, s.service, nullif(s.model, '') as model, nullif(s.server, '') as server, nullif(s.served_tenant, '') as served_tenant,
       nullif(w.cluster, '') as cluster, nullif(w.namespace, '') as namespace, nullif(s.currency, '') as currency, s.state, s.split_basis, s.counts_tokens, s.counts_requests,
       nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.business_unit, '') as business_unit, nullif(o.environment, '') as environment,
       nullif(o.cost_center, '') as cost_center, nullif(o.stage, '') as stage, coalesce(nullif(o.model_version, ''), nullif(s.model_version, '')) as model_version,
       nullif(w.kind, '') as workload_kind, nullif(w.class, '') as workload_class,
       nullif(n.region, '') as region, nullif(n.zone, '') as zone, nullif(n.instance_type, '') as instance_type, nullif(n.gpu_model, '') as gpu_model,
       nullif(n.price_class, '') as pricing, w.name as pod, md5(w.cluster || '/' || w.namespace || '/' || s.replica) as replicas,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.used_cost, s.held_idle_cost, s.overhead_cost, s.lost_cost, s.unobserved_cost, s.host_cost,
       s.metered_cost, s.input_cost, s.output_cost, s.gpu_hours, s.used_gpu_hours, s.active_gpu_hours, s.replica_hours, s.held_minutes, s.seen_minutes, s.activity_bins, s.requests,
       s.failed_requests, s.inferences, s.prompt_tokens, s.cached_prompt_tokens, s.generation_tokens,
       case when s.cached_prompt_tokens is not null then s.prompt_tokens end as prompt_tokens_with_cache,
       s.prefill_ms, s.decode_ms, s.latency_ms, s.latency_samples, s.ttft_ms, s.ttft_samples, s.queue_ms, s.queue_samples, s.latency_bounds, s.latency_counts,
       s.ttft_bounds, s.ttft_counts, s.queue_bounds, s.queue_counts
from @serving_table s
join workloads w on w.tenant_id = @tenant and w.workload_id = s.workload_id
left join owners o on o.tenant_id = @tenant and o.owner_id = w.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = w.node_id
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
