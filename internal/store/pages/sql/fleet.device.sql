-- Where a device was last seen, and when.
select cluster, node, last_hour, last_at from devices where tenant_id = $1 and device = $2 order by last_at desc limit 1
