copy next_instances (slot, instance_key, starts, ends, newest_starts, charge_id, scope, item, tag_set, usage_amount, effective_cost, instance_seconds) from stdin (format binary)
