-- Days in the dark of a machine (docs/rules.md 2.11) have nothing to allocate but
-- what was billed or made of them: only those that have are marked, however
-- many there are.
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1, m.node_id, m.day, $2, string_agg(distinct m.reason, ', ' order by m.reason)
from (
  with margin as (select make_interval(secs => greatest(3600, max(margin_seconds))) as reach from policy_versions where tenant_id = $1),
  reached as (
    select distinct t.node_id, t.reason, date_trunc('day', t.from_at - m.reach, 'UTC') as from_at, t.to_at + m.reach as to_at
    from touched t cross join margin m
    where t.node_id is not null and t.from_at is not null and t.to_at is not null
      and date_trunc('day', t.from_at - m.reach, 'UTC') < t.to_at + m.reach
  ),
  dim as (
    select r.*, n.dark_days from reached r join nodes n on n.tenant_id = $1 and n.node_id = r.node_id and n.dark_days && tstzrange(r.from_at, r.to_at)
  )
  select r.node_id, r.reason, generate_series(r.from_at, r.to_at - interval '1 microsecond', interval '1 day') as day
  from reached r
  where not exists (select from dim d where d.node_id = r.node_id)
  union
  select l.node_id, l.reason, generate_series(lower(l.span), upper(l.span) - interval '1 microsecond', interval '1 day')
  from (
    select r.node_id, r.reason, unnest(tstzmultirange(tstzrange(r.from_at, r.to_at)) - n.dark_days) as span
    from reached r join nodes n on n.tenant_id = $1 and n.node_id = r.node_id
    where exists (select from dim d where d.node_id = r.node_id)
  ) l
  union
  select d.node_id, d.reason, k.day
  from dim d join chunks k on k.tenant_id = $1 and k.node_id = d.node_id and k.day >= d.from_at and k.day < d.to_at and d.dark_days @> k.day
  union
  select d.node_id, d.reason, date_trunc('day', p.hour, 'UTC')
  from dim d join parts p on p.tenant_id = $1 and p.node_id = d.node_id and p.hour >= d.from_at
    and p.hour < date_trunc('day', d.to_at - interval '1 microsecond', 'UTC') + interval '1 day' and d.dark_days @> p.hour
) m
where exists (select from nodes n where n.tenant_id = $1 and n.node_id = m.node_id
        and n.appeared_at < m.day + interval '1 day' and n.gone_at > m.day)
   or exists (select from chunks k where k.tenant_id = $1 and k.node_id = m.node_id and k.day = m.day)
   or exists (select from parts p where p.tenant_id = $1 and p.node_id = m.node_id and p.hour >= m.day and p.hour < m.day + interval '1 day')
group by m.node_id, m.day
order by m.node_id, m.day
