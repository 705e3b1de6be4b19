-- How old the newest of each source is, against the newest of all of them.
with newest as materialized (
  select 'bill' as kind, d.source, nullif(d.scope, '') as scope, max(coalesce(i.ends, d.delivered_at)) as newest_at, max(d.published_at) as imported_at
  from deliveries d
  left join lateral (select to_timestamp(max(c.ends)) as ends from charge_instances c where c.tenant_id = d.tenant_id and c.delivery = d.number) i on true
  where d.tenant_id = @tenant and d.state = 'current'
  group by 1, 2, 3
  union all
  select 'placements', 'cluster', h.cluster, max(h.hour + floor(log(2, h.minutes::numeric)) * interval '1 minute'), null
  from source_hours h
  where h.tenant_id = @tenant and h.minutes > 0 and h.source <> 'exporter'
  group by h.cluster
  union all
  select 'devices', 'exporter', d.cluster, max(d.last_at), null from devices d where d.tenant_id = @tenant group by d.cluster
  union all
  select 'workloads', coalesce(nullif(f.system, ''), 'kubernetes'), f.cluster, max(f.last_seen), null from workload_facts f where f.tenant_id = @tenant group by f.system, f.cluster
  union all
  select 'events', e.provider, nullif(e.account, ''), max(e.at), null from instance_events e where e.tenant_id = @tenant group by e.provider, e.account
)
select n.kind, n.source, n.scope, n.newest_at, n.imported_at, x.end_at,
       greatest(0, extract(epoch from x.end_at - n.newest_at))::bigint as behind_seconds
from newest n
cross join (select max(newest_at) as end_at from newest) x
