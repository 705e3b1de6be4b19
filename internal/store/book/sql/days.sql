-- The inputs of a node-day.

-- name: day.after
select s.device, s.device_index, s.model, s.slice_id, s.profile, s.hour, s.node, s.row_count, s.vectors
from devices d
cross join lateral (
  select l.hour from sample_hours l
  where l.tenant_id = $1 and l.cluster = $2 and l.device = d.device and l.hour >= $4 and l.hour < $5 and l.node = $3
  order by l.hour
  limit 1
) first
join sample_hours s on s.tenant_id = $1 and s.cluster = $2 and s.device = d.device and s.hour = first.hour
  and s.node = $3
where d.tenant_id = $1 and d.cluster = $2 and d.node = $3 and d.in_mig and d.last_hour >= $4
order by s.device, s.hour, s.slice_id, s.profile

-- name: day.before
select s.device, s.device_index, s.model, s.slice_id, s.profile, s.hour, s.node, s.row_count, s.vectors
from devices d
cross join lateral (
  select l.hour from sample_hours l
  where l.tenant_id = $1 and l.cluster = $2 and l.device = d.device and l.hour >= $4 and l.hour < $5 and l.node = $3
  order by l.hour desc
  limit 1
) last
join sample_hours s on s.tenant_id = $1 and s.cluster = $2 and s.device = d.device and s.hour = last.hour
  and s.node = $3
where d.tenant_id = $1 and d.cluster = $2 and d.node = $3 and d.in_mig and d.first_hour < $5
order by s.device, s.hour, s.slice_id, s.profile

-- name: day.evidence
select cluster, node, device, slice_id, namespace, pod, hour, minutes
from hold_evidence
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5
order by device, slice_id, namespace, pod, hour

-- name: day.final_postings
select posting_id, hour, part_id, charge_id, rate_id, part, usage_id, cause, activity, kind, adjusts,
  owner_id, method, quality, policy_version, currency, state, effective_cost, billed_cost, list_cost, contracted_cost,
  node_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id
from postings
where tenant_id = $1 and hour >= $2 and hour < $3 and part_id = any ($4) and state = 'final'

-- name: day.final_usage
select usage_id, hour, node_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id,
  cause, activity, owner_id, quality, method, seconds, active_seconds, weight_num::text, weight_den::text, held
from usage u
where tenant_id = $1 and node_id = $2 and hour >= $3 and hour < $4
  and exists (select from frozen_hours f where f.tenant_id = u.tenant_id and f.node_id = u.node_id and f.hour = u.hour)

-- name: day.loose_parts
select part_id as id, charge_id, rate_id, number, kind, node_id, hour, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, usage_seconds, method, quality, owner_id, posting_kind,
  '' as billing_account, final, reverses, replaces
from parts
where tenant_id = $1 and node_id is null and hour >= $2 and hour < $3
order by hour, part_id

-- name: day.metered
-- The resources of the metered parts of a day without a node.
select m.charge_id, l.resource_id
from (
  select distinct p.charge_id, p.delivery_id
  from parts p
  where p.tenant_id = $1 and p.node_id is null and p.kind = 'metered' and p.hour >= $2 and p.hour < $3
) m
join deliveries d on d.tenant_id = $1 and d.delivery_id = m.delivery_id
cross join lateral (
  select c.resource_id from charge_lines c where c.tenant_id = $1 and c.delivery = d.number
    and c.charge_id = m.charge_id offset 0
) l
where l.resource_id is not null and l.resource_id <> ''

-- name: day.node_parts
select part_id as id, charge_id, rate_id, number, kind, node_id, hour, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, usage_seconds, method, quality, owner_id, posting_kind,
  '' as billing_account, final, reverses, replaces
from parts
where tenant_id = $1 and node_id = $2 and hour >= $3 and hour < $4 and kind <> 'provisional'
order by hour, part_id

-- name: day.node_states
select cluster, name, state, hour, minutes, known
from node_state_hours
where tenant_id = $1 and cluster = $2 and name = $3 and hour >= $4 and hour < $5
order by hour, state

-- name: day.pod_states
select s.cluster, s.uid, s.hour, s.minutes
from workload_facts p join pod_state_hours s on s.tenant_id = p.tenant_id and s.cluster = p.cluster and s.uid = p.uid
where p.tenant_id = $1 and p.cluster = $2 and p.node = $3 and s.hour >= $4 and s.hour < $5
order by s.hour, s.uid

-- name: day.samples
select device, device_index, model, slice_id, profile, hour, node, row_count, vectors
from sample_hours
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5 and device not like 'host/%'
order by hour, device, slice_id, profile

-- name: day.sliced
select exists (select from devices where tenant_id = $1 and cluster = $2 and node = $3 and in_mig) as sliced

-- name: day.slices
select device, slice_id, profile, min(hour) as first, max(hour) as last
from sample_hours
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5 and slice_id >= 0
group by device, slice_id, profile
order by device, slice_id, profile

-- name: day.sources
select cluster, source, hour, minutes
from source_hours
where tenant_id = $1 and cluster = $2 and hour >= $3 and hour < $4
order by hour, source
