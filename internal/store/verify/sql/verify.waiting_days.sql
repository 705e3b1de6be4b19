-- Days with postings of lines that another delivery has replaced, from $2 to $3:
-- until the new one is cut they have no charge that would name them.
select distinct date_trunc('day', p.hour, 'UTC')
from parts p
join deliveries d on d.tenant_id = $1 and d.delivery_id = p.delivery_id and d.state <> 'current'
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and not p.final
