insert into charge_items (tenant_id, delivery, item, provider, kind, category, class, service_name, service_code, description, usage_type, operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, bills_gpu, marketplace)
select $1, $2, item, provider, kind, category, class, service_name, service_code, description, usage_type, operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, bills_gpu, marketplace
from next_items where slot = $3
