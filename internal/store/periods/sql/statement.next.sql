-- Number and chain of the newest statement of all, and the newest version of the period.
select coalesce((select max(number) from statements where tenant_id = $1), 0) + 1,
  coalesce((select chain from statements where tenant_id = $1 order by number desc limit 1), ''),
  coalesce((select max(version) from statements where tenant_id = $1 and billing_account = $2 and billing_period = $3), 0) + 1
