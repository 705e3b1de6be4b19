-- Machines by name, and by id.
select node_id from nodes where tenant_id = $1 and (name = $2 or node_id::text = $2 or instance_id = $2)
