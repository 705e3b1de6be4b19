select coalesce(max(last_at), 'epoch') from devices where tenant_id = $1
