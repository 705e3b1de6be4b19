-- Attempts on spot machines, their ends and their prices.

-- name: spot.attempts
-- All attempts of the runs of the given attempts, and when each first used its devices.
select z.attempt_id as id, z.run_id as run, z.task, z.attempt as number, z.ended_at,
  coalesce(u.used_at, 'epoch') as used_at
from (select distinct a.run_id from attempts a where a.tenant_id = $1 and a.attempt_id = any($2::uuid[])) r
join attempts z on z.tenant_id = $1 and z.run_id = r.run_id
left join lateral (
  select min(s.from_at) as used_at from spans s
  where s.tenant_id = $1 and s.run_id = z.run_id and s.attempt_id = z.attempt_id and s.cause = 'used'
) u on true

-- name: spot.ended
-- Attempts that ended with a workload on an interrupted machine.
select distinct w.node_id as node, s.attempt_id as attempt
from spot_interruptions i
join workloads w on w.tenant_id = i.tenant_id and w.node_id = i.node_id
join segments s on s.tenant_id = w.tenant_id and s.workload_id = w.workload_id
join attempts a on a.tenant_id = s.tenant_id and a.attempt_id = s.attempt_id and a.reason = 'spot_interruption'
where i.tenant_id = $1
  and not exists (select from segments l where l.tenant_id = s.tenant_id and l.workload_id = s.workload_id
    and l.to_at > s.to_at)
order by w.node_id, s.attempt_id

-- name: spot.forget
delete from spot_interruptions o
where o.tenant_id = $1
  and not exists (
    select from unnest($2::text[], $3::bigint[], $4::bigint[]) n (node_id, at, warned_at)
    where n.node_id::uuid = o.node_id and to_timestamp(n.at) = o.at and to_timestamp(n.warned_at) = o.warned_at)

-- name: spot.forget_hits
delete from spot_hits o
where o.tenant_id = $1
  and not exists (
    select from unnest($2::uuid[], $3::uuid[], $4::bigint[]) n (node_id, attempt_id, seconds)
    where n.node_id = o.node_id and n.attempt_id = o.attempt_id and n.seconds is not distinct from o.recovery_seconds)

-- name: spot.forget_lines
delete from on_demand_hours where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day'

-- name: spot.forget_rates
delete from spot_rates where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day'

-- name: spot.kept_lines
-- Stored on-demand lines of a day.
select account, instance_type, region, currency, hour, cost, seconds
from on_demand_hours where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day'

-- name: spot.lines
-- On-demand lines of the kinds of machines that a day's spot hours may be compared with: of that day, and of the
-- nearest days before and after it that have a price.
with kinds as materialized (
  select * from unnest($3::text[], $4::text[], $5::text[], $6::text[]) k(account, instance_type, region, currency)
), days as (
  select k.*, $2::timestamptz as day from kinds k
  union all
  select k.*, date_trunc('day', h.hour, 'UTC') from kinds k
  cross join lateral (
    select max(h.hour) as hour from on_demand_hours h
    where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region
      and h.currency = k.currency
      and h.cost > 0 and h.seconds > 0 and h.hour < $2
  ) h
  union all
  select k.*, date_trunc('day', h.hour, 'UTC') from kinds k
  cross join lateral (
    select min(h.hour) as hour from on_demand_hours h
    where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region
      and h.currency = k.currency
      and h.cost > 0 and h.seconds > 0 and h.hour >= $2::timestamptz + interval '1 day'
  ) h
)
select h.account, h.instance_type, h.region, h.currency, h.hour, h.cost, h.seconds
from days d
join on_demand_hours h on h.tenant_id = $1 and h.account = d.account and h.instance_type = d.instance_type
  and h.region = d.region and h.currency = d.currency
  and h.hour >= d.day and h.hour < d.day + interval '1 day'

-- name: spot.machines
select node_id as node, cluster, name, provider_id, instance_id, gone_at
from nodes
where tenant_id = $1 and price_class = 'spot' and gone_at is not null
order by node_id

-- name: spot.mark_rates
-- Days whose rates may have followed from a day's lines of some kinds, or may do so now: those with spot machines of
-- the kind, up to the nearest days before and after that have lines of it.
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, s.step, date_trunc('day', r.hour, 'UTC')
from unnest($3::text[], $4::text[], $5::text[], $6::text[]) k(account, instance_type, region, currency)
cross join lateral (
  select coalesce(date_trunc('day', max(h.hour), 'UTC') + interval '1 day', '-infinity') as first
  from on_demand_hours h
  where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region
    and h.currency = k.currency
    and h.cost > 0 and h.seconds > 0 and h.hour < $2
) before
cross join lateral (
  select coalesce(date_trunc('day', min(h.hour), 'UTC'), 'infinity') as last
  from on_demand_hours h
  where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region
    and h.currency = k.currency
    and h.cost > 0 and h.seconds > 0 and h.hour >= $2::timestamptz + interval '1 day'
) after
join nodes n on n.tenant_id = $1 and n.price_class = 'spot' and n.instance_type = k.instance_type
  and coalesce(n.region, '') = k.region and coalesce(n.account, '') = k.account
join spot_rates r on r.tenant_id = $1 and r.node_id = n.node_id and r.currency = k.currency and r.hour >= before.first
  and r.hour < after.last
cross join (values ('rates'), ('costs')) s(step)
on conflict do nothing

-- name: spot.on_demand_lines
-- Cost of on-demand machines by the hour on a day as contracted, including discounts, by account, type and region,
-- without hours that a commitment covers in part.
select f.account, f.instance_type, f.region, f.currency, f.hour, sum(f.cost) as cost, sum(f.seconds)::bigint as seconds
from (
  select coalesce(n.account, '') as account, n.instance_type, coalesce(n.region, '') as region, p.currency, p.hour,
         sum(p.contracted_cost) as cost,
         coalesce(sum(p.usage_seconds) filter (where p.contracted_cost is not null), 0) as seconds
  from nodes n
  join parts p on p.tenant_id = $1 and p.node_id = n.node_id and p.hour >= $2
    and p.hour < $2::timestamptz + interval '1 day' and p.kind = 'compute' and p.posting_kind = 'direct'
  join deliveries d on d.tenant_id = $1 and d.delivery_id = p.delivery_id
  cross join lateral ( -- offset 0: by number and line, never all lines of a delivery
    select i.kind, i.price_class
    from charge_rows r
    join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item
    where r.tenant_id = $1 and r.delivery = d.number and r.charge_id = p.charge_id offset 0
  ) l
  where n.tenant_id = $1 and n.price_class = 'on_demand' and n.instance_type <> ''
  group by n.account, n.instance_type, n.region, p.currency, p.hour, p.node_id
  having bool_and(l.kind <> 'covered_usage' and coalesce(nullif(l.price_class, ''), 'on_demand') = 'on_demand')
    and sum(p.contracted_cost) is not null
) f
group by f.account, f.instance_type, f.region, f.currency, f.hour

-- name: spot.paid
-- Hours of spot machines that have parts on a day, for their on-demand rate.
select p.node_id as node, p.hour, coalesce(n.account, '') as account, coalesce(n.instance_type, '') as instance_type,
       coalesce(n.region, '') as region, p.currency, coalesce(@provider(n.provider_id), '') as provider,
       bool_and(p.kind = 'compute') as billed,
       case when bool_and(p.list_cost is not null) filter (where p.usage_seconds is not null)
           then min(p.list_cost) filter (where p.usage_seconds is not null) end as listed,
       case when bool_and(p.list_cost is not null) filter (where p.usage_seconds is not null)
           then sum(p.list_cost) filter (where p.usage_seconds is not null) end as public,
       coalesce(sum(p.usage_seconds), 0)::bigint as seconds,
       coalesce(bool_or(p.method = 'typical price' or p.method = 'public price' and d.price_class <> 'spot'),
         false) as at_on_demand
from parts p
left join derived_rates d on d.tenant_id = p.tenant_id and d.rate_id = p.rate_id
join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id and n.price_class = 'spot'
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $2::timestamptz + interval '1 day'
  and p.kind in ('compute', 'provisional') and p.posting_kind = 'direct'
group by p.node_id, p.hour, n.account, n.instance_type, n.region, n.provider_id, p.currency

-- name: spot.put
insert into spot_interruptions (tenant_id, node_id, at, warned_at)
select $1, n.node_id::uuid, to_timestamp(n.at), to_timestamp(n.warned_at)
from unnest($2::text[], $3::bigint[], $4::bigint[]) n (node_id, at, warned_at)
on conflict do nothing

-- name: spot.put_hits
insert into spot_hits (tenant_id, node_id, attempt_id, recovery_seconds)
select $1::int, n.node_id, n.attempt_id, n.seconds
from unnest($2::uuid[], $3::uuid[], $4::bigint[]) n (node_id, attempt_id, seconds)
on conflict do nothing

-- name: spot.put_lines
insert into on_demand_hours (tenant_id, account, instance_type, region, currency, hour, cost, seconds)
select $1, l.* from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[]::numeric[],
    $8::bigint[]) l

-- name: spot.put_rates
insert into spot_rates (tenant_id, node_id, hour, currency, source, detail, hourly, gpus)
select $1, r.node_id, to_timestamp(r.hour), r.currency, r.source, r.detail, r.hourly, n.gpus
from unnest($2::text[]::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[]::numeric[]) r (node_id,
    hour, currency, source, detail, hourly)
join nodes n on n.tenant_id = $1 and n.node_id = r.node_id
