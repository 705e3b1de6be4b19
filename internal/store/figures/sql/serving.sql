-- What servers answered, and what their replicas cost.

-- name: serving.copy
copy serving_hours (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, service, replica, model_version,
  effective_cost, billed_cost, list_cost, contracted_cost,
  used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost,
  input_cost, output_cost, split_basis, counts_tokens, counts_requests,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, activity_bins,
  requests, failed_requests, inferences, prompt_tokens, cached_prompt_tokens, generation_tokens, prefill_ms, decode_ms,
  latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples,
  latency_bounds, latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
from stdin (format binary)

-- name: serving.copy_days
copy serving_days (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, service, replica, model_version,
  effective_cost, billed_cost, list_cost, contracted_cost,
  used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost,
  input_cost, output_cost, split_basis, counts_tokens, counts_requests,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, activity_bins,
  requests, failed_requests, inferences, prompt_tokens, cached_prompt_tokens, generation_tokens, prefill_ms, decode_ms,
  latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples,
  latency_bounds, latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
from stdin (format binary)

-- name: serving.costs
select p.workload_id, p.hour, p.currency, p.state, p.cause, sum(p.effective_cost), sum(p.billed_cost), sum(p.list_cost), sum(p.contracted_cost),
       coalesce(sum(p.gpu_hours), 0)
from postings p
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.workload_id = any($4::uuid[]) and p.cause = any($5::text[])
group by p.workload_id, p.hour, p.currency, p.state, p.cause
order by p.workload_id, p.hour, p.currency, p.state, p.cause

-- name: serving.counters
-- Counters of a day, process by process, each after its newest hour of the day
-- before.
select c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour, c.vectors
from (
  select h.*, lead(h.hour) over (partition by h.cluster, h.namespace, h.pod, h.server, h.model, h.engine order by h.hour) as next
  from counter_hours h
  where h.tenant_id = $1 and h.hour >= $2::timestamptz - interval '1 day' and h.hour < $3 and h.server <> 'cadvisor'
) c
where c.hour >= $2 or c.next is null or c.next >= $2
order by c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour

-- name: serving.forget
delete from serving_hours where tenant_id = $1 and hour >= $2 and hour < $3

-- name: serving.forget_days
delete from serving_days where tenant_id = $1 and hour >= $2 and hour < $3

-- name: serving.forget_names
delete from served_names where tenant_id = $1 and day = $2

-- name: serving.forget_services
-- The day $2 and its month.
delete from serving_services
where tenant_id = $1 and (span = 'day' and at = $2 or span <> 'day' and at = date_trunc('month', $2::timestamptz, 'UTC'))

-- name: serving.mark_names
-- Days on which these names were joined by rule are worked out again.
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, $2::text, n.day
from served_names n
where n.tenant_id = $1 and n.served_name = any ($3) and n.joined_by <> 'policy'
on conflict do nothing

-- name: serving.models
-- The models that served names are joined with: those of the owners that runs and
-- workloads have now.
select o.model
from owners o
where o.tenant_id = $1 and o.model <> ''
  and o.owner_id in (
    select w.owner_id from workloads w where w.tenant_id = $1
    union select r.owner_id from runs r where r.tenant_id = $1)
group by o.model

-- name: serving.names
-- What served names came to, whatever the day, with the last of their days.
select n.served_name, n.model, n.model_version, n.joined_by, n.among, max(n.day)
from served_names n
where n.tenant_id = $1
group by 1, 2, 3, 4, 5
order by 1, 2, 4, 3, 5

-- name: serving.new_months
-- Months that are over and not added up yet.
select m.month from (
  select distinct date_trunc('month', at, 'UTC') as month from serving_services where tenant_id = $1 and span = 'day'
) m
where (m.month at time zone 'UTC' + interval '1 month') at time zone 'UTC' - interval '24 hours' <= (select max(at) from serving_services where tenant_id = $1 and span = 'day')
  and not exists (select from serving_services s where s.tenant_id = $1 and s.span = 'month' and s.at = m.month)
order by 1

-- name: serving.put_names
insert into served_names (tenant_id, day, served_name, model, model_version, joined_by, among)
values ($1, $2, $3, $4, $5, $6, $7)

-- name: serving.put_services
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

-- name: serving.replicas
-- Workloads that held GPU time on a day, or cost something: services, and those
-- whose pods have counters.
select w.workload_id, w.cluster, w.namespace, w.name, w.kind, w.owner_name, w.service, coalesce(o.model, ''), w.hold_from, w.hold_to,
       coalesce(n.cluster, ''), coalesce(n.name, ''), coalesce(n.instance_type, ''), coalesce(n.gpu_model, '')
from workloads w
left join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
left join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
where w.tenant_id = $1 and w.hold_from is not null
  and w.workload_id in (
    select u.workload_id from usage u where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3
    union
    select p.workload_id from postings p where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3)
  and (w.service <> '' or (w.cluster, w.namespace, w.name) in (
    select c.cluster, c.namespace, c.pod from counter_hours c where c.tenant_id = $1 and c.hour >= $2 and c.hour < $3))
order by w.workload_id

-- name: serving.usage
select u.workload_id, u.hour, sum(u.gpu_hours), coalesce(sum(u.gpu_hours) filter (where u.cause = 'used'), 0), sum(u.active_gpu_hours)
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3 and u.workload_id = any($4::uuid[])
group by u.workload_id, u.hour
