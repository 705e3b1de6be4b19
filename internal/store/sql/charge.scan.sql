select charge_id, source_file, line, provider, billing_account, account, billing_period, charge_start, charge_end,
  kind, category, class, service_name, service_code, resource_id, description, usage_type, operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, instance_hours, usage_amount, usage_unit,
  currency, effective_cost, billed_cost, list_cost, contracted_cost, tag_set_id
from charges
where tenant_id = $1 and delivery_id = $2
order by charge_id
