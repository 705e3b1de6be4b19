-- Minutes that a source covers no more, unless the one next to them stays covered.
with less as (
  select h.hour, h.minutes & ~k.mask as kept
  from source_hours h join unnest($4::timestamptz[], $5::bigint[]) k (hour, mask) on h.hour = k.hour
  where h.tenant_id = $1 and h.cluster = $2 and h.source = $3 and h.minutes & k.mask <> 0
    and not exists (
      select from source_hours n
      where n.tenant_id = $1 and n.cluster = $2 and n.source = $3 and n.hour = $6::timestamptz and n.minutes & $7::bigint <> 0)
), emptied as (
  delete from source_hours h using less
  where h.tenant_id = $1 and h.cluster = $2 and h.source = $3 and h.hour = less.hour and less.kept = 0
), shortened as (
  update source_hours h set minutes = less.kept
  from less
  where h.tenant_id = $1 and h.cluster = $2 and h.source = $3 and h.hour = less.hour and less.kept <> 0
), gone as (
  select hour from less
)
insert into touched
select n.node_id, greatest(n.appeared_at, g.hour), least(n.gone_at, g.hour + interval '1 hour'), 'placements seen'
from gone g join nodes n on n.tenant_id = $1 and n.cluster = $2
where n.appeared_at < g.hour + interval '1 hour' and n.gone_at > g.hour
union all
select n.node_id, g.hour, g.hour + interval '1 hour', 'sources heard'
from gone g join nodes n on n.tenant_id = $1 and n.cluster = $2
where (n.appeared_at >= g.hour + interval '1 hour' or n.gone_at <= g.hour)
  and exists (select from parts p where p.tenant_id = $1 and p.node_id = n.node_id and p.hour = g.hour)
