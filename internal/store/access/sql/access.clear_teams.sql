delete from scope_teams where tenant_id = $1 and scope_id = $2
