copy next_resources (slot, resource, resource_id, instance_key) from stdin (format binary)
