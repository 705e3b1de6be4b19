delete from scopes where tenant_id = $1 and scope_id = $2
