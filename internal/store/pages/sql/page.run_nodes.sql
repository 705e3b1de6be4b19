-- The machines that a run held.
select node_id, name, instance_id, coalesce(instance_type, ''), coalesce(region, ''), coalesce(zone, ''), coalesce(price_class, ''), coalesce(gpu_model, ''), gpus
from nodes
where tenant_id = $1 and node_id in (select node_id from spans where tenant_id = $1 and run_id = $2)
order by name, node_id
