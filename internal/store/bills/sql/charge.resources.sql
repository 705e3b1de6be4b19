select resource, coalesce(resource_id, ''), coalesce(instance_key, ''), coalesce(instance_alias, '')
from charge_resources where tenant_id = $1 and delivery = $2
