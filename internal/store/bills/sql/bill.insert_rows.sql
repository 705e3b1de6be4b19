insert into charge_rows_small (tenant_id, delivery, charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact)
select $1, $2, charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact
from next_rows where slot = $3
