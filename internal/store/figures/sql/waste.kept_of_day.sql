-- When findings about free capacity of a day were found first.
select finding_id, first_seen from findings
where tenant_id = $1 and kind = 'free_capacity' and from_at >= $2 and from_at < $2 + interval '1 day'
