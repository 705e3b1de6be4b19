-- What machines are, for policies and evidence.
select node_id, cluster, name, coalesce(instance_type, ''), coalesce(gpu_model, '') from nodes where tenant_id = $1 and node_id = any($2)
