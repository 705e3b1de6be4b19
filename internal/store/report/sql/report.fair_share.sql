-- What quotas grant and what was held of it. Of several quotas of a namespace
-- for one resource the smallest counts: the cluster enforces all of them.
select q.cluster, q.granted_by, nullif(q.namespace, '') as namespace, nullif(q.queue, '') as queue, q.resource, q.quota,
       e.hours * q.quota as quota_hours, coalesce(h.held_hours, 0) as held_hours,
       q.quota / nullif(sum(q.quota) over every, 0) as quota_share, coalesce(h.held_hours, 0) / nullif(sum(h.held_hours) over every, 0) as held_share
from (
  select o.cluster, o.kind as granted_by, o.namespace, o.queue, o.resource, min(o.quota) as quota
  from (
    select distinct on (o.cluster, o.kind, o.namespace, o.name, a.key) o.cluster, o.kind, o.namespace, case when o.kind = 'ClusterQueue' then o.name else '' end as queue,
           substr(a.key, 7) as resource, a.value::numeric as quota
    from objects o
    cross join lateral jsonb_each_text(o.attrs) a
    where o.tenant_id = @tenant and o.kind in ('ResourceQuota', 'ClusterQueue') and a.key like 'quota/%' and a.value ~ '^[0-9]+$'
    order by o.cluster, o.kind, o.namespace, o.name, a.key, o.attrs_at desc, o.created_at desc
  ) o
  group by 1, 2, 3, 4, 5
) q
left join (
  select n.cluster, extract(epoch from max(u.last_hour) - min(u.first_hour)) / 3600 + 1 as hours
  from (
    select v.node_id, min(v.hour) as first_hour, max(v.hour) as last_hour
    from usage v where v.tenant_id = @tenant and v.hour >= @from and v.hour < @to
    group by v.node_id
  ) u
  join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
  group by n.cluster
) e on e.cluster = q.cluster
left join (
  select w.cluster, x.granted_by, x.namespace, x.queue, coalesce('nvidia_com_mig_' || translate(u.mig_profile, '.+', '__'), 'nvidia_com_gpu') as resource,
         sum(case when u.mig_profile is null then u.gpu_hours else u.seconds / 3600.0 end) as held_hours
  from ( -- few workloads of many hours
    select v.workload_id, v.owner_id, v.mig_profile, sum(v.gpu_hours) as gpu_hours, sum(v.seconds) as seconds
    from usage v
    where v.tenant_id = @tenant and v.hour >= @from and v.hour < @to and v.held and v.gpu_hours > 0
    group by v.workload_id, v.owner_id, v.mig_profile
  ) u
  join workloads w on w.tenant_id = @tenant and w.workload_id = u.workload_id
  left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
  cross join lateral (values ('ResourceQuota', w.namespace, ''), ('ClusterQueue', '', coalesce(o.queue, ''))) x (granted_by, namespace, queue)
  group by 1, 2, 3, 4, 5
) h on h.cluster = q.cluster and h.granted_by = q.granted_by and h.namespace = q.namespace and h.queue = q.queue and h.resource = q.resource
window every as (partition by q.cluster, q.granted_by, q.resource)
