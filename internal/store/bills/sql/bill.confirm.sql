with old as (select preference from deliveries where tenant_id = $1 and delivery_id = $2)
update deliveries d set delivered_at = greatest(d.delivered_at, $3), preference = $4
from old
where d.tenant_id = $1 and d.delivery_id = $2
returning old.preference <> $4
