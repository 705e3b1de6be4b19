select node_id, min(hour), max(hour) + interval '1 hour'
from parts
where tenant_id = $1 and node_id = any($2::uuid[]) and kind = 'provisional' and (effective_cost > 0 or method = 'may be billed')
group by node_id
