-- Workloads that held something of the machines on a day, and by which labels they
-- picked theirs, where that is told.
select w.workload_id, w.node_id, w.cluster, w.namespace, w.name, w.class, w.kind, w.owner_name, coalesce(w.run_id, ''), w.owner_id,
       coalesce(nullif(o.team, 'unowned'), ''), coalesce(o.environment, ''), w.hold_from, w.hold_to, w.outcome = 'running',
       p.attrs ->> 'required', p.attrs ->> 'nodeSelector'
from workloads w
left join objects p on p.tenant_id = w.tenant_id and p.cluster = w.cluster and p.kind = 'PodSelectors' and p.namespace = w.namespace and p.name = w.uid
left join owners o on o.tenant_id = w.tenant_id and o.owner_id = w.owner_id
where w.tenant_id = $1 and w.node_id = any($3::uuid[]) and w.hold_from < $2::timestamptz + interval '1 day' and w.hold_to > $2
