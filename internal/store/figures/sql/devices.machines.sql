select node_id, coalesce(provider_id, ''), coalesce(instance_type, '') from nodes where tenant_id = $1 and gpus > 0
