insert into sample_places (tenant_id, cluster, device, slice_id, profile, node, device_index, model)
select $1, * from unnest($2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[])
on conflict do nothing
