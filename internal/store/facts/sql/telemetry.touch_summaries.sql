insert into stale_hours (tenant_id, hour) select distinct $1::int, hour from changed_samples order by 2
