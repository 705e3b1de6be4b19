update scopes set digest = $3 where tenant_id = $1 and scope_id = $2
