select number, hash from audit_heads where tenant_id = $1
