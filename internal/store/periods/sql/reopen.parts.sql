-- What amortised in the hours of the period goes back to that of its charge.
with opened as (
  update parts set final = false,
    billing_period = case when posting_kind = 'amortise' then coalesce(charge_period, billing_period) else billing_period end,
    charge_period = case when posting_kind = 'amortise' then null else charge_period end
  where tenant_id = $1 and billing_account = $2 and billing_period = $3 and final
  returning part_id, hour, node_id, delivery_id, charge_id
)
insert into closing_parts select * from opened
