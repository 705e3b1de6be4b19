-- Served requests, and the cost of replicas.

-- name: serving.copy
copy serving_hours (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, service, replica,
  model_version,
  effective_cost, billed_cost, list_cost, contracted_cost,
  used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost,
  input_cost, output_cost, split_basis, counts_tokens, counts_requests,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, activity_bins,
  requests, failed_requests, inferences, prompt_tokens, cached_prompt_tokens, generation_tokens, prefill_ms, decode_ms,
  latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples,
  latency_bounds, latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
from stdin (format binary)

-- name: serving.costs
select p.workload_id, p.hour, p.currency, p.state, p.cause, sum(p.effective_cost) as effective,
       sum(p.billed_cost) as billed,
       sum(p.list_cost) as list, sum(p.contracted_cost) as contracted, coalesce(sum(p.gpu_hours), 0) as gpu_hours
from postings p
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.workload_id = any($4::uuid[])
  and p.cause = any($5::text[])
group by p.workload_id, p.hour, p.currency, p.state, p.cause
order by p.workload_id, p.hour, p.currency, p.state, p.cause

-- name: serving.counters
-- Counters of a day, process by process, each after its newest hour of the day before.
select c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour, c.vectors
from (
  select h.*, lead(h.hour) over (partition by h.cluster, h.namespace, h.pod, h.server, h.model, h.engine
      order by h.hour) as next
  from counter_hours h
  where h.tenant_id = $1 and h.hour >= $2::timestamptz - interval '1 day' and h.hour < $3 and h.server <> 'cadvisor'
) c
where c.hour >= $2 or c.next is null or c.next >= $2
order by c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour

-- name: serving.forget
delete from serving_hours where tenant_id = $1 and hour >= $2 and hour < $3

-- name: serving.forget_names
delete from served_names where tenant_id = $1 and day = $2

-- name: serving.mark_names
-- Days on which these names were matched by rule are computed again.
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, $2::text, n.day
from served_names n
where n.tenant_id = $1 and n.served_name = any ($3) and n.joined_by <> 'policy'
on conflict do nothing

-- name: serving.models
-- The models that served names are matched with: those of the owners that runs and workloads have now.
select o.model
from owners o
where o.tenant_id = $1 and o.model <> ''
  and o.owner_id in (
    select w.owner_id from workloads w where w.tenant_id = $1
    union select r.owner_id from runs r where r.tenant_id = $1)
group by o.model

-- name: serving.names
-- Served names with their matches on any day, and the last of their days.
select n.served_name as served, n.model, n.model_version as version, n.joined_by as by, n.among, max(n.day) as last_day
from served_names n
where n.tenant_id = $1
group by 1, 2, 3, 4, 5
order by 1, 2, 4, 3, 5

-- name: serving.put_names
insert into served_names (tenant_id, day, served_name, model, model_version, joined_by, among)
values ($1, $2, $3, $4, $5, $6, $7)

-- name: serving.replicas
-- Workloads that held GPU time on a day or have cost: services, and workloads whose pods have counters.
select w.workload_id, w.cluster, w.namespace, w.name, w.kind, w.owner_name, w.service,
       coalesce(o.model, '') as owner_model,
       w.hold_from, w.hold_to, coalesce(n.cluster, '') as node_cluster, coalesce(n.name, '') as node_name,
       coalesce(n.instance_type, '') as instance_type, coalesce(n.gpu_model, '') as gpu_model
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
select u.workload_id, u.hour, sum(u.gpu_hours) as gpu_hours,
       coalesce(sum(u.gpu_hours) filter (where u.cause = 'used'), 0) as used_gpu_hours,
       sum(u.active_gpu_hours) as active_gpu_hours
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3 and u.workload_id = any($4::uuid[])
group by u.workload_id, u.hour
