insert into sample_summaries as s (tenant_id, place_id, hour, source, figures, sketches)
select tenant_id, place_id, hour, source, figures, sketches
from next_summaries
on conflict (tenant_id, place_id, hour) do update
set source = excluded.source, figures = excluded.figures, sketches = excluded.sketches
