select owner_id, team from owners where tenant_id = $1
