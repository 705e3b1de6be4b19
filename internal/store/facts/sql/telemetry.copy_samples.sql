copy next_samples (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at, row_count, vectors)
from stdin (format binary)
