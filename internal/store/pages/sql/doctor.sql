-- Reads of the doctor.

-- name: doctor.exports
-- The newest partition of each export: columns, instance hours without a resource id, custom tags, and compute
-- charges that cannot be assigned to a machine.
with newest as (
  select distinct on (source, export, scope, dataset) delivery_id, number, source, export, scope, dataset,
    partition_key, columns, rows
  from deliveries where tenant_id = $1 and state = 'current'
  order by source, export, scope, dataset, partition_key desc
)
select n.source, n.export, n.scope, n.dataset, n.partition_key as partition, n.columns, n.rows,
  exists (select from charge_tags t, jsonb_object_keys(t.tags) k
    where t.tenant_id = $1 and t.delivery = n.number and k not like 'aws%' and k not like 'goog%'
      and k not like 'k8s-%') as tagged,
  r.instances, r.unnamed, p.compute, p.pooled, p.lost
from newest n,
lateral (
  select count(*) as instances, count(*) filter (where x.resource_id is null) as unnamed
  from charge_rows c
  join charge_items i on i.tenant_id = $1 and i.delivery = n.number and i.item = c.item and i.instance_hours
  left join charge_resources x on x.tenant_id = $1 and x.delivery = n.number and x.resource = c.resource
  where c.tenant_id = $1 and c.delivery = n.number
) r,
lateral (
  select count(distinct charge_id) as compute, count(distinct charge_id) filter (where method = 'pooled') as pooled,
    count(distinct charge_id) filter (where node_id is null) as lost
  from parts where tenant_id = $1 and delivery_id = n.delivery_id and kind = 'compute'
) p
order by 1, 2, 3, 4

-- name: doctor.job_hours
-- Activity of GPUs in each hour, in millionths of the time in which it is known, on machines with jobs of systems
-- whose times lack a zone, for the last 31 computed days.
with newest as (select max(hour) as hour from usage where tenant_id = $1),
machines as (
  select distinct w.node_id
  from workloads w join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
  where w.tenant_id = $1 and f.system = any($2) and w.node_id is not null and w.hold_from is not null
)
select u.node_id as node, u.hour,
  floor(1000000 * sum(u.active_gpu_hours) / sum(u.capacity_gpu_hours))::bigint as active
from usage u join machines m on m.node_id = u.node_id
where u.tenant_id = $1 and u.hour > (select hour from newest) - interval '31 days' and u.activity in ('active', 'idle')
group by 1, 2
having sum(u.capacity_gpu_hours) > 0

-- name: doctor.jobs
-- When jobs held their machines, for systems whose times lack a zone, by cluster.
select w.cluster, w.node_id as node, w.hold_from as "from", w.hold_to as "to"
from workloads w join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
where w.tenant_id = $1 and f.system = any($2) and w.node_id is not null and w.hold_to > w.hold_from
  and (f.asked_units is distinct from 0 or f.asked_replicas > 0)
  and w.hold_to > (select max(hour) from usage where tenant_id = $1) - interval '31 days'
order by 1, 2, 3

-- name: doctor.owner_values
-- Values of owners by dimension, with the workloads that have them.
select v.dimension, v.value as text, count(w.workload_id) as workloads
from owners o
cross join lateral jsonb_each_text(o.labels) v (dimension, value)
left join workloads w on w.tenant_id = o.tenant_id and w.owner_id = o.owner_id
where o.tenant_id = $1 and v.value <> ''
group by 1, 2

-- name: doctor.undescribed
-- Work that began, requests GPUs and is on no machine, by system, cluster and the machine that it names. A job of a
-- managed service names none: it is in no cost until a bill has a line for it.
with billed as (
  select distinct lower(r.resource_id) as resource
  from charge_resources r join deliveries d on d.tenant_id = r.tenant_id and d.number = r.delivery
    and d.state = 'current'
  where r.tenant_id = $1 and r.resource_id is not null
)
select f.system, f.cluster, f.node, count(*) as count,
  (array_agg(ltrim(f.namespace || '/' || f.name, '/') order by f.namespace, f.name))[1:5] as names,
  coalesce(sum(f.asked_units), 0)::bigint as units, bool_or(f.asked_units is null or f.asked_replicas > 0) as parts
from workload_facts f
join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
where f.tenant_id = $1 and (f.asked_units is distinct from 0 or f.asked_replicas > 0)
  and w.node_id is null and (f.node <> '' or coalesce(f.scheduled_at, f.started_at) is not null)
  and not (f.node = '' and lower(split_part(f.uid, '#', 1)) in (select resource from billed))
group by 1, 2, 3
order by 1, 2, 3
