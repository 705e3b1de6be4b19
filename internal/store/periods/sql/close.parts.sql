-- What amortises in later hours goes on in the open period (13.3): it is closed
-- with the period of its hours, and keeps that of its charge.
with closed as (
  update parts set final = true, billing_period = $3,
    charge_period = case when billing_period = $3 then charge_period else coalesce(charge_period, billing_period) end
  where tenant_id = $1 and billing_account = $2 and not final
    and (billing_period = $3 and (posting_kind <> 'amortise' or hour < $4) or billing_period < $3 and posting_kind = 'amortise' and hour < $4)
  returning part_id, hour, node_id, delivery_id, charge_id
)
insert into closing_parts select * from closed
