-- Per closed period: all that is posted of its lines, wherever, against what
-- the book says of them now.
with closed as (
  select billing_account, name as billing_period from period_states
  where tenant_id = $1 and calendar = 'billing' and state = 'closed' and ($2::text is null or name = $2)
), cut as (
  select b.billing_account, coalesce(b.charge_period, b.billing_period) as billing_period, b.currency, b.hour, b.node_id, b.part_id
  from closed c
  join parts b on b.tenant_id = $1 and b.billing_account = c.billing_account and coalesce(b.charge_period, b.billing_period) = c.billing_period
), posted as (
  select p.billing_account, p.billing_period, p.currency, sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost,
    sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
  from (
    select b.billing_account, b.billing_period, b.currency, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost
    from cut b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.node_id = b.node_id and p.part_id = b.part_id
    union all
    select b.billing_account, b.billing_period, b.currency, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost
    from cut b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.node_id is null and b.node_id is null and p.part_id = b.part_id
  ) p
  group by 1, 2, 3
), roles as (
  select t.delivery_id, t.account, t.billing_period, t.currency,
    bool_or(t.metric = 'effective_cost' and t.role = 'book') as effective_cost, bool_or(t.metric = 'billed_cost' and t.role = 'book') as billed_cost,
    bool_or(t.metric = 'list_cost' and t.role = 'book') as list_cost, bool_or(t.metric = 'contracted_cost' and t.role = 'book') as contracted_cost
  from control_totals t
  where t.tenant_id = $1 and ($2::text is null or t.billing_period = $2)
  group by 1, 2, 3, 4
), book as (
  select l.billing_account, l.billing_period, l.currency, sum(l.effective_cost) filter (where r.effective_cost) as effective_cost, sum(l.billed_cost) filter (where r.billed_cost) as billed_cost,
    sum(l.list_cost) filter (where r.list_cost) as list_cost, sum(l.contracted_cost) filter (where r.contracted_cost) as contracted_cost
  from deliveries d
  cross join lateral (
    select x.billing_account, x.account, x.billing_period, x.currency, x.kind, x.effective_cost, x.billed_cost, x.list_cost, x.contracted_cost
    from charge_lines x
    where x.tenant_id = $1 and x.delivery = d.number offset 0) l
  join closed c on c.billing_account = l.billing_account and c.billing_period = l.billing_period
  join roles r on r.delivery_id = d.delivery_id and r.account = l.account and r.billing_period = l.billing_period and r.currency = l.currency
  where d.tenant_id = $1 and d.state = 'current' and l.kind <> 'split'
    and exists (select from charge_scopes s join closed k on k.billing_account = s.billing_account and k.billing_period = s.billing_period where s.tenant_id = $1 and s.delivery = d.number)
  group by 1, 2, 3
)
select billing_account, billing_period, currency, b.effective_cost as billed_effective_cost, p.effective_cost as posted_effective_cost, b.billed_cost as billed_billed_cost,
  p.billed_cost as posted_billed_cost
from book b full join posted p using (billing_account, billing_period, currency)
where (coalesce(b.effective_cost, 0), coalesce(b.billed_cost, 0), coalesce(b.list_cost, 0), coalesce(b.contracted_cost, 0))
    is distinct from (coalesce(p.effective_cost, 0), coalesce(p.billed_cost, 0), coalesce(p.list_cost, 0), coalesce(p.contracted_cost, 0))
  and not exists (select from deliveries n where n.tenant_id = $1 and n.state = 'current' and n.fleet_digest = '')
  and not exists (select from dirty x where x.tenant_id = $1)
limit 5
