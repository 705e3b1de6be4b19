update parts p set delivery_id = $2
from closed_charges c
where p.tenant_id = $1 and p.charge_id = c.charge_id and c.same and p.final and p.delivery_id = any ($3) and p.delivery_id <> $2
