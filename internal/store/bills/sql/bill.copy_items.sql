copy next_items (slot, item, provider, kind, category, class, service_name, service_code, description, usage_type, operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, bills_gpu, marketplace) from stdin (format binary)
