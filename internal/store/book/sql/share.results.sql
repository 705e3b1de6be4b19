select cluster, digest from share_results where tenant_id = $1 and month = $2 for update
