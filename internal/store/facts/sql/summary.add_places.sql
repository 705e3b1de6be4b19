-- Counted on from the tenant's last: whoever summarises has the lock.
insert into sample_places (tenant_id, place_id, cluster, device, slice_id, profile, node, device_index, model)
select $1, (select coalesce(max(place_id), 0) from sample_places where tenant_id = $1) + row_number() over (), w.*
from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[]) w
on conflict do nothing
