copy next_aggregates (slot, charge_id, scope, lines, line_ranges, digest) from stdin (format binary)
