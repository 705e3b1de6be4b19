-- Of two machines what both have is double, in each currency, of the one that no
-- bill names its provisional cost. Hours that may be billed have no cost, so only
-- time may be double; without either there is no suspicion.
insert into machine_doubles (tenant_id, number, what, cluster, name, other_cluster, other_name, from_at, to_at, currency, cost)
with pairs as (
  select * from unnest($2::text[], $3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[])
    with ordinality p (what, first, second, sides, cluster, name, other_cluster, other_name, from_at, to_at, number)
), costs as (
  select p.number, p.sides, q.currency, q.node_id, sum(q.effective_cost) as cost
  from pairs p
  join parts q on q.tenant_id = $1 and q.node_id in (p.first, p.second) and q.hour >= date_trunc('hour', p.from_at, 'UTC') and q.hour < p.to_at
  where q.effective_cost is not null and (p.sides = 2 or q.kind = 'provisional')
  group by p.number, p.sides, q.currency, q.node_id
), doubles as (
  select number, currency, min(cost) as cost from costs group by number, sides, currency having count(*) = sides and min(cost) > 0
)
select $1, p.number, p.what, p.cluster, p.name, p.other_cluster, p.other_name, p.from_at, p.to_at, coalesce(d.currency, ''), d.cost
from pairs p
left join doubles d on d.number = p.number
where p.sides = 2 or d.number is not null or exists (
  select 1 from parts q
  where q.tenant_id = $1 and q.node_id = p.second and q.kind = 'provisional' and q.method = 'may be billed'
    and q.hour >= date_trunc('hour', p.from_at, 'UTC') and q.hour < p.to_at)
