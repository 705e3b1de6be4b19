-- Held time on machines that a commitment covers: what it costs less than its
-- contracted (else list) price, and what amortised fees add to it.
insert into share_pools (tenant_id, day, cluster, cause, owner_id, billing_account, billing_period, currency, state, commitment, effective_cost)
select $1, g.day, coalesce(n.cluster, ''), g.cause, g.owner_id, g.billing_account, g.billing_period, g.currency, g.state, g.commitment, sum(g.off)
from (
  select date_trunc('day', p.hour, 'UTC') as day, p.node_id, p.cause, p.owner_id, coalesce(b.billing_account, '') as billing_account,
    case when p.billing_period is not null then greatest(p.billing_period, to_char(p.hour at time zone 'UTC', 'YYYY-MM')) else '' end as billing_period, p.currency,
      case when p.state = 'provisional' then p.state
        when p.state = 'final' and p.billing_period >= to_char(p.hour at time zone 'UTC', 'YYYY-MM') or c.name is not null then 'final' else 'open' end as state, coalesce(nullif(l.commitment_id, ''), 'unnamed') as commitment,
    sum(p.effective_cost - case when b.posting_kind = 'direct' then coalesce(p.contracted_cost, p.list_cost) else 0 end) as off
  from parts b
  join deliveries d on d.tenant_id = b.tenant_id and d.delivery_id = b.delivery_id
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number and x.charge_id = b.charge_id offset 0) l
  join postings p on p.tenant_id = b.tenant_id and p.hour = b.hour and p.part_id = b.part_id
  left join period_states c on c.tenant_id = $1 and c.calendar = 'billing' and c.state = 'closed' and c.billing_account = b.billing_account
    and c.name = greatest(p.billing_period, to_char(p.hour at time zone 'UTC', 'YYYY-MM'))
  where b.tenant_id = $1 and b.hour >= $3 and b.hour < $4 and date_trunc('day', b.hour, 'UTC') = any($2)
    and (b.posting_kind = 'direct' and b.kind = 'compute' and l.kind = 'covered_usage' or b.posting_kind = 'amortise' and b.method = 'commitment credit')
    and p.workload_id is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
) g
left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
where g.off is not null
group by 2, 3, 4, 5, 6, 7, 8, 9, 10
