-- Who shares the discount of a commitment: those on its machines, and those
-- on demand on machines of the same type in the same region.
with machines as (
  select billing_account, currency, commitment, instance_type, region, owner_id, sum(contracted_cost) as cost
  from share_machines
  where tenant_id = $1 and day >= $2 and day < $3
  group by 1, 2, 3, 4, 5, 6
), covered as (
  select distinct billing_account, currency, commitment, instance_type, region from machines where commitment <> ''
)
select c.commitment, c.billing_account, c.currency, m.owner_id, sum(m.cost)
from covered c
join machines m on m.billing_account = c.billing_account and m.currency = c.currency and m.instance_type = c.instance_type and m.region = c.region
  and m.commitment in (c.commitment, '')
group by 1, 2, 3, 4
