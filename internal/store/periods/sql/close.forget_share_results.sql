-- Their digest is of what is not final.
delete from share_results r
where r.tenant_id = $1 and exists (
  select from shares s
  where s.tenant_id = $1 and s.billing_account = $2 and s.billing_period = $3 and s.cluster = r.cluster
    and s.hour >= r.month and s.hour < r.month + interval '1 month')
