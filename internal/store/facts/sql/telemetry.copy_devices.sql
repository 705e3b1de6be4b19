copy next_devices (tenant_id, cluster, node, device, device_index, model, in_mig, registered, first_at, last_at) from stdin (format binary)
