-- Where a usage row stands.
select node_id, hour from usage where tenant_id = $1 and usage_id = $2
