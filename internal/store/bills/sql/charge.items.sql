select item, provider, kind, category, coalesce(class, ''), coalesce(service_name, ''), coalesce(service_code, ''), coalesce(description, ''), coalesce(usage_type, ''),
  coalesce(operation, ''), coalesce(line_item_type, ''), coalesce(region, ''), coalesce(zone, ''), coalesce(instance_type, ''), coalesce(price_class, ''),
  coalesce(commitment_id, ''), coalesce(usage_unit, ''), instance_hours, bills_gpu, marketplace
from charge_items where tenant_id = $1 and delivery = $2
