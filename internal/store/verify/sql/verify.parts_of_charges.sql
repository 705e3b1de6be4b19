with cut as (
  select delivery_id, charge_id, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost, sum(list_cost) as list_cost, sum(contracted_cost) as contracted_cost, bool_or(final) as finals
  from parts
  where tenant_id = $1 and delivery_id is not null and ($2::text is null or coalesce(charge_period, billing_period) = $2)
  group by delivery_id, charge_id
), roles as (
  select t.delivery_id, t.account, t.billing_period, t.currency,
    bool_or(t.metric = 'effective_cost' and t.role = 'book') as effective_cost, bool_or(t.metric = 'billed_cost' and t.role = 'book') as billed_cost, bool_or(t.metric = 'list_cost' and t.role = 'book') as list_cost, bool_or(t.metric = 'contracted_cost' and t.role = 'book') as contracted_cost
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current' and d.fleet_digest <> ''
  where t.tenant_id = $1 and ($2::text is null or t.billing_period = $2)
  group by t.delivery_id, t.account, t.billing_period, t.currency
), book as (
  select d.delivery_id, c.charge_id, c.source_file, c.line, case when r.effective_cost then c.effective_cost end as effective_cost, case when r.billed_cost then c.billed_cost end as billed_cost, case when r.list_cost then c.list_cost end as list_cost, case when r.contracted_cost then c.contracted_cost end as contracted_cost
  from deliveries d
  cross join lateral (
    select * from charge_lines l where l.tenant_id = $1 and l.delivery = d.number and l.kind <> 'split' and ($2::text is null or l.billing_period = $2) offset 0
  ) c
  join roles r on r.delivery_id = d.delivery_id and r.account = c.account and r.billing_period = c.billing_period and r.currency = c.currency
  where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest <> ''
)
select coalesce(b.delivery_id, p.delivery_id) as delivery_id, coalesce(b.charge_id, p.charge_id) as charge_id, b.source_file, b.line,
  b.effective_cost as charge_effective_cost, p.effective_cost as parts_effective_cost, b.billed_cost as charge_billed_cost, p.billed_cost as parts_billed_cost, b.list_cost as charge_list_cost, p.list_cost as parts_list_cost, b.contracted_cost as charge_contracted_cost, p.contracted_cost as parts_contracted_cost
from book b
full join cut p on p.delivery_id = b.delivery_id and p.charge_id = b.charge_id
where (b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost) is distinct from (p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost)
  -- What was cut of a delivery that is replaced or to be cut again waits with it.
  and not (b.charge_id is null and exists (select from deliveries n where n.tenant_id = $1 and n.state = 'current' and n.fleet_digest = '')
    and not exists (select from deliveries d where d.tenant_id = $1 and d.delivery_id = p.delivery_id and d.state = 'current' and d.fleet_digest <> ''))
  -- Of a line of a closed period that is gone, what was posted is taken back.
  and not (b.charge_id is null and coalesce(p.effective_cost, 0) = 0 and coalesce(p.billed_cost, 0) = 0 and coalesce(p.list_cost, 0) = 0 and coalesce(p.contracted_cost, 0) = 0 and p.finals)
limit 5
