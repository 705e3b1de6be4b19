-- Adds up what replicas served from $3 to $4 into rows of span $2; with their
-- places where $5.
insert into serving_services (tenant_id, span, at, service, model, server, served_tenant, cluster, namespace, currency, state, split_basis, counts_tokens, counts_requests,
  team, project, business_unit, environment, cost_center, stage, model_version, workload_kind, workload_class, region, zone, instance_type, gpu_model, pricing,
  replicas, effective_cost, billed_cost, list_cost, contracted_cost, used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost, input_cost, output_cost,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, activity_bins,
  requests, failed_requests, inferences, prompt_tokens, cached_prompt_tokens, generation_tokens, prompt_tokens_with_cache, prefill_ms, decode_ms,
  latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples,
  latency_bounds, latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
select $1::int, $2::text, $3::timestamptz, p.service, p.model, p.server, p.served_tenant, p.cluster, p.namespace, p.currency, p.state, p.split_basis, p.counts_tokens, p.counts_requests,
  p.team, p.project, p.business_unit, p.environment, p.cost_center, p.stage, p.model_version, p.workload_kind, p.workload_class, p.region, p.zone, p.instance_type, p.gpu_model, p.pricing,
  p.replicas, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.used_cost, p.held_idle_cost, p.overhead_cost, p.lost_cost, p.unobserved_cost, p.host_cost, p.metered_cost, p.input_cost, p.output_cost,
  p.gpu_hours, p.used_gpu_hours, p.active_gpu_hours, p.replica_hours, p.held_minutes, p.seen_minutes, p.activity_bins,
  p.requests, p.failed_requests, p.inferences, p.prompt_tokens, p.cached_prompt_tokens, p.generation_tokens, p.prompt_tokens_with_cache, p.prefill_ms, p.decode_ms,
  p.latency_ms, p.latency_samples, p.ttft_ms, p.ttft_samples, p.queue_ms, p.queue_samples,
  p.latency_bounds, histogram_counts(p.latency_counts, cardinality(p.latency_bounds)), p.ttft_bounds, histogram_counts(p.ttft_counts, cardinality(p.ttft_bounds)),
  p.queue_bounds, histogram_counts(p.queue_counts, cardinality(p.queue_bounds))
from (
  select s.service, nullif(s.model, '') as model, nullif(s.server, '') as server, nullif(s.served_tenant, '') as served_tenant,
    nullif(w.cluster, '') as cluster, nullif(w.namespace, '') as namespace, nullif(s.currency, '') as currency, s.state, s.split_basis, s.counts_tokens, s.counts_requests,
    nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.business_unit, '') as business_unit, nullif(o.environment, '') as environment,
    nullif(o.cost_center, '') as cost_center, nullif(o.stage, '') as stage, coalesce(nullif(o.model_version, ''), nullif(s.model_version, '')) as model_version,
    nullif(w.kind, '') as workload_kind, nullif(w.class, '') as workload_class,
    case when $5::bool then nullif(n.region, '') end as region, case when $5 then nullif(n.zone, '') end as zone, case when $5 then nullif(n.instance_type, '') end as instance_type,
    case when $5 then nullif(n.gpu_model, '') end as gpu_model, case when $5 then nullif(n.price_class, '') end as pricing,
    string_agg(distinct md5(w.cluster || '/' || w.namespace || '/' || s.replica), ',') as replicas,
    sum(s.effective_cost) as effective_cost, sum(s.billed_cost) as billed_cost, sum(s.list_cost) as list_cost, sum(s.contracted_cost) as contracted_cost,
    sum(s.used_cost) as used_cost, sum(s.held_idle_cost) as held_idle_cost, sum(s.overhead_cost) as overhead_cost, sum(s.lost_cost) as lost_cost,
    sum(s.unobserved_cost) as unobserved_cost, sum(s.host_cost) as host_cost, sum(s.metered_cost) as metered_cost, sum(s.input_cost) as input_cost, sum(s.output_cost) as output_cost,
    sum(s.gpu_hours) as gpu_hours, sum(s.used_gpu_hours) as used_gpu_hours, sum(s.active_gpu_hours) as active_gpu_hours,
    sum(s.replica_hours) as replica_hours, sum(s.held_minutes) as held_minutes, sum(s.seen_minutes) as seen_minutes, merged_bins(s.activity_bins) as activity_bins,
    sum(s.requests) as requests, sum(s.failed_requests) as failed_requests, sum(s.inferences) as inferences,
    sum(s.prompt_tokens) as prompt_tokens, sum(s.cached_prompt_tokens) as cached_prompt_tokens, sum(s.generation_tokens) as generation_tokens,
    sum(s.prompt_tokens) filter (where s.cached_prompt_tokens is not null) as prompt_tokens_with_cache, sum(s.prefill_ms) as prefill_ms, sum(s.decode_ms) as decode_ms,
    sum(s.latency_ms) as latency_ms, sum(s.latency_samples) as latency_samples, sum(s.ttft_ms) as ttft_ms, sum(s.ttft_samples) as ttft_samples,
    sum(s.queue_ms) as queue_ms, sum(s.queue_samples) as queue_samples,
    s.latency_bounds, array_agg(s.latency_counts) filter (where s.latency_counts is not null) as latency_counts, s.ttft_bounds, array_agg(s.ttft_counts) filter (where s.ttft_counts is not null) as ttft_counts, s.queue_bounds, array_agg(s.queue_counts) filter (where s.queue_counts is not null) as queue_counts
  from serving_days s
  join workloads w on w.tenant_id = $1 and w.workload_id = s.workload_id
  left join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
  left join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
  where s.tenant_id = $1 and s.hour >= $3 and s.hour < $4
  group by s.service, s.model, s.server, s.served_tenant, w.cluster, w.namespace, s.currency, s.state, s.split_basis, s.counts_tokens, s.counts_requests,
    o.team, o.project, o.business_unit, o.environment, o.cost_center, o.stage, coalesce(nullif(o.model_version, ''), nullif(s.model_version, '')), w.kind, w.class,
    case when $5 then nullif(n.region, '') end, case when $5 then nullif(n.zone, '') end, case when $5 then nullif(n.instance_type, '') end,
    case when $5 then nullif(n.gpu_model, '') end, case when $5 then nullif(n.price_class, '') end,
    s.latency_bounds, s.ttft_bounds, s.queue_bounds
) p
