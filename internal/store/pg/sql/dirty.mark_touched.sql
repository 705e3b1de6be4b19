insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1, m.node_id, m.day, $2, string_agg(distinct m.reason, ', ' order by m.reason)
from (
  with margin as (select make_interval(secs => greatest(3600, max(margin_seconds))) as reach from policy_versions where tenant_id = $1)
  select distinct t.node_id, t.reason,
    generate_series(date_trunc('day', t.from_at - m.reach, 'UTC'),
      t.to_at + m.reach - interval '1 microsecond', interval '1 day') as day
  from touched t cross join margin m
  where t.node_id is not null and t.from_at is not null and t.to_at is not null
) m
where exists (select from nodes n where n.tenant_id = $1 and n.node_id = m.node_id
        and n.appeared_at < m.day + interval '1 day' and n.gone_at > m.day)
   or exists (select from chunks k where k.tenant_id = $1 and k.node_id = m.node_id and k.day = m.day)
   or exists (select from parts p where p.tenant_id = $1 and p.node_id = m.node_id and p.hour >= m.day and p.hour < m.day + interval '1 day')
group by m.node_id, m.day
order by m.node_id, m.day
