delete from rolled_months where tenant_id = $1 and month = date_trunc('month', $2::timestamptz, 'UTC')
