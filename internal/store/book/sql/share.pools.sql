-- Pools of a month that can still change, with the team of who has them.
select s.day, s.cluster, s.cause, s.owner_id, s.billing_account, s.billing_period, s.currency, s.state, s.commitment,
  s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, coalesce(o.team, '')
from share_pools s left join owners o on o.tenant_id = s.tenant_id and o.owner_id = s.owner_id
where s.tenant_id = $1 and s.day >= $2 and s.day < $3 and s.state <> 'final'
