insert into workload_events as e (tenant_id, cluster, kind, namespace, name, uid, what, at, reason)
select $1, cluster, kind, namespace, name, uid, what, at, max(reason)
from next_events
group by cluster, kind, namespace, name, uid, what, at
on conflict (tenant_id, cluster, kind, namespace, name, uid, what, at) do update set reason = excluded.reason
where e.reason < excluded.reason
