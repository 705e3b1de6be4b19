-- An account is covered to its last compute usage, or to the end of the last month that
-- is closed in every billing account that bills it in that month.
with book as (
  select d.number, d.delivery_id from deliveries d where d.tenant_id = $1 and d.state = 'current'
), closed as (
  select s.billing_account, s.name, p.end_at
  from period_states s
  join periods p on p.tenant_id = s.tenant_id and p.calendar = s.calendar and p.name = s.name
  where s.tenant_id = $1 and s.calendar = 'billing' and s.state = 'closed'
), billed as (
  select distinct s.account, s.billing_account, s.billing_period
  from book d
  join charge_scopes s on s.tenant_id = $1 and s.delivery = d.number
  where s.account <> '' and exists (select from closed)
    and exists (select from control_totals t
      where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.account = s.account and t.role = 'book')
)
insert into next_coverage
select u.account, max(u.covered_until)
from (
  select v.account, v.covered_until
  from book d
  join delivery_coverage v on v.tenant_id = $1 and v.delivery_id = d.delivery_id
  where exists (select from control_totals t
    where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.account = v.account and t.role = 'book')
  union all
  select b.account, c.end_at
  from (select distinct account, billing_account from billed) b
  join closed c on c.billing_account = b.billing_account
  where not exists (select from billed o
    where o.account = b.account and o.billing_period = c.name
      and not exists (select from closed k where k.billing_account = o.billing_account and k.name = o.billing_period))
) u
group by u.account
