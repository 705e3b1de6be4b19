delete from postings where tenant_id = $1 and node_id is null and hour = any ($2) and state <> 'final'
