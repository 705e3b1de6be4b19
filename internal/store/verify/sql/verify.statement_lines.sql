with current as (
  select billing_account, billing_period, version from statements
  where tenant_id = $1 and reopened_at is null and ($2::text is null or billing_period = $2)
), stated as (
  select l.billing_account, l.billing_period, l.day, l.owner_id, l.cause, l.kind, l.currency, sum(l.effective_cost) as effective_cost, sum(l.billed_cost) as billed_cost,
    sum(l.list_cost) as list_cost, sum(l.contracted_cost) as contracted_cost, sum(l.gpu_hours) as gpu_hours
  from current c join statement_lines l on l.tenant_id = $1 and l.billing_account = c.billing_account and l.billing_period = c.billing_period and l.version = c.version
  group by 1, 2, 3, 4, 5, 6, 7
), posted as (
  select p.billing_account, p.billing_period, date_trunc('day', p.hour, 'UTC') as day, p.owner_id, p.cause, p.kind, p.currency, sum(p.effective_cost) as effective_cost,
    sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost, sum(p.gpu_hours) as gpu_hours
  from postings p where p.tenant_id = $1 and p.state = 'final' and ($2::text is null or p.billing_period = $2)
  group by 1, 2, 3, 4, 5, 6, 7
  union all
  select s.billing_account, s.billing_period, s.hour, s.owner_id, s.cause, s.kind, s.currency, sum(s.effective_cost), sum(s.billed_cost), sum(s.list_cost), sum(s.contracted_cost), null
  from shares s where s.tenant_id = $1 and s.state = 'final' and ($2::text is null or s.billing_period = $2)
  group by 1, 2, 3, 4, 5, 6, 7
)
select billing_account, billing_period, day, owner_id, cause, kind, currency, s.effective_cost as stated_effective_cost, p.effective_cost as posted_effective_cost,
  s.billed_cost as stated_billed_cost, p.billed_cost as posted_billed_cost
from stated s full join posted p using (billing_account, billing_period, day, owner_id, cause, kind, currency)
where (s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours) is distinct from (p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours)
limit 5
