-- What machines are, for policies and evidence.
select node_id, cluster, name, instance_type, gpu_model from nodes where tenant_id = $1 and node_id = any($2)
