-- Spans count to the hour in which they begin.
delete from spans where tenant_id = $1 and node_id = $2 and day = any ($4)
  and date_trunc('hour', least(greatest(from_at, day), day + interval '23 hours'), 'UTC') = any ($3)
