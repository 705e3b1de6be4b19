-- Parts of charges: staged, compared, taken over from older deliveries.

-- name: part.analyze_stage
analyze next_parts

-- name: part.charge_months
select r.charge_id, s.billing_period
from charge_scopes s
join charge_rows r on r.tenant_id = s.tenant_id and r.delivery =
  (select number from deliveries where tenant_id = $1 and delivery_id = $2) and r.scope = s.scope
where s.tenant_id = $1 and s.delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2)
  and s.billing_period <> $3

-- name: part.closed_concern
-- Whether any line of the delivery, or of those it replaces, belongs to a closed period.
select exists (
  select from period_states s
  join charge_scopes c on c.tenant_id = s.tenant_id and c.billing_period = s.name
    and c.billing_account = s.billing_account
  where s.tenant_id = $1 and s.calendar = 'billing' and s.state = 'closed'
    and c.delivery in (select d.number from deliveries d where d.tenant_id = $1
      and (d.delivery_id = $2 or d.delivery_id = any ($3))))

-- name: part.create_stage
create temp table next_parts (like parts including defaults) on commit drop

-- name: part.create_touched
create temp table touched_parts (node_id uuid, day timestamptz) on commit drop

-- name: part.delete_changed
-- Parts of lines of closed periods are decided with their own export ($3).
with gone as (
  delete from parts p
  where p.tenant_id = $1 and p.delivery_id = any ($2) and not p.final
    and (p.charge_period is null or p.delivery_id = any ($3))
    and not exists (
      select from next_parts n
      where n.part_id = p.part_id and n.hour = p.hour
        and (n.charge_id, n.rate_id, n.number, n.kind, n.node_id, n.billing_period, n.currency, n.effective_cost,
          n.billed_cost, n.list_cost, n.contracted_cost, n.usage_seconds, n.method, n.quality, n.owner_id,
          n.posting_kind,
          n.billing_account, n.charge_period, n.reverses, n.replaces)
        is not distinct from (p.charge_id, p.rate_id, p.number, p.kind, p.node_id, p.billing_period, p.currency,
          p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.usage_seconds, p.method, p.quality,
          p.owner_id, p.posting_kind,
          p.billing_account, p.charge_period, p.reverses, p.replaces))
  returning p.node_id, p.hour
)
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC') from gone

-- name: part.forget_superseded
update deliveries set fleet_digest = ''
where tenant_id = $1 and delivery_id <> $2 and fleet_digest <> '' and state <> 'current'

-- name: part.insert_changed
with added as (
  insert into parts
  select n.* from next_parts n
  where n.tenant_id = $1
    and not exists (select from parts p where p.tenant_id = n.tenant_id and p.hour = n.hour and p.part_id = n.part_id)
  returning node_id, hour
)
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC') from added

-- name: part.mark
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select distinct $1::int, coalesce(node_id, '00000000-0000-0000-0000-000000000000'), day, $2::bigint, 'parts'
from touched_parts
order by 2, 3

-- name: part.months
select s.billing_period
from (
  select scope, count(*) as lines from charge_rows
  where tenant_id = $1 and delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2)
  group by scope
) r
join charge_scopes s on s.tenant_id = $1 and s.delivery =
  (select number from deliveries where tenant_id = $1 and delivery_id = $2) and s.scope = r.scope
group by s.billing_period
order by sum(r.lines) desc, s.billing_period

-- name: part.reached_months
-- The months in which parts of a delivery can be. A charge of more than $3 seconds stays in the hour it starts, unless
-- it has kind $4 (docs/rules.md, 8.5, 8.15).
select distinct m at time zone 'UTC'
from (
  select starts / 86400 as first, greatest(starts, ends - 1) / 86400 as last
  from charge_rows
  where tenant_id = $1 and delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2)
    and ends - starts <= $3
  union
  select r.starts / 86400, case when i.kind = $4 then (r.ends - 1) / 86400 else r.starts / 86400 end
  from charge_rows r
  join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item
  where r.tenant_id = $1 and r.delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2)
    and r.ends - r.starts > $3
) s cross join lateral generate_series(
  date_trunc('month', to_timestamp(s.first * 86400) at time zone 'UTC'),
  to_timestamp(s.last * 86400) at time zone 'UTC', interval '1 month') m

-- name: part.record_cut
update deliveries set fleet_digest = $3 where tenant_id = $1 and delivery_id = $2

-- name: part.replaced_deliveries
select d.delivery_id,
  exists (select from parts p where p.tenant_id = d.tenant_id and p.delivery_id = d.delivery_id) as stored
from deliveries d
where d.tenant_id = $1
  and (d.delivery_id = $2 or not (d.state = 'current' and exists (
    select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.role = 'book')))

-- name: part.settled_deliveries
-- The delivery, the others of its partition, and those whose partition has no current delivery that is book.
select x.delivery_id
from deliveries x
join deliveries d on d.tenant_id = x.tenant_id and d.delivery_id = $2
left join deliveries c on c.tenant_id = x.tenant_id and c.source = x.source and c.export = x.export
  and c.scope = x.scope and c.dataset = x.dataset
  and c.partition_key = x.partition_key and c.state = 'current'
where x.tenant_id = $1
  and ((x.source, x.export, x.scope, x.dataset, x.partition_key)
      = (d.source, d.export, d.scope, d.dataset, d.partition_key)
    or not exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = c.delivery_id
      and t.role = 'book'))

-- name: part.take_over
-- Bill figures are summed by lineage (fact posted), so days of parts that move to another bill are summed again.
with moved as (
  update parts p set delivery_id = $2
  from deliveries o, deliveries n
  where o.tenant_id = $1 and o.delivery_id = p.delivery_id and n.tenant_id = $1 and n.delivery_id = $2
    and p.tenant_id = $1 and p.delivery_id = any ($3) and p.delivery_id <> $2 and not p.final and p.reverses is null
    and (p.charge_period is null or p.delivery_id = any ($4))
  returning p.hour, o.lineage <> n.lineage as another
)
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from moved where another

-- name: part.take_over_final
-- Like part.take_over, for lines that stayed the same in a closed period.
with moved as (
  update parts p set delivery_id = $2
  from closed_charges c, deliveries o, deliveries n
  where o.tenant_id = $1 and o.delivery_id = p.delivery_id and n.tenant_id = $1 and n.delivery_id = $2
    and p.tenant_id = $1 and p.charge_id = c.charge_id and c.same and p.final and p.delivery_id = any ($3)
    and p.delivery_id <> $2
  returning p.hour, o.lineage <> n.lineage as another
)
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from moved where another

-- name: part.touch_new
insert into touched_parts select distinct node_id, date_trunc('day', hour, 'UTC')
from parts where tenant_id = $1 and delivery_id = $2
