-- Work that began, asks for GPUs and is on no machine, by system, cluster and the machine that it names. A job of a
-- managed service names none: it is in no cost until a bill has a line of it.
with billed as (
  select distinct lower(r.resource_id) as resource
  from charge_resources r join deliveries d on d.tenant_id = r.tenant_id and d.number = r.delivery and d.state = 'current'
  where r.tenant_id = $1 and r.resource_id is not null
)
select f.system, f.cluster, f.node, count(*),
  (array_agg(ltrim(f.namespace || '/' || f.name, '/') order by f.namespace, f.name))[1:5],
  sum(f.asked_units)::bigint, bool_or(f.asked_units is null or f.asked_replicas > 0)
from workload_facts f
join workloads w on w.tenant_id = f.tenant_id and w.cluster = f.cluster and w.uid = f.uid
where f.tenant_id = $1 and (f.asked_units is distinct from 0 or f.asked_replicas > 0)
  and w.node_id is null and (f.node <> '' or coalesce(f.scheduled_at, f.started_at) is not null)
  and not (f.node = '' and lower(split_part(f.uid, '#', 1)) in (select resource from billed))
group by 1, 2, 3
order by 1, 2, 3
