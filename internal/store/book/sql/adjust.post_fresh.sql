-- A new line, or one that says something else by now, is posted in the open
-- period. Where the line has final parts, others have their names.
update next_parts n
set charge_period = n.billing_period, billing_period = c.open_period,
  posting_kind = case when n.posting_kind = 'amortise' then n.posting_kind else 'adjustment' end,
  part_id = case when c.finals > 0 then md5(n.part_id::text || ':' || c.finals)::uuid else n.part_id end
from closed_charges c
where c.charge_id = n.charge_id and c.current and not c.same
