delete from analysis_days where tenant_id = $1 and step = $2 and day = $3
