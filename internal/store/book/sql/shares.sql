-- Sharing: who pays for capacity without a holder.

-- name: share.buyers
-- The owner of each commitment: that of its newest fee line by the end of the month.
select distinct on (1) coalesce(nullif(l.commitment_id, ''), 'unnamed'), f.owner_id
from (
  select b.delivery_id, b.charge_id, b.owner_id, max(b.hour) as hour
  from parts b
  where b.tenant_id = $1 and b.hour < $2 and b.kind in ('commitment_fee', 'commitment_unused')
    and b.posting_kind = 'direct' and b.owner_id is not null
  group by 1, 2, 3
) f
join deliveries d on d.tenant_id = $1 and d.delivery_id = f.delivery_id
cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number
  and x.charge_id = f.charge_id offset 0) l
order by 1, f.hour desc, f.charge_id, f.owner_id

-- name: share.copy
copy shares (tenant_id, share_id, hour, pool_id, kind, cluster, cause, owner_id, from_owner, billing_account,
  billing_period, currency, state, commitment,
  effective_cost, billed_cost, list_cost, contracted_cost, policy_version, method, rule, weight, weight_of, team_weight,
  team_weight_of,
  pool_effective_cost, pool_billed_cost, pool_list_cost, pool_contracted_cost) from stdin (format binary)

-- name: share.days
-- Days with chunks, and days that sharing has read: the fingerprint of the stored state and of the one that was read,
-- each empty if there is none.
select coalesce(k.day, d.day) as day, coalesce(k.fingerprint || closed.fingerprint, '') as stored,
  coalesce(d.fingerprint, '') as read
from (
  select c.day, md5(string_agg(c.node_id::text || encode(c.digest, 'hex') || coalesce(n.cluster, ''), '/'
      order by c.node_id)) as fingerprint
  from chunks c left join nodes n on n.tenant_id = c.tenant_id and n.node_id = c.node_id
  where c.tenant_id = $1 and (c.usage_rows + c.posting_rows > 0
    or exists (select from frozen_hours f where f.tenant_id = c.tenant_id and f.node_id = c.node_id and f.hour >= c.day
      and f.hour < c.day + interval '1 day'))
  group by c.day
) k
full join (select day, fingerprint from share_days where tenant_id = $1) d on d.day = k.day
cross join (
  select coalesce(md5(string_agg(concat_ws('/', calendar, name, billing_account, state), ','
      order by calendar, name, billing_account)), '') as fingerprint
  from period_states where tenant_id = $1
) closed
order by 1

-- name: share.delete
delete from shares where tenant_id = $1 and hour >= $2 and hour < $3 and cluster = $4 and state <> 'final'

-- name: share.drop_result
delete from share_results where tenant_id = $1 and month = $2 and cluster = $3

-- name: share.forget_days
with pools as (delete from share_pools where tenant_id = $1 and day = any($2)),
  hours as (delete from share_hours where tenant_id = $1 and day = any($2)),
  machines as (delete from share_machines where tenant_id = $1 and day = any($2))
delete from share_days where tenant_id = $1 and day = any($2)

-- name: share.hours
select s.cluster, s.owner_id as owner, coalesce(o.team, '') as team, sum(s.held) as held, sum(s.used) as used
from share_hours s left join owners o on o.tenant_id = s.tenant_id and o.owner_id = s.owner_id
where s.tenant_id = $1 and s.day >= $2 and s.day < $3
group by 1, 2, 3

-- name: share.lock
select pg_advisory_xact_lock(hashtext('share'), $1)

-- name: share.machines
-- Who shares the discount of a commitment: owners on its machines, and owners on on-demand machines of the same type in
-- the same region.
with machines as (
  select billing_account, currency, commitment, instance_type, region, owner_id, sum(contracted_cost) as cost
  from share_machines
  where tenant_id = $1 and day >= $2 and day < $3
  group by 1, 2, 3, 4, 5, 6
), covered as (
  select distinct billing_account, currency, commitment, instance_type, region from machines where commitment <> ''
)
select c.commitment, c.billing_account, c.currency, m.owner_id as owner, sum(m.cost) as amount
from covered c
join machines m on m.billing_account = c.billing_account and m.currency = c.currency
  and m.instance_type = c.instance_type and m.region = c.region
  and m.commitment in (c.commitment, '')
group by 1, 2, 3, 4

-- name: share.months
select month, fingerprint from share_months where tenant_id = $1

-- name: share.pools
-- Pools of a month that can still change, with the team of their owner.
select s.day, s.cluster, s.cause, s.owner_id as owner, s.billing_account, s.billing_period, s.currency, s.state,
  s.commitment,
  s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, coalesce(o.team, '') as team
from share_pools s left join owners o on o.tenant_id = s.tenant_id and o.owner_id = s.owner_id
where s.tenant_id = $1 and s.day >= $2 and s.day < $3 and s.state <> 'final'

-- name: share.put_days
insert into share_days (tenant_id, day, fingerprint)
select $1, * from unnest($2::timestamptz[], $3::text[])

-- name: share.put_discounts
-- Held time on machines that a commitment covers: the saving against its contracted (else list) price, and the
-- amortised fees it adds.
insert into share_pools (tenant_id, day, cluster, cause, owner_id, billing_account, billing_period, currency, state,
    commitment, effective_cost)
select $1, g.day, coalesce(n.cluster, ''), g.cause, g.owner_id, g.billing_account, g.billing_period, g.currency,
  g.state, g.commitment, sum(g.off)
from (
  select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.cause, p.owner_id,
    coalesce(b.billing_account, '') as billing_account,
    case when p.billing_period is not null then greatest(p.billing_period,
        to_char(p.hour at time zone 'UTC', 'YYYY-MM')) else '' end as billing_period, p.currency,
      case when p.state = 'provisional' then p.state
        when p.state = 'final' and p.billing_period >= to_char(p.hour at time zone 'UTC', 'YYYY-MM')
          or c.name is not null then 'final' else 'open' end as state,
            coalesce(nullif(l.commitment_id, ''), 'unnamed') as commitment,
    sum(p.effective_cost - case when b.posting_kind = 'direct' then coalesce(p.contracted_cost, p.list_cost)
      else 0 end) as off
  from parts b
  join deliveries d on d.tenant_id = b.tenant_id and d.delivery_id = b.delivery_id
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number
    and x.charge_id = b.charge_id offset 0) l
  join postings p on p.tenant_id = b.tenant_id and p.hour = b.hour and p.part_id = b.part_id
  left join period_states c on c.tenant_id = $1 and c.calendar = 'billing' and c.state = 'closed'
    and c.billing_account = b.billing_account
    and c.name = greatest(p.billing_period, to_char(p.hour at time zone 'UTC', 'YYYY-MM'))
  where b.tenant_id = $1 and b.hour >= $3 and b.hour < $4 and date_trunc('day', b.hour, 'UTC') = any($2)
    and (b.posting_kind = 'direct' and b.kind = 'compute' and l.kind = 'covered_usage' or b.posting_kind = 'amortise'
      and b.method = 'commitment credit')
    and p.workload_id is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
) g
left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
where g.off is not null
group by 2, 3, 4, 5, 6, 7, 8, 9, 10

-- name: share.put_hours
insert into share_hours (tenant_id, day, cluster, owner_id, held, used)
select $1, g.day, coalesce(n.cluster, ''), g.owner_id, sum(g.held), sum(g.used)
from (
  select date_trunc('day', u.hour, 'UTC') as day, u.node_id, u.owner_id,
    sum(u.gpu_hours) as held, coalesce(sum(u.gpu_hours) filter (where u.cause = 'used'), 0) as used
  from usage u
  where u.tenant_id = $1 and u.hour >= $3 and u.hour < $4 and date_trunc('day', u.hour, 'UTC') = any($2) and u.held
    and u.cause <> 'host'
  group by 1, 2, 3
) g
left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
group by 2, 3, 4

-- name: share.put_machines
insert into share_machines (tenant_id, day, billing_account, currency, commitment, instance_type, region, owner_id,
    contracted_cost)
select $1, date_trunc('day', p.hour, 'UTC'), coalesce(b.billing_account, ''), p.currency,
  case when l.kind = 'covered_usage' then coalesce(nullif(l.commitment_id, ''), 'unnamed') else '' end,
  coalesce(l.instance_type, ''), coalesce(l.region, ''), p.owner_id, sum(coalesce(p.contracted_cost, p.list_cost))
from parts b
join deliveries d on d.tenant_id = b.tenant_id and d.delivery_id = b.delivery_id
cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number
  and x.charge_id = b.charge_id offset 0) l
join postings p on p.tenant_id = b.tenant_id and p.hour = b.hour and p.part_id = b.part_id
where b.tenant_id = $1 and b.hour >= $3 and b.hour < $4 and date_trunc('day', b.hour, 'UTC') = any($2)
  and b.posting_kind = 'direct' and b.kind = 'compute'
    and (l.kind = 'covered_usage' or l.kind = 'usage' and l.price_class = 'on_demand')
  and p.workload_id is not null
group by 2, 3, 4, 5, 6, 7, 8
having sum(coalesce(p.contracted_cost, p.list_cost)) is not null

-- name: share.put_month
insert into share_months (tenant_id, month, fingerprint) values ($1, $2, $3)
on conflict (tenant_id, month) do update set fingerprint = excluded.fingerprint

-- name: share.put_pools
insert into share_pools (tenant_id, day, cluster, cause, owner_id, billing_account, billing_period, currency, state,
    commitment,
  effective_cost, billed_cost, list_cost, contracted_cost)
select $1, g.day, coalesce(n.cluster, ''), g.cause, g.owner_id, g.billing_account, g.billing_period, g.currency,
  g.state, '',
  sum(g.effective_cost), sum(g.billed_cost), sum(g.list_cost), sum(g.contracted_cost)
from (
  select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.cause, p.owner_id,
    coalesce(b.billing_account, '') as billing_account,
    case when p.billing_period is not null then greatest(p.billing_period,
        to_char(p.hour at time zone 'UTC', 'YYYY-MM')) else '' end as billing_period, p.currency,
      case when p.state = 'provisional' then p.state
        when p.state = 'final' and p.billing_period >= to_char(p.hour at time zone 'UTC', 'YYYY-MM')
          or c.name is not null then 'final' else 'open' end as state,
    sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost,
    sum(p.contracted_cost) as contracted_cost
  from postings p
  left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
  left join period_states c on c.tenant_id = $1 and c.calendar = 'billing' and c.state = 'closed'
    and c.billing_account = b.billing_account
    and c.name = greatest(p.billing_period, to_char(p.hour at time zone 'UTC', 'YYYY-MM'))
  where p.tenant_id = $1 and p.hour >= $3 and p.hour < $4 and date_trunc('day', p.hour, 'UTC') = any($2)
    and p.workload_id is null and p.cause = any($5)
  group by 1, 2, 3, 4, 5, 6, 7, 8
) g
left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
group by 2, 3, 4, 5, 6, 7, 8, 9

-- name: share.put_result
insert into share_results (tenant_id, month, cluster, digest, row_count) values ($1, $2, $3, $4, $5)
on conflict (tenant_id, month, cluster) do update set digest = excluded.digest, row_count = excluded.row_count

-- name: share.results
select cluster, digest from share_results where tenant_id = $1 and month = $2 for update
