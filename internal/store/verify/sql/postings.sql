-- Every billed cent once: charges, parts, postings, usage, shares.

-- name: verify.adjusts
select a.posting_id, a.hour, a.node_id, a.adjusts
from postings a
left join postings p on p.tenant_id = a.tenant_id and p.hour = a.hour and p.posting_id = a.adjusts and p.state = 'final'
where a.tenant_id = $1 and a.hour >= $2 and a.hour < $3 and a.adjusts is not null and p.posting_id is null
  and not exists (select from dirty x where x.tenant_id = $1
    and x.node_id = coalesce(a.node_id, '00000000-0000-0000-0000-000000000000')
      and x.day = date_trunc('day', a.hour, 'UTC'))
limit 5

-- name: verify.amortise
select delivery_id, charge_id, hour, sum(effective_cost) as effective_cost,
  count(billed_cost) + count(list_cost) + count(contracted_cost) as other_costs
from parts
where tenant_id = $1 and posting_kind = 'amortise' and ($2::text is null or billing_period = $2)
group by delivery_id, charge_id, hour
having sum(effective_cost) is distinct from 0 or count(billed_cost) + count(list_cost) + count(contracted_cost) > 0
limit 5

-- name: verify.capacity
with hours as (
  select node_id, hour, weight_den, sum(weight_num) as num, sum(capacity_gpu_hours) as capacity
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and cause <> 'host' -- the machine around the GPUs, without capacity
  group by node_id, hour, weight_den
), common as (
  select h.*, lcm_agg(h.weight_den) over (partition by h.node_id, h.hour) as den from hours h
), total as (
  select node_id, hour, sum(num * div(den, weight_den)) / max(den) as device_seconds,
    sum(capacity) as capacity_gpu_hours
  from common
  group by node_id, hour
)
select t.node_id, t.hour, t.device_seconds, t.capacity_gpu_hours, round(t.device_seconds / 3600, 12) as expected
from total t
where t.capacity_gpu_hours <> round(t.device_seconds / 3600, 12)
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = t.node_id
    and x.day = date_trunc('day', t.hour, 'UTC'))
limit 5

-- name: verify.chunks
select k.node_id as node, k.day, k.digest,
  exists (select from dirty x where x.tenant_id = k.tenant_id and x.node_id = k.node_id and x.day = k.day) as dirty
from chunks k
where k.tenant_id = $1 and k.day >= $2 and k.day < $3

-- name: verify.device_places
with held as (
  select device, hour, node_id, sum(weight_num / weight_den) as seconds
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and held and device is not null and cause <> 'host'
  group by device, hour, node_id
)
select h.device, h.hour, sum(h.seconds) as held_seconds, count(*) as nodes
from held h
where not exists (select from dirty x where x.tenant_id = $1 and x.node_id = h.node_id
  and x.day = date_trunc('day', h.hour, 'UTC'))
group by h.device, h.hour
having count(*) > 1 and sum(h.seconds) > 3600.000001
limit 5

-- name: verify.doubles
select what, concat_ws('/', nullif(cluster, ''), name) as machine,
       concat_ws('/', nullif(other_cluster, ''), other_name) as other,
       from_at, to_at, cost as may_be_double, nullif(currency, '') as currency
from machine_doubles
where tenant_id = $1 and from_at < $3 and to_at > $2
order by number, currency

-- name: verify.named_postings
-- Postings on usage rows of the node-hours.
select p.posting_id, p.node_id as node, p.hour, p.part_id, p.usage_id, p.effective_cost, p.billed_cost, p.list_cost,
  p.contracted_cost
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join postings p on p.tenant_id = $1 and p.node_id = k.node_id and p.hour = k.hour and p.usage_id is not null

-- name: verify.named_usage
-- Quantities of the usage rows of the node-hours.
select u.usage_id, u.node_id as node, u.hour, u.capacity_gpu_hours as capacity
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join usage u on u.tenant_id = $1 and u.node_id = k.node_id and u.hour = k.hour

-- name: verify.named_whole
-- Postings of a node-day, or without a node, that should be a whole part and are not.
select p.posting_id, p.hour, p.part_id, p.effective_cost, b.effective_cost as part_effective_cost, p.billed_cost,
  b.billed_cost as part_billed_cost,
  p.list_cost, b.list_cost as part_list_cost, p.contracted_cost, b.contracted_cost as part_contracted_cost
from postings p
left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
where p.tenant_id = $1 and p.hour >= $3 and p.hour < $3 + interval '1 day' and p.usage_id is null
  and (p.node_id = $2 or p.node_id is null and $2 = '00000000-0000-0000-0000-000000000000')
  and (p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost) is distinct from (b.effective_cost,
      b.billed_cost, b.list_cost, b.contracted_cost)
order by p.hour, p.posting_id
limit 5

-- name: verify.node_hours
with hours as (
  select node_id, hour, slot, held, weight_den, sum(weight_num) as num
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and cause <> 'host'
  group by node_id, hour, slot, held, weight_den
), common as (
  select h.*, lcm_agg(h.weight_den) over (partition by h.node_id, h.hour) as den from hours h
), slots as (
  select node_id, hour, slot, den, sum(num * div(den, weight_den)) as num,
    coalesce(sum(num * div(den, weight_den)) filter (where held), 0) as held
  from common
  group by node_id, hour, slot, den
)
select s.node_id, s.hour, s.slot, s.num / s.den as device_seconds, s.held / s.den as held_seconds, n.gpus,
  extract(epoch from least(n.gone_at, s.hour + interval '1 hour') - greatest(n.appeared_at, s.hour)) as observed_seconds
from (select l.*, min(l.num) over (partition by l.node_id, l.hour) as least_num from slots l) s
left join nodes n on n.tenant_id = $1 and n.node_id = s.node_id
where (n.node_id is null
    or s.num <> s.least_num                         -- every slot of a node-hour has the same seconds
    or s.num % s.den <> 0
    or s.slot < 0 or s.slot >= n.gpus
    or s.held > 0
      and s.held > s.den * greatest(0,
          coalesce(extract(epoch from least(n.gone_at, s.hour + interval '1 hour') - greatest(n.appeared_at, s.hour)),
            0)))
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = s.node_id
    and x.day = date_trunc('day', s.hour, 'UTC'))
limit 5

-- name: verify.parts_of_charges
with cut as (
  select delivery_id, charge_id, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost,
    sum(list_cost) as list_cost, sum(contracted_cost) as contracted_cost, bool_or(final) as finals
  from parts
  where tenant_id = $1 and delivery_id is not null
    and ($2::text is null or coalesce(charge_period, billing_period) = $2)
  group by delivery_id, charge_id
), roles as (
  select t.delivery_id, t.account, t.billing_period, t.currency,
    bool_or(t.metric = 'effective_cost' and t.role = 'book') as effective_cost,
    bool_or(t.metric = 'billed_cost' and t.role = 'book') as billed_cost,
    bool_or(t.metric = 'list_cost' and t.role = 'book') as list_cost,
    bool_or(t.metric = 'contracted_cost' and t.role = 'book') as contracted_cost
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
    and d.fleet_digest <> ''
  where t.tenant_id = $1 and ($2::text is null or t.billing_period = $2)
  group by t.delivery_id, t.account, t.billing_period, t.currency
), book as (
  select d.delivery_id, c.charge_id, c.source_file, c.line,
    case when r.effective_cost then c.effective_cost end as effective_cost,
    case when r.billed_cost then c.billed_cost end as billed_cost,
    case when r.list_cost then c.list_cost end as list_cost,
    case when r.contracted_cost then c.contracted_cost end as contracted_cost
  from deliveries d
  cross join lateral (
    select * from charge_lines l where l.tenant_id = $1 and l.delivery = d.number and l.kind <> 'split'
      and ($2::text is null or l.billing_period = $2) offset 0
  ) c
  join roles r on r.delivery_id = d.delivery_id and r.account = c.account and r.billing_period = c.billing_period
    and r.currency = c.currency
  where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest <> ''
)
select coalesce(b.delivery_id, p.delivery_id) as delivery_id, coalesce(b.charge_id, p.charge_id) as charge_id,
  b.source_file, b.line,
  b.effective_cost as charge_effective_cost, p.effective_cost as parts_effective_cost,
  b.billed_cost as charge_billed_cost, p.billed_cost as parts_billed_cost, b.list_cost as charge_list_cost,
  p.list_cost as parts_list_cost, b.contracted_cost as charge_contracted_cost,
  p.contracted_cost as parts_contracted_cost
from book b
full join cut p on p.delivery_id = b.delivery_id and p.charge_id = b.charge_id
where (b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost) is distinct from (p.effective_cost,
    p.billed_cost, p.list_cost, p.contracted_cost)
  -- Parts of a delivery that is replaced, or waits to be cut again, are not checked yet.
  and not (b.charge_id is null and exists (select from deliveries n where n.tenant_id = $1 and n.state = 'current'
    and n.fleet_digest = '')
    and not exists (select from deliveries d where d.tenant_id = $1 and d.delivery_id = p.delivery_id
      and d.state = 'current' and d.fleet_digest <> ''))
  -- A line of a closed period that is gone has its postings reversed.
  and not (b.charge_id is null and coalesce(p.effective_cost, 0) = 0 and coalesce(p.billed_cost, 0) = 0
    and coalesce(p.list_cost, 0) = 0 and coalesce(p.contracted_cost, 0) = 0 and p.finals)
limit 5

-- name: verify.postings_of_parts
-- Postings are grouped by bill, period and finality too, so that a posting that differs from its part in one of them
-- forms a separate group.
with posted as (
  select part_id, hour, node_id, billing_account, billing_period, state = 'final' as final,
    sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost, sum(list_cost) as list_cost,
    sum(contracted_cost) as contracted_cost
  from postings
  where tenant_id = $1 and ($2::text is null or billing_period = $2)
  group by part_id, hour, node_id, billing_account, billing_period, state = 'final'
), cut as (
  select b.part_id, b.hour, b.charge_id, b.node_id, b.kind, b.billing_account, m.billing_period, b.final,
    b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost
  from parts b
  cross join lateral (select case when b.posting_kind = 'amortise'
    then greatest(b.billing_period, to_char(b.hour at time zone 'UTC', 'YYYY-MM'))
    else b.billing_period end as billing_period) m -- fees that amortise later are in the month of their hours (13.3)
  where b.tenant_id = $1 and ($2::text is null or m.billing_period = $2)
)
select coalesce(c.part_id, p.part_id) as part_id, coalesce(c.hour, p.hour) as hour,
  coalesce(c.node_id, p.node_id) as node_id,
  c.charge_id, c.kind, p.part_id is null as unposted, c.billing_account, p.billing_account as posted_account,
  c.billing_period, p.billing_period as posted_period,
  c.final, p.final as posted_final,
  c.effective_cost as part_effective_cost, p.effective_cost as posted_effective_cost, c.billed_cost as part_billed_cost,
  p.billed_cost as posted_billed_cost, c.list_cost as part_list_cost, p.list_cost as posted_list_cost,
  c.contracted_cost as part_contracted_cost, p.contracted_cost as posted_contracted_cost
from cut c
full join posted p on p.part_id = c.part_id and p.hour = c.hour
where (c.part_id is null or p.part_id is null
    or (c.billing_account, c.billing_period, c.final) is distinct from (p.billing_account, p.billing_period, p.final)
    or (c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost) is distinct from (p.effective_cost,
        p.billed_cost, p.list_cost, p.contracted_cost))
  and not exists (select from dirty x where x.tenant_id = $1
    and x.node_id = coalesce(c.node_id, p.node_id, '00000000-0000-0000-0000-000000000000')
      and x.day = date_trunc('day', coalesce(c.hour, p.hour), 'UTC'))
limit 5

-- name: verify.provisional
select p.part_id, p.node_id, p.hour, n.account, c.covered_until
from parts p
join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
join coverage c on c.tenant_id = n.tenant_id and c.account = n.account
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.kind = 'provisional'
  and (p.effective_cost is not null or p.billed_cost is not null or p.list_cost is not null
    or p.contracted_cost is not null)
  and p.hour + interval '1 hour' <= c.covered_until
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = p.node_id
    and x.day = date_trunc('day', p.hour, 'UTC'))
limit 5

-- name: verify.quantities
-- Added up once, however many workers run the rest in parallel.
with ridden as materialized (
  select usage_id, hour, node_id, sum(gpu_hours) as gpu_hours, sum(capacity_gpu_hours) as capacity_gpu_hours,
    sum(active_gpu_hours) as active_gpu_hours, sum(energy_kwh) as energy_kwh
  from postings
  where tenant_id = $1 and hour >= $2 and hour < $3 and usage_id is not null
  group by usage_id, hour, node_id
)
select u.usage_id, r.node_id, r.hour, u.gpu_hours as usage_gpu_hours, r.gpu_hours as posted_gpu_hours,
  u.capacity_gpu_hours as usage_capacity, r.capacity_gpu_hours as posted_capacity,
  u.active_gpu_hours as usage_active, r.active_gpu_hours as posted_active, u.energy_kwh as usage_energy,
  r.energy_kwh as posted_energy
from ridden r
join usage u on u.tenant_id = $1 and u.usage_id = r.usage_id and u.hour = r.hour and u.node_id = r.node_id
where r.capacity_gpu_hours is not null
  and (u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh)
    is distinct from (r.gpu_hours, r.capacity_gpu_hours, r.active_gpu_hours, r.energy_kwh)
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = r.node_id
    and x.day = date_trunc('day', r.hour, 'UTC'))
limit 5

-- name: verify.references
-- Unheld time of a line that its provider split belongs to the owner of its part (docs/rules.md, 8.31).
-- Without the limit inside: a server that searches for the first of rows that do not exist looks each one up instead
-- of joining them.
with wrong as materialized (
select p.posting_id, p.hour, p.node_id, p.part_id, p.usage_id, p.owner_id, p.cause, u.cause as usage_cause,
  o.owner_id is null as no_owner,
  p.usage_id is not null and u.usage_id is null as no_usage, p.cause is null as no_terms
from postings p
left join owners o on o.tenant_id = $1 and o.owner_id = p.owner_id
left join usage u on u.tenant_id = $1 and u.usage_id = p.usage_id and u.hour = p.hour and u.node_id = p.node_id
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
  and (o.owner_id is null or p.cause is null
    or p.usage_id is not null and (u.usage_id is null
      or (p.cause, p.activity, p.node_id, p.slot) is distinct from (u.cause, u.activity, u.node_id,
          nullif(u.slot, -1))
      or p.owner_id is distinct from u.owner_id and (u.workload_id is not null or not exists (
        select from parts b where b.tenant_id = $1 and b.hour = p.hour and b.part_id = p.part_id
          and b.owner_id = p.owner_id))
      or (p.slice_id, p.workload_id, p.run_id, p.attempt_id) is distinct from (u.slice_id, u.workload_id, u.run_id,
          u.attempt_id)))
)
select * from wrong limit 5

-- name: verify.segments
with starts as (
  select workload_id, from_at from segments where tenant_id = $1 and from_at >= $2 and from_at < $3
  group by workload_id, from_at
)
select a.workload_id, a.from_at, sum(b.weight) as weight, count(*) as segments
from starts a
join segments b on b.tenant_id = $1 and b.workload_id = a.workload_id and b.from_at <= a.from_at and b.to_at > a.from_at
group by a.workload_id, a.from_at
having sum(b.weight) > 1000000 or min(b.weight) < 1
limit 5

-- name: verify.share_owners
select s.share_id, s.hour, s.kind, s.owner_id, s.from_owner, s.state
from shares s
where s.tenant_id = $1 and s.hour >= $2 and s.hour < $3
  and (not exists (select from owners o where o.tenant_id = $1 and o.owner_id = s.owner_id)
    or s.from_owner is not null and not exists (select from owners o where o.tenant_id = $1
      and o.owner_id = s.from_owner)
    or s.kind not in ('shared_in', 'shared_out') or s.state not in ('provisional', 'open', 'final'))
limit 5

-- name: verify.share_pairs
select pool_id, min(hour) as day, count(*) as rows, sum(effective_cost) as effective_cost,
  sum(billed_cost) as billed_cost, sum(list_cost) as list_cost,
  sum(contracted_cost) as contracted_cost
from shares
where tenant_id = $1 and hour >= $2 and hour < $3
group by pool_id
having sum(effective_cost) <> 0 or sum(billed_cost) <> 0 or sum(list_cost) <> 0 or sum(contracted_cost) <> 0
  or count(effective_cost) not in (0, count(*)) or count(billed_cost) not in (0, count(*))
  or count(list_cost) not in (0, count(*)) or count(contracted_cost) not in (0, count(*))
  or count(*) filter (where kind = 'shared_out') = 0
limit 5

-- name: verify.share_pools
-- The cost passed on equals the postings of that owner, cause and day.
with pools as (
  select pool_id, hour as day, cluster, cause, owner_id, billing_account,
    coalesce(billing_period, '') as billing_period, currency, state,
    pool_effective_cost, pool_billed_cost, pool_list_cost, pool_contracted_cost
  from shares
  where tenant_id = $1 and hour >= $2 and hour < $3 and kind = 'shared_out' and commitment is null
    and (state = 'final' or hour = any($4))
), posted as (
  select g.day, coalesce(n.cluster, '') as cluster, g.cause, g.owner_id, g.billing_account, g.billing_period,
    g.currency, g.state,
    sum(g.effective_cost) as effective_cost, sum(g.billed_cost) as billed_cost, sum(g.list_cost) as list_cost,
    sum(g.contracted_cost) as contracted_cost
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
    where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.workload_id is null
      and p.cause in (select cause from pools)
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ) g
  left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
  group by 1, 2, 3, 4, 5, 6, 7, 8
)
select k.pool_id, k.day, k.cluster, k.cause, k.owner_id, k.billing_period, k.currency, k.pool_effective_cost,
  p.effective_cost, k.pool_billed_cost, p.billed_cost
from pools k
left join posted p using (day, cluster, cause, owner_id, billing_account, billing_period, currency, state)
where k.pool_effective_cost is distinct from p.effective_cost or k.pool_billed_cost is distinct from p.billed_cost
  or k.pool_list_cost is distinct from p.list_cost or k.pool_contracted_cost is distinct from p.contracted_cost
limit 5

-- name: verify.share_weights
-- A payer's share follows from the payer's weight, within one unit of 1e-12 per rounding and one for digits below it.
select i.share_id, i.pool_id, i.hour, i.effective_cost, i.billed_cost, o.pool_effective_cost, o.pool_billed_cost,
  i.weight, i.weight_of, i.team_weight, i.team_weight_of
from shares i
join shares o on o.tenant_id = i.tenant_id and o.hour = i.hour and o.pool_id = i.pool_id and o.kind = 'shared_out'
cross join lateral (
  select i.weight * coalesce(i.team_weight, 1) as mine, i.weight_of * coalesce(i.team_weight_of, 1) as of
) w
where i.tenant_id = $1 and i.hour >= $2 and i.hour < $3 and i.kind = 'shared_in' and i.commitment is null
  and (w.of <= 0 or w.mine <= 0 or w.mine > w.of
    or abs(i.effective_cost * w.of - o.pool_effective_cost * w.mine) > 0.000000000003 * w.of
    or abs(i.billed_cost * w.of - o.pool_billed_cost * w.mine) > 0.000000000003 * w.of
    or abs(i.list_cost * w.of - o.pool_list_cost * w.mine) > 0.000000000003 * w.of
    or abs(i.contracted_cost * w.of - o.pool_contracted_cost * w.mine) > 0.000000000003 * w.of)
limit 5

-- name: verify.single_cause
select u.node_id, u.hour, u.slot, u.slice_id, u.workload_id, u.run_id, u.attempt_id, u.cause, u.activity,
  count(*) as rows
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3
group by u.node_id, u.hour, u.slot, u.slice_id, u.workload_id, u.run_id, u.attempt_id, u.cause, u.activity
having count(*) > 1
limit 5

-- name: verify.uncut
select d.delivery_id, d.source, d.export, d.partition_key
from deliveries d
where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest = '' and ($2::text is null or d.partition_key = $2)
  and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
    and t.role = 'book')
order by d.partition_key

-- name: verify.usage_rows
select u.usage_id, u.node_id, u.hour, u.slot, u.cause, u.activity, u.seconds, u.active_seconds, u.weight_num,
  u.weight_den,
  u.gpu_hours, u.capacity_gpu_hours, u.workload_id
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3
  and (u.weight_num < 0 or u.weight_den <= 0 or u.seconds < 0 or u.active_seconds < 0 or u.active_seconds > u.seconds
    or u.cause <> 'host' and u.weight_num > u.seconds * u.weight_den
    or u.cause = 'host' and (u.seconds, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh) is distinct from (0, 0,
        0, null)
    or u.held <> (u.workload_id is not null)
    or u.gpu_hours <> case when u.held then u.capacity_gpu_hours else 0 end)
limit 5

-- name: verify.waiting_days
-- Days from $2 to $3 with postings of lines that another delivery has replaced: until the new one is cut, no charge
-- names them.
select distinct date_trunc('day', p.hour, 'UTC')
from parts p
join deliveries d on d.tenant_id = $1 and d.delivery_id = p.delivery_id and d.state <> 'current'
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and not p.final
