-- Numbers of places, by their position in the lists.
select w.n - 1, p.place_id
from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[])
  with ordinality w (cluster, device, slice_id, profile, node, device_index, model, n)
join sample_places p on p.tenant_id = $1 and p.cluster = w.cluster and p.device = w.device and p.slice_id = w.slice_id and p.profile = w.profile
  and p.node = w.node and p.device_index = w.device_index and p.model = w.model
