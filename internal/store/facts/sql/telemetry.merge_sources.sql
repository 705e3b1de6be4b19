with merged as (
  insert into source_hours as h (tenant_id, cluster, hour, minutes)
  select $1, cluster, hour, bit_or(minutes)
  from next_sources
  group by cluster, hour
  on conflict (tenant_id, cluster, hour) do update
  set minutes = h.minutes | excluded.minutes
  where h.minutes | excluded.minutes <> h.minutes
  returning cluster, hour
)
insert into touched
select n.node_id, greatest(n.appeared_at, m.hour), least(n.gone_at, m.hour + interval '1 hour'), 'placements seen'
from merged m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster
where n.appeared_at < m.hour + interval '1 hour' and n.gone_at > m.hour
