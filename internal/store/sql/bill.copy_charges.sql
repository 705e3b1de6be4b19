copy next_charges (tenant_id, slot, charge_id, billing_month, billing_period, source_file, line, provider, billing_account, account, kind, category, class,
  service_name, service_code, resource_id, description, usage_type, operation, line_item_type, region, zone, instance_type,
  price_class, commitment_id, instance_hours, usage_amount, usage_unit, charge_start, charge_end, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, tag_set_id) from stdin (format binary)
