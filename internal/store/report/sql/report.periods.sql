-- Billing months by payer. Costs are those of parts: what is posted in the
-- month, and what later months post of its charges.
with sums as (
  select p.billing_account, p.billing_period, nullif(p.charge_period, p.billing_period) as charge_period, p.currency,
         sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from parts p
  where p.tenant_id = @tenant and p.billing_account is not null and p.billing_period is not null
  group by 1, 2, 3, 4
), own as (
  select billing_account, billing_period, currency, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost, sum(list_cost) as list_cost, sum(contracted_cost) as contracted_cost
  from sums
  group by 1, 2, 3
), later as (
  select billing_account, charge_period as billing_period, currency, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost
  from sums
  where charge_period is not null
  group by 1, 2, 3
)
select o.billing_account, o.billing_period, coalesce(s.state, 'open') as state, t.version, encode(t.digest, 'hex') as digest, t.closed_at, t.closed_by, t.reopened_at,
       o.currency, o.effective_cost, o.billed_cost, o.list_cost, o.contracted_cost,
       l.effective_cost as adjustments_effective_cost, l.billed_cost as adjustments_billed_cost, h.late_hours
from own o
left join period_states s on s.tenant_id = @tenant and s.calendar = 'billing' and s.name = o.billing_period and s.billing_account = o.billing_account
left join later l on l.billing_account = o.billing_account and l.billing_period = o.billing_period and l.currency = o.currency
left join lateral (
  select x.version, x.digest, x.closed_at, x.closed_by, x.reopened_at from statements x
  where x.tenant_id = @tenant and x.billing_account = o.billing_account and x.billing_period = o.billing_period
  order by x.version desc limit 1
) t on true
left join (
  select f.billing_account, f.billing_period, count(*) as late_hours from frozen_hours f where f.tenant_id = @tenant and f.late_rows > 0 group by 1, 2
) h on h.billing_account = o.billing_account and h.billing_period = o.billing_period
where @billing_period is null or o.billing_period = @billing_period
