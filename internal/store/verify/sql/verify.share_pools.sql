-- What was passed on is what the postings of that owner, cause and day are.
with pools as (
  select pool_id, hour as day, cluster, cause, owner_id, billing_account, coalesce(billing_period, '') as billing_period, currency, state,
    pool_effective_cost, pool_billed_cost, pool_list_cost, pool_contracted_cost
  from shares
  where tenant_id = $1 and hour >= $2 and hour < $3 and kind = 'shared_out' and commitment is null and (state = 'final' or hour = any($4))
), posted as (
  select g.day, coalesce(n.cluster, '') as cluster, g.cause, g.owner_id, g.billing_account, g.billing_period, g.currency, g.state,
    sum(g.effective_cost) as effective_cost, sum(g.billed_cost) as billed_cost, sum(g.list_cost) as list_cost, sum(g.contracted_cost) as contracted_cost
  from (
    select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.cause, p.owner_id, coalesce(b.billing_account, '') as billing_account,
      case when p.billing_period is not null then greatest(p.billing_period, to_char(p.hour at time zone 'UTC', 'YYYY-MM')) else '' end as billing_period, p.currency,
      case when p.state = 'provisional' then p.state
        when p.state = 'final' and p.billing_period >= to_char(p.hour at time zone 'UTC', 'YYYY-MM') or c.name is not null then 'final' else 'open' end as state,
      sum(p.effective_cost) as effective_cost, sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost
    from postings p
    left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
  left join period_states c on c.tenant_id = $1 and c.calendar = 'billing' and c.state = 'closed' and c.billing_account = b.billing_account
    and c.name = greatest(p.billing_period, to_char(p.hour at time zone 'UTC', 'YYYY-MM'))
    where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.workload_id is null and p.cause in (select cause from pools)
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ) g
  left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
  group by 1, 2, 3, 4, 5, 6, 7, 8
)
select k.pool_id, k.day, k.cluster, k.cause, k.owner_id, k.billing_period, k.currency, k.pool_effective_cost, p.effective_cost, k.pool_billed_cost, p.billed_cost
from pools k
left join posted p using (day, cluster, cause, owner_id, billing_account, billing_period, currency, state)
where k.pool_effective_cost is distinct from p.effective_cost or k.pool_billed_cost is distinct from p.billed_cost
  or k.pool_list_cost is distinct from p.list_cost or k.pool_contracted_cost is distinct from p.contracted_cost
limit 5
