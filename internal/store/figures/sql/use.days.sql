-- Use of the pods of root owners that held GPUs, of the newest four weeks.
select w.cluster, w.namespace, w.kind, w.owner_name, u.day, u.cpu, u.memory
from pod_use_days u
join lateral (
  select w.cluster, w.namespace, w.kind, w.owner_name
  from workloads w
  where w.tenant_id = u.tenant_id and w.cluster = u.cluster and w.namespace = u.namespace and w.name = u.pod
    and w.hold_from < u.day + interval '1 day' and w.hold_to > u.day
  order by w.hold_from desc, w.workload_id limit 1
) w on true
where u.tenant_id = $1 and u.day > (select max(n.day) - interval '28 days' from pod_use_days n where n.tenant_id = $1)
order by w.cluster, w.namespace, w.kind, w.owner_name, u.day, u.pod
