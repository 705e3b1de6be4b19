update postings p set state = 'final', billing_period = $2
from closing_parts c
where p.tenant_id = $1 and p.part_id = c.part_id and p.hour = c.hour and p.hour >= $3 and p.hour <= $4 and p.state <> 'final'
