select coalesce((select dropped_before from sample_retention where tenant_id = $1), 'epoch'),
  (select count(distinct hour) from stale_hours where tenant_id = $1)
