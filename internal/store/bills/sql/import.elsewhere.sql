with seen as (
  select * from unnest($2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[]) s(cluster, thing, from_at, to_at)
), known as (
  select f.cluster, f.provider_id as thing, f.first_seen as from_at, f.last_seen + interval '1 second' as to_at, s.from_at as seen_from, s.to_at as seen_to
  from seen s join node_facts f on f.tenant_id = $1 and f.provider_id = s.thing and f.cluster <> s.cluster
  union all
  select d.cluster, d.device, d.first_hour, d.last_hour + interval '1 hour', s.from_at, s.to_at
  from seen s join devices d on d.tenant_id = $1 and d.device = s.thing and d.cluster <> s.cluster
)
select cluster, thing, from_at, to_at
from known
where least(to_at, seen_to) - greatest(from_at, seen_from) > interval '1 hour'
order by thing, cluster, from_at
limit 10
