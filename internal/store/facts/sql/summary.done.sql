delete from stale_hours where tenant_id = $1 and mark_id = any($2)
