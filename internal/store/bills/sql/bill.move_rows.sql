insert into charge_rows_:number (charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact)
select charge_id, line, starts, ends, scope, item, resource, tag_set,
  effective, billed, list, contracted, usage, credit, instance_seconds, exact
from next_rows where slot = $1
