copy next_rows (slot, charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact) from stdin (format binary)
