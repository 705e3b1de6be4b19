-- Whether what is stored was saved with this digest, and is all still there.
select exists (select from derived_state where tenant_id = $1 and digest = $2)
  and (select count(*) from nodes where tenant_id = $1) = $3
  and (select count(*) from workloads where tenant_id = $1) = $4
  and (select count(*) from runs where tenant_id = $1) = $5
  and (select count(*) from attempts where tenant_id = $1) = $6
  and (select count(*) from segments where tenant_id = $1) = $7
  and (select count(*) from owners where tenant_id = $1) >= $8
