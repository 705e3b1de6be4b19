select node_id, cluster, name, provider_id, instance_id, gone_at
from nodes
where tenant_id = $1 and price_class = 'spot' and gone_at is not null
order by node_id
