delete from rollup_days where tenant_id = $1 and grain = any ($2) and day = $3
