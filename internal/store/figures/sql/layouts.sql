-- MIG layouts and the free capacity next to them.

-- name: layouts.devices
select device, device_index, model, first_hour, last_hour, in_mig
from devices
where tenant_id = $1 and cluster = $2 and node = $3
order by device_index, device

-- name: layouts.forget_shown
delete from shown_layouts where tenant_id = $1

-- name: layouts.free
-- Free capacity of each slot at every full hour of a day, in ppm of a GPU: the mean weight of its free rows of that
-- hour (docs/figures.md 17.6).
select n.cluster, coalesce(n.gpu_model, '') as model, h.at, s.node_id,
  least(round(1000000 * sum(u.weight)), 1000000)::bigint as ppm
from generate_series($2::timestamptz, $2::timestamptz + interval '23 hours', interval '1 hour') h (at)
join spans s on s.tenant_id = $1 and s.day = $2 and s.cause = 'free' and s.workload_id is null and s.from_at <= h.at
  and s.to_at > h.at
join (
  select v.node_id, v.slot, v.slice_id, v.hour, sum(v.weight_num / v.weight_den) / nullif(sum(v.seconds), 0) as weight
  from usage v
  where v.tenant_id = $1 and v.hour >= $2 and v.hour < $2::timestamptz + interval '1 day' and v.cause = 'free'
    and v.workload_id is null and v.slot >= 0
  group by v.node_id, v.slot, v.slice_id, v.hour
) u on u.node_id = s.node_id and u.slot = s.slot and u.slice_id is not distinct from s.slice_id and u.hour = h.at
join nodes n on n.tenant_id = $1 and n.node_id = s.node_id and n.gpus > 0
group by 1, 2, 3, 4, s.slot
order by 1, 2, 3, 4, s.slot

-- name: layouts.kept
select slot, number, device, model, from_at, to_at, slice_ids, profiles, weights, denominator, free, stranded, assumed,
  compute, memory, free_compute, largest, dead_compute, dead_memory, fragmentation_ppm
from star.layout_days
where tenant_id = $1 and node_id = $2 and at = $3
order by slot, number

-- name: layouts.machines
-- Machines that ever had MIG instances and have a chunk of the day.
select n.node_id as id, n.cluster, n.name, coalesce(n.provider_id, '') as provider_id,
  coalesce(n.instance_type, '') as instance_type,
  coalesce(n.gpu_model, '') as gpu_model, n.gpus, n.replicas, n.appeared_at as "from", n.gone_at as "to"
from nodes n
where n.tenant_id = $1 and n.gpus > 0
  and exists (select from devices d where d.tenant_id = $1 and d.cluster = n.cluster and d.node = n.name and d.in_mig)
  and exists (select from chunks c where c.tenant_id = $1 and c.node_id = n.node_id and c.day = $2)
order by n.cluster, n.name, n.node_id

-- name: layouts.packed
-- Days of cards with instances, with the cards that each day alone would need.
select d.cluster, d.model, d.at as day, d.cards, coalesce(c.node_id, '00000000-0000-0000-0000-000000000000') as node_id,
  coalesce(c.slot, 0) as slot, coalesce(c.device, '') as device, c.had, c.profiles
from star.packing_days d
left join star.packing_card_days c on c.tenant_id = d.tenant_id and c.at = d.at and c.cluster = d.cluster
  and c.model = d.model
where d.tenant_id = $1
order by d.cluster, d.model, d.at, c.card

-- name: layouts.rows
-- Hours of a machine's slots on a day by slice and holder: postings, and usage that no bill and no rate covers.
select f.hour, f.slot, coalesce(f.slice_id, -1), f.workload_id, f.attempt_id, f.owner_id, coalesce(w.class, ''),
  coalesce(w.namespace, ''), f.cause, f.state, coalesce(f.currency, ''),
  sum(f.effective_cost), sum(f.billed_cost), sum(f.list_cost), sum(f.contracted_cost), sum(f.gpu_hours),
  sum(f.capacity_gpu_hours), sum(f.active_gpu_hours), sum(f.energy_kwh)
from (
  select p.hour, p.slot, p.slice_id, p.workload_id, p.attempt_id, p.owner_id, p.cause, p.state, p.currency,
    p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours,
    p.active_gpu_hours, p.energy_kwh
  from postings p
  where p.tenant_id = $1 and p.node_id = $2 and p.hour >= $3 and p.hour < $3::timestamptz + interval '1 day'
    and p.slot is not null
  union all
  select u.hour, u.slot, u.slice_id, u.workload_id, u.attempt_id, u.owner_id, u.cause, 'provisional', null,
    null, null, null, null, u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
  from usage u
  where u.tenant_id = $1 and u.node_id = $2 and u.hour >= $3 and u.hour < $3::timestamptz + interval '1 day'
    and u.slot >= 0
    and not exists (select from parts b where b.tenant_id = $1 and b.node_id = u.node_id and b.hour = u.hour
      and b.usage_seconds is not null
      and b.hour >= $3 and b.hour < $3::timestamptz + interval '1 day')
) f
left join workloads w on w.tenant_id = $1 and w.workload_id = f.workload_id
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11

-- name: layouts.spans
select node_id, slot, coalesce(slice_id, -1) as slice_id, workload_id, coalesce(run_id, '') as run_id, attempt_id,
  cause,
  from_at as "from", to_at as "to"
from spans
where tenant_id = $1 and node_id = $2 and day = $3
order by slot, slice_id nulls first, from_at, to_at, workload_id, attempt_id, cause

-- name: layouts.tasks
-- Holders on a day, by the GPUs that they had in ppm of a GPU.
select t.cluster, t.gpu_model as model, t.ppm as gpus, count(*)
from (
  select n.cluster, coalesce(n.gpu_model, '') as gpu_model, s.workload_id, round(1000000 * sum(s.weight))::bigint as ppm
  from (
    select u.workload_id, u.node_id, u.slot, u.slice_id,
      sum(u.weight_num / u.weight_den) / nullif(sum(u.seconds), 0) as weight
    from usage u
    where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.held and u.slot >= 0
    group by u.workload_id, u.node_id, u.slot, u.slice_id
  ) s
  join nodes n on n.tenant_id = $1 and n.node_id = s.node_id
  group by 1, 2, 3
) t
group by 1, 2, 3
order by 1, 2, 3
