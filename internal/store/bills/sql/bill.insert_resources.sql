insert into charge_resources (tenant_id, delivery, resource, resource_id, instance_key)
select $1, $2, resource, resource_id, instance_key
from next_resources where slot = $3
