insert into share_pools (tenant_id, day, cluster, cause, owner_id, billing_account, billing_period, currency, state, commitment,
  effective_cost, billed_cost, list_cost, contracted_cost)
select $1, g.day, coalesce(n.cluster, ''), g.cause, g.owner_id, g.billing_account, g.billing_period, g.currency, g.state, '',
  sum(g.effective_cost), sum(g.billed_cost), sum(g.list_cost), sum(g.contracted_cost)
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
  where p.tenant_id = $1 and p.hour >= $3 and p.hour < $4 and date_trunc('day', p.hour, 'UTC') = any($2)
    and p.workload_id is null and p.cause = any($5)
  group by 1, 2, 3, 4, 5, 6, 7, 8
) g
left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
group by 2, 3, 4, 5, 6, 7, 8, 9
