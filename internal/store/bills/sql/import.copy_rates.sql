copy next_rates (tenant_id, rate_id, import_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source) from stdin (format binary)
