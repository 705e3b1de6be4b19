update frozen_hours f set late_rows = h.late_rows
from unnest($3::timestamptz[], $4::int[]) h (hour, late_rows)
where f.tenant_id = $1 and f.node_id = $2 and f.hour = h.hour and f.late_rows <> h.late_rows
