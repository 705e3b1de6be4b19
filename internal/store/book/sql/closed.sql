-- Adjustments of closed periods, statements, and the rows that verify reads.

-- name: adjust.analyze
analyze closed_charges

-- name: adjust.create_charges
create temp table closed_charges (charge_id uuid primary key, billing_account text, current boolean not null,
  final boolean not null, same boolean not null,
  finals bigint not null, old_delivery uuid, open_period text not null, boundary timestamptz not null) on commit drop;
create temp table replaced_lines (charge_id uuid primary key, replaced uuid not null) on commit drop

-- name: adjust.find_charges
-- The charges of closed periods: the sums of their staged parts and of their final parts, reversals included.
-- Amortisation pairs are zero.
insert into closed_charges
with closed as (
  select name, billing_account,
    to_char((max(name || '-01') over (partition by billing_account))::timestamp + interval '1 month', 'YYYY-MM')
      as open_period,
    ((max(name || '-01') over (partition by billing_account))::timestamp + interval '1 month')
      at time zone 'UTC' as boundary
  from period_states where tenant_id = $1 and calendar = 'billing' and state = 'closed'
), staged as (
  select n.charge_id, c.billing_account, c.open_period, c.boundary,
    sum(n.effective_cost) filter (where n.posting_kind <> 'amortise') as effective_cost,
    sum(n.billed_cost) filter (where n.posting_kind <> 'amortise') as billed_cost,
    sum(n.list_cost) filter (where n.posting_kind <> 'amortise') as list_cost,
    sum(n.contracted_cost) filter (where n.posting_kind <> 'amortise') as contracted_cost
  from next_parts n
  join closed c on c.billing_account = n.billing_account and c.name = n.billing_period
  group by 1, 2, 3, 4
), stood as (
  select p.charge_id, min(p.billing_account) as billing_account, count(*) as finals,
    min(p.delivery_id::text)::uuid as old_delivery, -- a line's final parts have one delivery
    sum(p.effective_cost) filter (where p.posting_kind <> 'amortise') as effective_cost,
    sum(p.billed_cost) filter (where p.posting_kind <> 'amortise') as billed_cost,
    sum(p.list_cost) filter (where p.posting_kind <> 'amortise') as list_cost,
    sum(p.contracted_cost) filter (where p.posting_kind <> 'amortise') as contracted_cost
  from parts p
  where p.tenant_id = $1 and p.final and p.delivery_id = any ($2)
  group by p.charge_id
)
select coalesce(f.charge_id, s.charge_id), coalesce(f.billing_account, s.billing_account), f.charge_id is not null,
  s.charge_id is not null,
  f.charge_id is not null and s.charge_id is not null
    and (f.effective_cost, f.billed_cost, f.list_cost, f.contracted_cost)
      is not distinct from (s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost),
  coalesce(s.finals, 0), s.old_delivery, coalesce(f.open_period, c.open_period), coalesce(f.boundary, c.boundary)
from staged f
full join stood s on s.charge_id = f.charge_id
left join lateral (select k.open_period, k.boundary from closed k
  where k.billing_account = s.billing_account limit 1) c on true
where coalesce(f.open_period, c.open_period) is not null

-- name: adjust.keep_frozen
-- An unchanged line keeps its final parts, even if it would now be cut differently.
delete from next_parts n
using closed_charges c
where c.charge_id = n.charge_id and c.same and (n.posting_kind <> 'amortise' or n.hour < c.boundary)

-- name: adjust.pair_lines
-- Pairs of a new line and the line it replaces: same resource, usage type, operation, kind and charge period, in the
-- order of ids.
insert into replaced_lines
with fresh as (
  select c.charge_id, k.alike, row_number() over (partition by k.alike order by c.charge_id) as nth
  from closed_charges c
  join deliveries d on d.tenant_id = $1 and d.delivery_id = $2
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number
    and x.charge_id = c.charge_id offset 0) l
  cross join lateral (select array[l.kind, l.account, l.resource_id, l.usage_type, l.operation, l.charge_start::text,
    l.charge_end::text]) k(alike)
  where c.current and not c.same
), gone as (
  select c.charge_id, k.alike, row_number() over (partition by k.alike order by c.charge_id) as nth
  from closed_charges c
  join deliveries d on d.tenant_id = $1 and d.delivery_id = c.old_delivery
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number
    and x.charge_id = c.charge_id offset 0) l
  cross join lateral (select array[l.kind, l.account, l.resource_id, l.usage_type, l.operation, l.charge_start::text,
    l.charge_end::text]) k(alike)
  where c.final and not c.same
)
select f.charge_id, g.charge_id from fresh f join gone g on g.alike is not distinct from f.alike and g.nth = f.nth

-- name: adjust.pair_parts
-- Pairs each new part with the replaced line's final part of the same hour, node and kind.
with fresh as (
  select n.part_id, n.hour, r.replaced, n.kind, n.node_id, n.posting_kind = 'amortise' as amortises,
    row_number() over (partition by r.replaced, n.hour, n.kind, n.node_id, n.posting_kind = 'amortise'
      order by n.number) as nth
  from next_parts n join replaced_lines r on r.charge_id = n.charge_id
  where n.reverses is null and n.charge_period is not null
), gone as (
  select p.part_id, p.hour, p.charge_id, p.kind, p.node_id, p.posting_kind = 'amortise' as amortises,
    row_number() over (partition by p.charge_id, p.hour, p.kind, p.node_id, p.posting_kind = 'amortise'
      order by p.number) as nth
  from replaced_lines r join parts p on p.tenant_id = $1 and p.charge_id = r.replaced and p.final
    and p.delivery_id = any ($2)
  where p.reverses is null
    and not exists (
      select from parts v
      where v.tenant_id = p.tenant_id and v.charge_id = p.charge_id and v.final and v.reverses = p.part_id
        and v.hour = p.hour)
)
update next_parts n set replaces = g.part_id
from fresh f
join gone g on g.charge_id = f.replaced and g.hour = f.hour and g.kind = f.kind
  and g.node_id is not distinct from f.node_id and g.amortises = f.amortises and g.nth = f.nth
where n.part_id = f.part_id and n.hour = f.hour

-- name: adjust.post_fresh
-- A new or changed line is posted in the open period. If the line has final parts, its new parts need other ids.
update next_parts n
set charge_period = n.billing_period, billing_period = c.open_period,
  posting_kind = case when n.posting_kind = 'amortise' then n.posting_kind else 'adjustment' end,
  part_id = case when c.finals > 0 then md5(n.part_id::text || ':' || c.finals)::uuid else n.part_id end
from closed_charges c
where c.charge_id = n.charge_id and c.current and not c.same

-- name: adjust.reverse
-- Final parts of a removed or changed line are reversed once.
insert into next_parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour, billing_period,
  currency,
  effective_cost, billed_cost, list_cost, contracted_cost, method, quality, owner_id, posting_kind, billing_account,
  charge_period, final, reverses)
select p.tenant_id, md5('reversal:' || p.part_id || ':' || extract(epoch from p.hour)::bigint)::uuid, p.charge_id,
  p.delivery_id, p.number, p.kind, p.node_id, p.hour, c.open_period, p.currency,
  -p.effective_cost, -p.billed_cost, -p.list_cost, -p.contracted_cost, p.method, p.quality, p.owner_id, 'adjustment',
  p.billing_account,
  coalesce(p.charge_period, p.billing_period), false, p.part_id
from closed_charges c
join parts p on p.tenant_id = $1 and p.charge_id = c.charge_id and p.final and p.delivery_id = any ($2)
where c.final and not c.same and p.reverses is null
  and not exists (
    select from parts r
    where r.tenant_id = p.tenant_id and r.charge_id = p.charge_id and r.final and r.reverses = p.part_id
      and r.hour = p.hour)

-- name: final.copy_parts
copy (
  select billing_account, billing_period, node_id, hour, part_id, charge_id, number, kind, currency, effective_cost,
  billed_cost, list_cost, contracted_cost,
  usage_seconds, method, quality, owner_id, posting_kind, charge_period, reverses, replaces
  from parts where tenant_id = :tenant and hour >= :from and hour < :to and final
    and (:account is null or billing_account = :account and billing_period = :period)
) to stdout (format binary)

-- name: final.copy_postings
copy (
  select billing_account, billing_period, node_id, hour, posting_id, part_id, charge_id, part, usage_id, cause,
  activity, kind, adjusts, owner_id, method, quality, policy_version, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
  slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id
  from postings where tenant_id = :tenant and hour >= :from and hour < :to and state = 'final'
    and (:account is null or billing_account = :account and billing_period = :period)
) to stdout (format binary)

-- name: final.copy_shares
copy (
  select billing_account, billing_period, null::uuid, hour, share_id, pool_id, kind, cluster, cause, owner_id,
  from_owner, currency, commitment,
  effective_cost, billed_cost, list_cost, contracted_cost, policy_version, method, rule, weight, weight_of,
  team_weight, team_weight_of
  from shares where tenant_id = :tenant and hour >= :from and hour < :to and state = 'final'
    and (:account is null or billing_account = :account and billing_period = :period)
) to stdout (format binary)

-- name: final.copy_usage
copy (
  select f.billing_account, f.billing_period, @usage_columns(u)
  from usage u join frozen_hours f on f.tenant_id = u.tenant_id and f.node_id = u.node_id and f.hour = u.hour
  where u.tenant_id = :tenant and u.hour >= :from and u.hour < :to
    and (:account is null or f.billing_account = :account and f.billing_period = :period)
) to stdout (format binary)

-- name: statement.document
select document from statements where tenant_id = $1 and billing_account = $2 and billing_period = $3 and version = $4

-- name: statement.head
select policy_versions from statements where tenant_id = $1 and billing_account = $2 and billing_period = $3
  and version = $4

-- name: statement.lines
select day, provider, account, region, cluster, node, namespace, workload_kind, service, run_id, owner_id as owner,
  cause, kind, quality, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours as capacity,
  active_gpu_hours as active, energy_kwh
from statement_lines
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and version = $4
order by line

-- name: verify.copy_parts
copy (
  select @parts_columns(p)
  from parts p where tenant_id = :tenant and hour >= :from and hour < :to and kind = 'provisional'
) to stdout (format binary)

-- name: verify.copy_postings
copy (
  select @posting_rows_columns(p)
  from posting_rows p left join posting_terms t on t.tenant_id = p.tenant_id and t.terms_id = p.terms_id
  where p.tenant_id = :tenant and p.hour >= :from and p.hour < :to and t.state is distinct from 'final'
) to stdout (format binary)

-- name: verify.copy_spans
copy (
  select @spans_columns(s)
  from spans s where tenant_id = :tenant and day >= :from and day < :to
) to stdout (format binary)

-- name: verify.copy_usage
copy (
  select @usage_columns(u)
  from usage u where tenant_id = :tenant and hour >= :from and hour < :to
    and not exists (select from frozen_hours f where f.tenant_id = u.tenant_id and f.node_id = u.node_id
      and f.hour = u.hour)
) to stdout (format binary)
