select owner_id, coalesce(team, '') from owners where tenant_id = $1 and owner_id = any ($2)
