copy sample_summaries (tenant_id, cluster, device, slice_id, profile, hour, node, device_index, model, source, figures, sketches)
from stdin (format binary)
