-- Spend per owner key: with an owner's value, and without.
select k.key, nullif(n.cluster, '') as cluster, nullif(n.region, '') as region, nullif(n.zone, '') as zone, nullif(n.instance_type, '') as instance_type, s.cause, s.billing_period,
       @owner_columns, s.quality, s.state, s.currency, s.effective_cost, abs(s.effective_cost) as effective_abs,
       case when h.has then s.effective_cost else 0 end as owned_cost, case when h.has then 0 else s.effective_cost end as unowned_cost,
       case when s.quality = 'measured' then s.effective_cost else 0 end as measured_cost,
       case when s.quality = 'estimated' then s.effective_cost else 0 end as estimated_cost,
       case when s.quality = 'assumed' then s.effective_cost else 0 end as assumed_cost
from (
@owner_sums
) s
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = s.node_id
cross join lateral (values @owner_values) k (key, value)
cross join lateral (select coalesce(k.value, '') not in ('', 'unowned') as has) h
