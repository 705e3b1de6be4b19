-- A payer's part is that of his weight, within a unit of 1e-12 per rounding and
-- one for digits below it.
select i.share_id, i.pool_id, i.hour, i.effective_cost, i.billed_cost, o.pool_effective_cost, o.pool_billed_cost, i.weight, i.weight_of, i.team_weight, i.team_weight_of
from shares i
join shares o on o.tenant_id = i.tenant_id and o.hour = i.hour and o.pool_id = i.pool_id and o.kind = 'shared_out'
cross join lateral (
  select i.weight * coalesce(i.team_weight, 1) as mine, i.weight_of * coalesce(i.team_weight_of, 1) as of
) w
where i.tenant_id = $1 and i.hour >= $2 and i.hour < $3 and i.kind = 'shared_in' and i.commitment is null
  and (w.of <= 0 or w.mine <= 0 or w.mine > w.of
    or abs(i.effective_cost * w.of - o.pool_effective_cost * w.mine) > 0.000000000003 * w.of
    or abs(i.billed_cost * w.of - o.pool_billed_cost * w.mine) > 0.000000000003 * w.of
    or abs(i.list_cost * w.of - o.pool_list_cost * w.mine) > 0.000000000003 * w.of
    or abs(i.contracted_cost * w.of - o.pool_contracted_cost * w.mine) > 0.000000000003 * w.of)
limit 5
