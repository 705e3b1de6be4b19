insert into scopes (tenant_id, scope_id, conditions, everything) values ($1, $2, $3, $4)
