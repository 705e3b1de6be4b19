insert into charge_aggregates (tenant_id, delivery, charge_id, scope, lines, line_ranges, digest)
select $1, $2, charge_id, scope, lines, line_ranges, digest
from next_aggregates where slot = $3
