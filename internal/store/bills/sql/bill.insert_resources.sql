insert into charge_resources (tenant_id, delivery, resource, resource_id, instance_key, instance_alias)
select $1, $2, resource, resource_id, instance_key, instance_alias
from next_resources where slot = $3
