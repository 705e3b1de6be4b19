insert into charge_instances (tenant_id, delivery, instance_key, starts, ends, newest_starts, charge_id, scope, item, tag_set, usage_amount, effective_cost, instance_seconds)
select distinct on (instance_key) $1, $2, instance_key, min(starts) over machine, max(ends) over machine,
  newest_starts, charge_id, scope, item, tag_set, usage_amount, sum(effective_cost) over newest, sum(instance_seconds) over newest
from next_instances where slot = $3
window machine as (partition by instance_key), newest as (partition by instance_key, ends, newest_starts)
order by instance_key, ends desc, newest_starts desc, instance_seconds is null, charge_id
