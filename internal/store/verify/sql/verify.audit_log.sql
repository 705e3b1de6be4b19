select number, at, actor, action, subject, detail, previous, hash from audit_log where tenant_id = $1 order by number
