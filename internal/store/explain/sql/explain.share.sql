-- All sides of the pool that a share belongs to, with who they are.
select s.hour, s.pool_id, s.cluster, s.cause, s.billing_account, s.billing_period, s.currency, s.state, s.commitment,
  s.policy_version, s.method, s.rule, s.share_id, s.kind, s.owner_id, s.from_owner,
  s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.weight, s.weight_of, s.team_weight, s.team_weight_of,
  s.pool_effective_cost, s.pool_billed_cost, s.pool_list_cost, s.pool_contracted_cost, coalesce(o.team, '')
from shares a
join shares s on s.tenant_id = a.tenant_id and s.hour = a.hour and s.pool_id = a.pool_id
left join owners o on o.tenant_id = s.tenant_id and o.owner_id = s.owner_id
where a.tenant_id = $1 and a.share_id = $2
order by s.owner_id
