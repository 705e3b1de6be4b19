-- The end of what was seen of machines: fees may be posted to later days.
select max(to_at) from spans where tenant_id = $1 and day = (select max(day) from chunks where tenant_id = $1 and span_rows > 0)
