insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1, node_id, day, $2, 'policy' from chunks where tenant_id = $1 and day >= $3::text::timestamptz order by node_id, day
