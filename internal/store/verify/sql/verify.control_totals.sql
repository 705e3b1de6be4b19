with rows as (
  select d.delivery_id, d.number, c.*
  from deliveries d
  cross join lateral (
    select scope, count(*) as charges, sum(effective) as effective, sum(billed) as billed, sum(list) as list, sum(contracted) as contracted,
      sum(exact[1]) as exact_effective, sum(exact[2]) as exact_billed, sum(exact[3]) as exact_list, sum(exact[4]) as exact_contracted
    from charge_rows r where r.tenant_id = $1 and r.delivery = d.number
    group by scope offset 0
  ) c
  where d.tenant_id = $1 and d.state = 'current'
), folded as (
  select a.delivery, a.scope, sum(a.lines - 1) as more from charge_aggregates a where a.tenant_id = $1 group by a.delivery, a.scope
), sums as (
  select r.delivery_id, s.account, s.billing_period, s.currency, sum(r.charges + coalesce(f.more, 0)) as charges,
    coalesce(sum(r.effective) * 0.000000000001 + coalesce(sum(r.exact_effective), 0), sum(r.exact_effective)) as effective_cost,
    coalesce(sum(r.billed) * 0.000000000001 + coalesce(sum(r.exact_billed), 0), sum(r.exact_billed)) as billed_cost,
    coalesce(sum(r.list) * 0.000000000001 + coalesce(sum(r.exact_list), 0), sum(r.exact_list)) as list_cost,
    coalesce(sum(r.contracted) * 0.000000000001 + coalesce(sum(r.exact_contracted), 0), sum(r.exact_contracted)) as contracted_cost
  from rows r
  join charge_scopes s on s.tenant_id = $1 and s.delivery = r.number and s.scope = r.scope
  left join folded f on f.delivery = r.number and f.scope = r.scope
  where $2::text is null or s.billing_period = $2
  group by r.delivery_id, s.account, s.billing_period, s.currency
), stored as (
  select s.delivery_id, s.account, s.billing_period, s.currency, s.charges, v.metric, v.total
  from sums s
  cross join lateral (values ('effective_cost', s.effective_cost), ('billed_cost', s.billed_cost), ('list_cost', s.list_cost), ('contracted_cost', s.contracted_cost)) v (metric, total)
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
-- Lines that do not carry a metric add nothing to its total.
where case when t.metric is null then s.total is not null
  else t.source_total <> coalesce(s.total, 0) or t.charges is distinct from s.charges end
limit 5
