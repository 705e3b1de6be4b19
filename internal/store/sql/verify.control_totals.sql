with sums as (
  select c.delivery_id, c.account, c.billing_period, c.currency, count(*) as charges,
    sum(c.effective_cost) as effective_cost, sum(c.billed_cost) as billed_cost, sum(c.list_cost) as list_cost, sum(c.contracted_cost) as contracted_cost
  from charges c
  join deliveries d on d.tenant_id = c.tenant_id and d.delivery_id = c.delivery_id and d.state = 'current'
  where c.tenant_id = $1 and ($2::text is null or c.billing_period = $2)
  group by c.delivery_id, c.account, c.billing_period, c.currency
), stored as (
  select s.delivery_id, s.account, s.billing_period, s.currency, s.charges, v.metric, v.total
  from sums s
  cross join lateral (values ('effective_cost', s.effective_cost), ('billed_cost', s.billed_cost), ('list_cost', s.list_cost), ('contracted_cost', s.contracted_cost)) v (metric, total)
  where v.total is not null
), told as (
  select t.*
  from control_totals t
  join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
  where t.tenant_id = $1 and ($2::text is null or t.billing_period = $2)
)
select coalesce(t.delivery_id, s.delivery_id) as delivery_id, coalesce(t.account, s.account) as account,
  coalesce(t.billing_period, s.billing_period) as billing_period, coalesce(t.currency, s.currency) as currency,
  coalesce(t.metric, s.metric) as metric, t.source_total, s.total as charges_total, t.charges as source_rows, s.charges as charge_rows
from told t
full join stored s on s.delivery_id = t.delivery_id and s.account = t.account and s.billing_period = t.billing_period
  and s.currency = t.currency and s.metric = t.metric
where t.source_total is distinct from s.total or t.charges is distinct from s.charges
limit 5
