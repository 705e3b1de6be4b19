-- Whose each commitment is: of its newest fee line by the end of the month.
select distinct on (1) coalesce(nullif(l.commitment_id, ''), 'unnamed'), f.owner_id
from (
  select b.delivery_id, b.charge_id, b.owner_id, max(b.hour) as hour
  from parts b
  where b.tenant_id = $1 and b.hour < $2 and b.kind in ('commitment_fee', 'commitment_unused') and b.posting_kind = 'direct' and b.owner_id is not null
  group by 1, 2, 3
) f
join deliveries d on d.tenant_id = $1 and d.delivery_id = f.delivery_id
cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number and x.charge_id = f.charge_id offset 0) l
order by 1, f.hour desc, f.charge_id, f.owner_id
