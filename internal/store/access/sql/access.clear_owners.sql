delete from scope_owners where tenant_id = $1 and scope_id = $2
