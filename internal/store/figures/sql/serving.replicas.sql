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
