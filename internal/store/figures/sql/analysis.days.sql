select day from analysis_days where tenant_id = $1 and step = $2 order by day
