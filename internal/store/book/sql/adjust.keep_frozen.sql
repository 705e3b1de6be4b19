-- A line that did not change keeps its final parts, however it would be cut now.
delete from next_parts n
using closed_charges c
where c.charge_id = n.charge_id and c.same and (n.posting_kind <> 'amortise' or n.hour < c.boundary)
