-- The day $2 and its month.
delete from serving_services
where tenant_id = $1 and (span = 'day' and at = $2 or span <> 'day' and at = date_trunc('month', $2::timestamptz, 'UTC'))
