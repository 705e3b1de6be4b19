select min(charge_start), max(charge_end), exists (select from parts p where p.tenant_id = $1 and p.delivery_id = $2)
from charges where tenant_id = $1 and delivery_id = $2
