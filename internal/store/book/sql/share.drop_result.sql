delete from share_results where tenant_id = $1 and month = $2 and cluster = $3
