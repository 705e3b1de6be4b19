select distinct receiver from inbox where tenant_id = $1 and receiver <> $2
