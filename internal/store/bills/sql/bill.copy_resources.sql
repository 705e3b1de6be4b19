copy next_resources (slot, resource, resource_id, instance_key, instance_alias) from stdin (format binary)
