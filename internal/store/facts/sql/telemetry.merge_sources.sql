with merged as (
  insert into source_hours as h (tenant_id, cluster, source, hour, minutes)
  select $1, cluster, source, hour, bit_or(minutes)
  from next_sources
  group by cluster, source, hour
  on conflict (tenant_id, cluster, source, hour) do update
  set minutes = h.minutes | excluded.minutes
  where h.minutes | excluded.minutes <> h.minutes
  returning cluster, hour
), heard as (
  select distinct cluster, hour from merged
)
insert into touched
select n.node_id, greatest(n.appeared_at, m.hour), least(n.gone_at, m.hour + interval '1 hour'), 'placements seen'
from heard m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster
where n.appeared_at < m.hour + interval '1 hour' and n.gone_at > m.hour
union all
-- What was billed of a machine while nobody saw it depends on who spoke then (rule 2.9).
select n.node_id, m.hour, m.hour + interval '1 hour', 'sources heard'
from heard m join nodes n on n.tenant_id = $1 and n.cluster = m.cluster
where (n.appeared_at >= m.hour + interval '1 hour' or n.gone_at <= m.hour)
  and exists (select from parts p where p.tenant_id = $1 and p.node_id = n.node_id and p.hour = m.hour)
