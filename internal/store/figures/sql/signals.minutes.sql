-- The minutes of hours of slices of the day $7, by the key of the table.
select h.device, h.slice_id, h.hour, h.vectors
from unnest($2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::text[]) w (cluster, device, hour, slice_id, profile)
join sample_hours h on h.tenant_id = $1 and h.cluster = w.cluster and h.device = w.device and h.hour = w.hour
  and h.slice_id = w.slice_id and h.profile = w.profile
where h.hour >= $7 and h.hour < $7::timestamptz + interval '1 day'
