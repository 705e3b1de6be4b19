select what, node_id, day, digest from statement_chunks
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and version = $4
order by what collate "C", node_id, day
