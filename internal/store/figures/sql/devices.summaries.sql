-- Summaries of the hours of a day, of some devices where they are named; not those of
-- machines themselves.
select p.cluster, p.device, p.slice_id, p.profile, p.model, s.hour, s.figures, s.sketches
from sample_summaries s
join sample_places p on p.tenant_id = s.tenant_id and p.place_id = s.place_id
where s.tenant_id = $1 and s.hour >= $2 and s.hour < $2::timestamptz + interval '1 day' and p.device not like 'host%'
  and ($3::text[] is null or p.device = any ($3))
