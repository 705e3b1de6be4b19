with pairs as (
  select f.charge_id as added, g.charge_id as removed,
    coalesce(f.account, g.account) as account, coalesce(f.service_name, g.service_name) as service_name,
    coalesce(f.billing_period, g.billing_period) as billing_period, coalesce(f.currency, g.currency) as currency
  from (select * from next_changes where fresh) f
  full join (select * from next_changes where not fresh) g on g.alike = f.alike and g.nth = f.nth
), counts as (
  select account, service_name, billing_period, currency,
    count(*) filter (where removed is null) as added, count(*) filter (where added is null) as removed,
    count(*) filter (where added is not null and removed is not null) as changed
  from pairs group by 1, 2, 3, 4
), moves as (
  select account, service_name, billing_period, currency,
    sum(case when fresh then effective_cost else -effective_cost end) as effective_cost, sum(case when fresh then billed_cost else -billed_cost end) as billed_cost,
    sum(case when fresh then list_cost else -list_cost end) as list_cost, sum(case when fresh then contracted_cost else -contracted_cost end) as contracted_cost
  from next_changes group by 1, 2, 3, 4
)
insert into restatement_deltas (tenant_id, delivery_id, replaced, account, service_name, billing_period, currency, added, removed, changed,
  effective_cost, billed_cost, list_cost, contracted_cost)
select $1, $2, $3, account, service_name, billing_period, currency, coalesce(c.added, 0), coalesce(c.removed, 0), coalesce(c.changed, 0),
  coalesce(m.effective_cost, 0), coalesce(m.billed_cost, 0), coalesce(m.list_cost, 0), coalesce(m.contracted_cost, 0)
from counts c full join moves m using (account, service_name, billing_period, currency)
returning account, service_name, billing_period, currency, added, removed, changed, effective_cost, billed_cost, list_cost, contracted_cost
