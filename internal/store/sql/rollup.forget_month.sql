delete from rollup_months where tenant_id = $1 and grain = any ($2) and month = date_trunc('month', $3::timestamptz, 'UTC')
