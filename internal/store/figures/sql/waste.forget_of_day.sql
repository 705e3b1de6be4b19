-- Forgets the findings about free capacity of a day.
delete from findings
where tenant_id = $1 and kind = 'free_capacity' and from_at >= $2 and from_at < $2 + interval '1 day'
