-- Spend per owner key: with an owner's value, and without.
select k.key, s.*, abs(s.effective_cost) as effective_abs,
       case when k.has then s.effective_cost else 0 end as owned_cost, case when k.has then 0 else s.effective_cost end as unowned_cost,
       case when s.quality = 'measured' then s.effective_cost else 0 end as measured_cost,
       case when s.quality = 'estimated' then s.effective_cost else 0 end as estimated_cost,
       case when s.quality = 'assumed' then s.effective_cost else 0 end as assumed_cost
from (
@owner_sums
) s
cross join lateral (values @owner_values) k (key, has)
