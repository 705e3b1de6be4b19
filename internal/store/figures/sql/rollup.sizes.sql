select day, sum(posting_rows)::bigint from chunks where tenant_id = $1 and day = any ($2) group by day
