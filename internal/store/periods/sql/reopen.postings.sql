update postings p set state = 'open', billing_period = b.billing_period
from closing_parts c
join parts b on b.tenant_id = $1 and b.hour = c.hour and b.part_id = c.part_id
where p.tenant_id = $1 and p.part_id = c.part_id and p.hour = c.hour and p.hour >= $2 and p.hour <= $3 and p.state = 'final'
