-- Whether an export had the bill of an account's month before this import.
select exists (
  select from deliveries d
  join control_totals t on t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.account = $4 and t.billing_period = $5
  where d.tenant_id = $1 and d.source = $2 and d.export = $3 and d.state <> 'older' and d.import_id <> $6
)
