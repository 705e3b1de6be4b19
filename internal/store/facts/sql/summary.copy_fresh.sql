copy sample_summaries (tenant_id, place_id, hour, source, figures, sketches)
from stdin (format binary)
