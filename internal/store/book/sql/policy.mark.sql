insert into dirty (tenant_id, node_id, day, reason)
select $1, node_id, day, 'policy' from chunks where tenant_id = $1 and day >= $2::text::timestamptz order by node_id, day
