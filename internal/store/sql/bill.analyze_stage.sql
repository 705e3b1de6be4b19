analyze next_scopes, next_rows, next_items, next_resources, next_aggregates
