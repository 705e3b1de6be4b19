-- The months that are there, from $2 to $3.
select month from rolled_months where tenant_id = $1 and month >= $2 and month < $3 order by 1
