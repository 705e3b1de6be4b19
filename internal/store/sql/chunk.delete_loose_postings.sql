delete from postings where tenant_id = $1 and node_id is null and hour >= $2 and hour < $3
