delete from shares where tenant_id = $1 and hour >= $2 and hour < $3 and cluster = $4 and state <> 'final'
