-- Whose lines they are.
update closing_parts p set provider = l.provider, account = l.account, region = l.region
from (
  select k.delivery_id, k.charge_id, x.provider, x.account, x.region
  from (select distinct delivery_id, charge_id from closing_parts) k
  join deliveries d on d.tenant_id = $1 and d.delivery_id = k.delivery_id
  cross join lateral (select * from charge_lines l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = k.charge_id offset 0) x
) l
where l.delivery_id = p.delivery_id and l.charge_id = p.charge_id
