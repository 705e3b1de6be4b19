analyze next_scopes, next_aggregates
